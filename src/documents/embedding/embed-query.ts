/** Embeds a query: with the local encoder, or the configured endpoint, subject to its breaker and a short time-out. */

import type { Mode } from "../../accounts/api-key.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import type { Platform } from "../../platform.ts";
import { outcomeOfFailure } from "../../providers/health/model-breaker.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import { localEncoderReads } from "../index/fuse-scores.ts";
import { type Embedded, embedRemotely, priceOf } from "./embed-texts.ts";
import { mayLeave } from "./may-leave.ts";
import { isLocal, type Space } from "./space.ts";

type QueryVector = { vector?: Float32Array; embedded?: Embedded };
/** Whose question it is. */
export type Asker = { projectId: string; mode: Mode };

/** A search waits no longer than this for an embedder; then words alone rank. */
const EMBED_TIMEOUT_MS = 3_000;

/** Test keys never reach a remote embedder, and nothing is embedded yet while the dimensions are unknown. */
const isAsked = async (platform: Platform, space: Space, { projectId, mode }: Asker): Promise<boolean> =>
  !isLocal(space) && mode === "live" && space.dimensions !== null && (await mayLeave(platform, space, projectId));

/** The highest cost of a query, in nano-USD. */
export const estimateQuery = async (platform: Platform, space: Space, asker: Asker, text: string): Promise<number> =>
  (await isAsked(platform, space, asker)) ? Math.ceil(estimateTokens(text) * priceOf(platform, space)) : 0;

export const embedQuery = async (platform: Platform, space: Space, asker: Asker, text: string): Promise<QueryVector> => {
  if (isLocal(space)) return localEncoderReads(text) ? { vector: platform.encoder.embed(text) } : {};
  const { health } = platform.providers;
  const { provider, model } = space;
  if (!(await isAsked(platform, space, asker)) || !health.tryAcquire(provider, model)) return {};
  try {
    const { vectors, embedded } = await embedRemotely(platform, space, [text], { timeoutMs: EMBED_TIMEOUT_MS });
    health.record(provider, model, { ok: true, latencyMs: embedded.latencyMs });
    const vector = vectors[0]!;
    return vector.length === space.dimensions ? { vector, embedded } : { embedded };
  } catch (error) {
    // Our own short time-out says nothing about the embedder's health.
    health.record(provider, model, outcomeOfFailure(error, error instanceof UpstreamError && error.kind === "timeout"));
    platform.log.warn("A document search went on without its embedder", {
      detail: error instanceof Error ? error.message : String(error),
    });
    return {};
  }
};
