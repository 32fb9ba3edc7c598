/** The Ollama dialect: its native API. */

import { recordsAt, textAt } from "../../lib/json-at.ts";
import type { WireDialect } from "../dialect/wire-dialect.ts";
import { createOllamaReader } from "./answer-reader.ts";
import { buildOllamaRequest } from "./build-request.ts";
import { dropOllamaParameter } from "./drop-parameter.ts";
import { buildOllamaEmbedding, parseOllamaEmbedding } from "./embed.ts";
import { keepContext } from "./keep-context.ts";
import { mapOllamaError } from "./map-error.ts";

export const ollamaDialect: WireDialect = {
  takesBytesOnly: true,
  framing: "ndjson",
  baseUrl: (configured) => configured.replace(/\/(?:v1|api)$/, ""),
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  chatPath: () => "/api/chat",
  buildRequest: buildOllamaRequest,
  keepContext,
  createReader: createOllamaReader,
  mapError: mapOllamaError,
  dropParameter: dropOllamaParameter,
  embed: { batchSize: 64, build: buildOllamaEmbedding, parse: parseOllamaEmbedding },
  listPath: "/api/tags",
  parseList: (body) => {
    const models = recordsAt(body, "models");
    return models.map((model) => ({ id: textAt(model, "model") || textAt(model, "name") })).filter(({ id }) => id !== "");
  },
};
