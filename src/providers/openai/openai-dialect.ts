/** The OpenAI dialect: OpenAI, Groq, Mistral, DeepSeek, xAI, OpenRouter, Together and every compatible server. */

import { listAt, textAt } from "../../lib/json-at.ts";
import type { WireDialect } from "../dialect/wire-dialect.ts";
import { createOpenAiReader } from "./answer-reader.ts";
import { buildOpenAiRequest } from "./build-request.ts";
import { dropOpenAiParameter } from "./drop-parameter.ts";
import { buildOpenAiEmbedding, parseOpenAiEmbedding } from "./embed.ts";
import { mapOpenAiError } from "./map-error.ts";

/** `{data: [{id}]}`; some servers answer with the bare list. */
export const parseModelList = (body: unknown): { id: string; shutdownDate?: string }[] => {
  const list = Array.isArray(body) ? body : listAt(body, "data");
  return list.flatMap((entry) => {
    const id = textAt(entry, "id");
    const shutdownDate = textAt(entry, "shutdown_date");
    return id === "" ? [] : [{ id, ...(shutdownDate && { shutdownDate }) }];
  });
};

export const openAiDialect: WireDialect = {
  framing: "sse",
  toolNames: /^[A-Za-z0-9_-]{1,64}$/,
  baseUrl: (configured) => configured,
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  chatPath: () => "/chat/completions",
  buildRequest: buildOpenAiRequest,
  createReader: createOpenAiReader,
  mapError: mapOpenAiError,
  dropParameter: dropOpenAiParameter,
  embed: { batchSize: 512, takesTokens: true, build: buildOpenAiEmbedding, parse: parseOpenAiEmbedding },
  listPath: "/models",
  parseList: parseModelList,
};
