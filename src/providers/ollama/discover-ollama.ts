/** Lists the models of a local Ollama, with their context windows and capabilities. */

import { DEFAULTS } from "../../config/defaults.ts";
import { listAt, recordAt, textAt } from "../../lib/json-at.ts";
import { countOf } from "../dialect/token-counts.ts";
import { DISCOVERY_TIMEOUT_MS, type DiscoveredModel, MOST_DISCOVERED } from "../local/discovered-model.ts";
import type { Transport } from "../transport/transport.ts";
import { callJson } from "../upstream/call-upstream.ts";
import { ollamaDialect } from "./ollama-dialect.ts";

const AT_ONCE = 4;

/** Named after the architecture: `llama.context_length`. */
const contextWindowOf = (shown: unknown): number | undefined => {
  const entry = Object.entries(recordAt(shown, "model_info")).find(([key]) => key.endsWith(".context_length"));
  return entry && countOf(entry[1]);
};

const describe = (id: string, shown: unknown): DiscoveredModel => {
  const contextWindow = contextWindowOf(shown);
  const capabilities = listAt(shown, "capabilities")
    .map((each) => textAt(each))
    .filter(Boolean);
  return { id, capabilities, ...(contextWindow !== undefined && { contextWindow }) };
};

/** Throws UpstreamError if no Ollama answers. A model whose details cannot be read is listed without them. */
export const discoverOllama = async (transport: Transport, baseUrl: string, signal: AbortSignal): Promise<DiscoveredModel[]> => {
  const base = ollamaDialect.baseUrl(baseUrl.replace(/\/{1,8}$/, ""));
  const request = {
    provider: "Ollama",
    headers: { "content-type": "application/json" },
    transport,
    timeouts: DEFAULTS.timeouts,
    context: { signal, remainingMs: DISCOVERY_TIMEOUT_MS },
  };
  const tags = await callJson({ ...request, url: `${base}/api/tags`, method: "GET" });
  const ids = ollamaDialect
    .parseList(tags)
    .map(({ id }) => id)
    .slice(0, MOST_DISCOVERED);
  const models: DiscoveredModel[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const shown = ids.slice(start, start + AT_ONCE).map(async (id) => {
      const answer = await callJson({ ...request, url: `${base}/api/show`, body: JSON.stringify({ model: id }) }).catch(
        () => undefined,
      );
      return describe(id, answer);
    });
    models.push(...(await Promise.all(shown)));
  }
  return models;
};
