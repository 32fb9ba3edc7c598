/** The Ollama dialect: its native API. */

import { isRecord } from "../../lib/is-record.ts";
import type { WireDialect } from "../dialect/wire-dialect.ts";
import { textOf } from "../upstream/upstream-failure.ts";
import { buildOllamaRequest } from "./build-request.ts";
import { createOllamaDecoder } from "./decode-stream.ts";
import { buildOllamaEmbedding, parseOllamaEmbedding } from "./embed.ts";
import { mapOllamaError } from "./map-error.ts";
import { parseOllamaResponse } from "./parse-response.ts";

export const ollamaDialect: WireDialect = {
  framing: "ndjson",
  baseUrl: (configured) => configured.replace(/\/(?:v1|api)$/, ""),
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  chatPath: () => "/api/chat",
  buildRequest: buildOllamaRequest,
  parseResponse: parseOllamaResponse,
  createDecoder: createOllamaDecoder,
  mapError: mapOllamaError,
  dropParameter: (body, param) => void delete body[param],
  embed: { batchSize: 64, build: buildOllamaEmbedding, parse: parseOllamaEmbedding },
  listPath: "/api/tags",
  parseList: (body) => {
    const models = isRecord(body) && Array.isArray(body["models"]) ? body["models"].filter(isRecord) : [];
    return models.map((model) => ({ id: textOf(model["model"]) || textOf(model["name"]) })).filter(({ id }) => id !== "");
  },
};
