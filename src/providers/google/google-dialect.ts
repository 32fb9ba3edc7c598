/** The Google dialect: Gemini generateContent. */

import { recordsAt, textAt } from "../../lib/json-at.ts";
import type { WireDialect } from "../dialect/wire-dialect.ts";
import { createGoogleReader } from "./answer-reader.ts";
import { buildGoogleRequest, modelPath } from "./build-request.ts";
import { dropGoogleParameter } from "./drop-parameter.ts";
import { buildGoogleEmbedding, parseGoogleEmbedding, toUnitLength } from "./embed.ts";
import { mapGoogleError } from "./map-error.ts";

export const googleDialect: WireDialect = {
  takesBytesOnly: true,
  framing: "sse",
  toolNames: /^[A-Za-z_][\w.:-]{0,63}$/,
  baseUrl: (configured) => configured.replace(/\/v1(?:beta)?$/, ""),
  /** Never in the query string, where logs would keep it. */
  headers: (key): Record<string, string> => (key ? { "x-goog-api-key": key } : {}),
  chatPath: (model, stream) => `/v1beta/${modelPath(model)}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  buildRequest: buildGoogleRequest,
  createReader: createGoogleReader,
  mapError: mapGoogleError,
  dropParameter: dropGoogleParameter,
  embed: { batchSize: 100, build: buildGoogleEmbedding, parse: parseGoogleEmbedding, fitSized: toUnitLength },
  listPath: "/v1beta/models?pageSize=1000",
  parseList: (body) => {
    const models = recordsAt(body, "models");
    return models.map((model) => ({ id: textAt(model, "name").replace(/^models\//, "") })).filter(({ id }) => id !== "");
  },
};
