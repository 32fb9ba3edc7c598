/** The dialect of OpenAI Responses, beside chat completions at the same address: some models take tools here alone. */

import type { WireDialect } from "../dialect/wire-dialect.ts";
import { openAiDialect } from "../openai/openai-dialect.ts";
import { buildResponsesRequest, dropResponsesParameter } from "./build-request.ts";
import { createResponsesDecoder } from "./decode-stream.ts";
import { mapResponsesError } from "./map-error.ts";
import { parseResponsesAnswer } from "./parse-response.ts";

export const responsesDialect: WireDialect = {
  ...openAiDialect,
  chatPath: () => "/responses",
  buildRequest: buildResponsesRequest,
  parseResponse: parseResponsesAnswer,
  createDecoder: createResponsesDecoder,
  mapError: mapResponsesError,
  dropParameter: dropResponsesParameter,
};
