/**
 * Lists the models of a local OpenAI-compatible server (llama.cpp, LM Studio, vLLM, LocalAI, …). OpenAI's list does not say what a model can
 * do, so LM Studio and llama.cpp are asked in their own way, too.
 */

import { DEFAULTS } from "../../config/defaults.ts";
import { recordAt, recordsAt, textAt, valueAt } from "../../lib/json-at.ts";
import { countOf, firstCount } from "../dialect/token-counts.ts";
import { DISCOVERY_TIMEOUT_MS, type DiscoveredModel, MOST_DISCOVERED } from "../local/discovered-model.ts";
import type { Transport } from "../transport/transport.ts";
import { callJson } from "../upstream/call-upstream.ts";

type Json = Record<string, unknown>;

/** Both llama.cpp and LM Studio may run a model with a smaller window than it has. */
const contextWindowOf = (entry: Json, props: unknown): number | undefined =>
  countOf(valueAt(props, "default_generation_settings", "n_ctx")) ||
  (firstCount(entry, "loaded_context_length", "max_model_len", "max_context_length", "context_length", "context_window") ??
    firstCount(recordAt(entry, "meta"), "n_ctx", "n_ctx_train"));

/** vLLM lists the adapters of a model without its size. */
const sizesOf = (entry: Json, list: readonly Json[]): Json => list.find(({ id }) => id === entry["parent"]) ?? entry;

/** By LM Studio's type of the model; for models that know no tools it has a format of its own. */
const BY_TYPE: ReadonlyMap<string, readonly string[]> = new Map([
  ["llm", ["completion", "tools"]],
  ["vlm", ["completion", "tools", "vision"]],
  ["embeddings", ["embedding"]],
]);

/** By llama.cpp's properties of the model that it runs. */
const inProps = (props: unknown): string[] => [
  ...["vision", "audio"].filter((name) => valueAt(props, "modalities", name) === true),
  ...(valueAt(props, "chat_template_caps", "supports_tools") === true ? ["tools"] : []),
];

const describe = (entry: Json, list: readonly Json[], props: unknown): DiscoveredModel => {
  const contextWindow = contextWindowOf(entry, props) ?? contextWindowOf(sizesOf(entry, list), props);
  const more = inProps(props);
  const capabilities = BY_TYPE.get(textAt(entry, "type")) ?? (more.length > 0 ? ["completion", ...more] : []);
  return { id: textAt(entry, "id"), capabilities: [...capabilities], ...(contextWindow !== undefined && { contextWindow }) };
};

/** `id`: of the server. `baseUrl` ends in `/v1`. Throws UpstreamError if no such server answers. */
export const discoverOpenAiServer = async (
  transport: Transport,
  { id, baseUrl }: { id: string; baseUrl: string },
  signal: AbortSignal,
): Promise<DiscoveredModel[]> => {
  const root = baseUrl.replace(/\/v1$/, "");
  const get = (url: string): Promise<unknown> =>
    callJson({
      provider: "The local server",
      url,
      headers: {},
      transport,
      timeouts: DEFAULTS.timeouts,
      context: { signal, remainingMs: DISCOVERY_TIMEOUT_MS },
    });
  const ask = (url: string): Promise<unknown> => get(url).catch(() => undefined);
  const own = id === "lmstudio" ? entriesOf(await ask(`${root}/api/v0/models`)) : [];
  // Its own list has also models that it would not load for a request.
  const list = entriesOf(await get(`${baseUrl}/models`)).map((entry) => ({
    ...entry,
    ...own.find((each) => each["id"] === entry["id"]),
  }));
  // Of several models, `/props` says nothing.
  const props = id === "llamacpp" && list.length === 1 ? await ask(`${root}/props`) : undefined;
  return list.map((entry) => describe(entry, list, props)).filter((model) => model.id !== "");
};

const entriesOf = (body: unknown): Json[] =>
  recordsAt(Array.isArray(body) ? body : valueAt(body, "data")).slice(0, MOST_DISCOVERED);
