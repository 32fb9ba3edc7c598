/** Texts → vectors of unit length by a configured embedding endpoint. */
import { newId } from "../../lib/ids.ts";
import type { Platform } from "../../platform.ts";
import type { Provider } from "../../providers/provider.ts";
import { singleAttempt } from "../../providers/upstream/single-attempt.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import { unitVector } from "../index/pack-vectors.ts";
import type { SpaceKey } from "./space.ts";

/** Inputs of one request: what every known endpoint takes. */
const TEXTS_PER_REQUEST = 32;

/** What an endpoint was paid for, to be billed to whoever asked. */
export type Embedded = Paid & { provider: string; model: string; costNanoUsd: number; latencyMs: number };
type EmbedOptions = {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Called with what was paid for before a failure. */
  onPaidInVain?(embedded: Embedded): Promise<void>;
};
/** What has been paid for so far. */
type Paid = { inputTokens: number; estimated: boolean };

const inCatalog = ({ catalog }: Platform, { provider, model }: SpaceKey) => catalog.findEmbeddingModel(`${provider}/${model}`);

/** Undefined if the provider is not configured or has no embeddings. */
const endpointOf = (platform: Platform, key: SpaceKey) => {
  const found = platform.providers.find("live", key.provider);
  const upstream = inCatalog(platform, key)?.upstreamModel ?? key.model;
  return found?.embed && { provider: found as Provider & Required<Pick<Provider, "embed">>, upstream };
};

/** USD per token in nano, 0 where the catalog does not know the model (a local Ollama). */
export const priceOf = (platform: Platform, key: SpaceKey): number => inCatalog(platform, key)?.inputNanoUsd ?? 0;

/** Its model id in the ledger. */
const idOf = (platform: Platform, key: SpaceKey): string => inCatalog(platform, key)?.id ?? `${key.provider}/${key.model}`;

const embedSome = async (
  endpoint: NonNullable<ReturnType<typeof endpointOf>>,
  texts: string[],
  options: EmbedOptions,
  paid: Paid,
): Promise<Float32Array[]> => {
  const { provider, upstream } = endpoint;
  const context = singleAttempt(newId("call"), options.timeoutMs, options.signal);
  try {
    const { vectors, inputTokens, estimated = false } = await provider.embed(upstream, texts, undefined, context);
    paid.inputTokens += inputTokens;
    paid.estimated ||= estimated;
    return vectors.map(unitVector);
  } catch (error) {
    if (error instanceof UpstreamError) paid.inputTokens += error.details.usage?.input ?? 0;
    // A text that the endpoint refuses must not affect its neighbours; retried alone, it is left without a vector.
    if (!(error instanceof UpstreamError) || error.kind !== "bad_request") throw error;
    if (texts.length === 1) return [new Float32Array(0)];
    const half = texts.length >> 1;
    const left = await embedSome(endpoint, texts.slice(0, half), options, paid);
    return [...left, ...(await embedSome(endpoint, texts.slice(half), options, paid))];
  }
};

/** One vector per text, of length 0 if the endpoint refuses the text. Throws UpstreamError if it cannot be reached. */
export const embedRemotely = async (
  platform: Platform,
  key: SpaceKey,
  texts: string[],
  options: EmbedOptions,
): Promise<{ vectors: Float32Array[]; embedded: Embedded }> => {
  const startedAt = performance.now();
  const endpoint = endpointOf(platform, key);
  if (endpoint === undefined) throw new UpstreamError("network", `No embedding endpoint ${key.provider} is configured.`);
  const vectors: Float32Array[] = [];
  const paid: Paid = { inputTokens: 0, estimated: false };
  const embeddedUntilNow = (): Embedded => ({
    provider: key.provider,
    model: idOf(platform, key),
    ...paid,
    costNanoUsd: Math.ceil(paid.inputTokens * priceOf(platform, key)),
    latencyMs: Math.round(performance.now() - startedAt),
  });
  try {
    for (let at = 0; at < texts.length; at += TEXTS_PER_REQUEST) {
      const some = texts.slice(at, at + TEXTS_PER_REQUEST);
      vectors.push(...requireAll(await embedSome(endpoint, some, options, paid), some, key));
    }
  } catch (error) {
    if (paid.inputTokens > 0) await options.onPaidInVain?.(embeddedUntilNow());
    throw error;
  }
  return { vectors, embedded: embeddedUntilNow() };
};

const requireAll = (vectors: Float32Array[], texts: string[], { provider }: SpaceKey): Float32Array[] => {
  if (vectors.length === texts.length) return vectors;
  throw new UpstreamError(
    "server",
    `The embedding endpoint ${provider} returned a different number of vectors than it was asked for.`,
  );
};
