/** Lists the models of a local OpenAI-compatible server (llama.cpp, LM Studio, vLLM, LocalAI, …). */

import { DEFAULTS } from "../../config/defaults.ts";
import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt, textAt } from "../../lib/json-at.ts";
import { firstCount } from "../dialect/token-counts.ts";
import { DISCOVERY_TIMEOUT_MS, type DiscoveredModel, MOST_DISCOVERED } from "../local/discovered-model.ts";
import type { Transport } from "../transport/transport.ts";
import { callJson } from "../upstream/call-upstream.ts";

/** vLLM has `max_model_len`, LM Studio `max_context_length`, llama.cpp `meta.n_ctx_train`. */
const contextWindowOf = (entry: Record<string, unknown>): number | undefined =>
  firstCount(entry, "max_model_len", "max_context_length", "context_length", "context_window") ??
  firstCount(recordAt(entry, "meta"), "n_ctx_train");

/** `baseUrl` ends in `/v1`. Throws UpstreamError if no such server answers. */
export const discoverOpenAiServer = async (
  transport: Transport,
  baseUrl: string,
  signal: AbortSignal,
): Promise<DiscoveredModel[]> => {
  const body = await callJson({
    provider: "The local server",
    url: `${baseUrl.replace(/\/{1,8}$/, "")}/models`,
    method: "GET",
    headers: {},
    transport,
    timeouts: DEFAULTS.timeouts,
    context: { signal, remainingMs: DISCOVERY_TIMEOUT_MS },
  });
  const list = Array.isArray(body) ? body : listAt(body, "data");
  return list
    .filter(isRecord)
    .slice(0, MOST_DISCOVERED)
    .flatMap((entry) => {
      const id = textAt(entry, "id");
      const contextWindow = contextWindowOf(entry);
      return id === "" ? [] : [{ id, capabilities: [], ...(contextWindow !== undefined && { contextWindow }) }];
    });
};
