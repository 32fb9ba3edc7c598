/** Lists the models of a local Ollama, with their context windows and capabilities. */

import { DEFAULTS } from "../../config/defaults.ts";
import { listAt, recordAt, textAt } from "../../lib/json-at.ts";
import { countOf } from "../dialect/token-counts.ts";
import { DISCOVERY_TIMEOUT_MS, type DiscoveredModel, MOST_DISCOVERED } from "../local/discovered-model.ts";
import type { Transport } from "../transport/transport.ts";
import { callJson } from "../upstream/call-upstream.ts";
import { ollamaDialect } from "./ollama-dialect.ts";

const AT_ONCE = 4;

/** Named after the architecture: `llama.context_length`. Parts of a model, such as its eyes, may have one of their own. */
const contextWindowOf = (shown: unknown): number | undefined => {
  const info = recordAt(shown, "model_info");
  const own = countOf(info[`${textAt(info["general.architecture"])}.context_length`]);
  return own ?? countOf(Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1]);
};

/** Versions before 0.6.4 do not name them, but show what they are derived from. Empty if nothing is shown. */
const capabilitiesOf = (shown: unknown): string[] => {
  const named = listAt(shown, "capabilities")
    .map((each) => textAt(each))
    .filter(Boolean);
  const template = textAt(shown, "template");
  if (named.length > 0 || template === "") return named;
  const info = recordAt(shown, "model_info");
  return [
    Object.keys(info).some((key) => key.endsWith(".pooling_type")) ? "embedding" : "completion",
    ...(template.includes(".Tools") ? ["tools"] : []),
    ...(Object.keys(recordAt(shown, "projector_info")).length > 0 ? ["vision"] : []),
  ];
};

const describe = (id: string, shown: unknown): DiscoveredModel => {
  const contextWindow = contextWindowOf(shown);
  const capabilities = capabilitiesOf(shown);
  return { id, capabilities, ...(contextWindow !== undefined && { contextWindow }) };
};

/** Throws UpstreamError if no Ollama answers. A model whose details cannot be read is listed without them. */
export const discoverOllama = async (transport: Transport, baseUrl: string, signal: AbortSignal): Promise<DiscoveredModel[]> => {
  const base = ollamaDialect.baseUrl(baseUrl);
  const request = {
    provider: "Ollama",
    headers: { "content-type": "application/json" },
    transport,
    timeouts: DEFAULTS.timeouts,
    context: { signal, remainingMs: DISCOVERY_TIMEOUT_MS },
  };
  const tags = await callJson({ ...request, url: `${base}/api/tags` });
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
