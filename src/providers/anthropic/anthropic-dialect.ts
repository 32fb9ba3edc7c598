/** The Anthropic dialect: Messages. */

import type { WireDialect } from "../dialect/wire-dialect.ts";
import { parseModelList } from "../openai/openai-dialect.ts";
import { createAnthropicReader } from "./answer-reader.ts";
import { buildAnthropicRequest, takeHeaders } from "./build-request.ts";
import { dropAnthropicParameter } from "./drop-parameter.ts";
import { mapAnthropicError } from "./map-error.ts";

/** Gap: newer versions exist, but every server of this dialect supports this one. A provider's own `headers` can override it. */
const VERSION = "2023-06-01";

export const anthropicDialect: WireDialect = {
  framing: "sse",
  toolNames: /^[A-Za-z0-9_-]{1,128}$/,
  baseUrl: (configured) => configured.replace(/\/v1$/, ""),
  headers: (key) => ({ "anthropic-version": VERSION, ...(key && { "x-api-key": key }) }),
  chatPath: () => "/v1/messages",
  buildRequest: buildAnthropicRequest,
  takeHeaders,
  createReader: createAnthropicReader,
  mapError: mapAnthropicError,
  dropParameter: dropAnthropicParameter,
  listPath: "/v1/models?limit=1000",
  parseList: parseModelList,
};
