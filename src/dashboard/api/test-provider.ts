/** A live test of one provider: whether it answers with its key and address, and how fast. */

import type { Platform } from "../../platform.ts";
import { singleAttempt } from "../../providers/upstream/single-attempt.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import type { ProviderTest } from "../wire.ts";

const DEADLINE_MS = 10_000;

/** Asks for the list of models, which no vendor charges for. Undefined if no such provider is configured. */
export const testProvider = async (platform: Platform, id: string, signal: AbortSignal): Promise<ProviderTest | undefined> => {
  const provider = platform.providers.find("live", id);
  if (provider === undefined) return undefined;
  if (provider.listModels === undefined)
    return { ok: null, latency_ms: null, models: null, message: "It lists no models to try." };
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const models = await provider.listModels(singleAttempt("dashboard-test", DEADLINE_MS, signal));
    return { ok: true, latency_ms: took(), models: models.map(({ id }) => id), message: null };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // Not every server has a list of models, so its absence says little.
    return { ok: error.kind === "model_gone" ? null : false, latency_ms: took(), models: null, message: adviceFor(error) };
  }
};

const adviceFor = (error: UpstreamError): string => {
  switch (error.kind) {
    case "auth":
      return "It does not accept the key. Paste it again, or make a new one at the provider.";
    case "network":
      return "It cannot be reached. Check the address and this machine's connection.";
    case "timeout":
      return "It did not answer within ten seconds.";
    case "model_gone":
      return "It answers, but has no list of models to try. Should calls fail, check its address, which usually ends in /v1.";
    case "rate_limit":
      return "It answers, but this key is at its rate limit.";
    default:
      return `It answered with an error: ${error.message}`;
  }
};
