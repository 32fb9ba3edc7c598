/** The dialect of OpenAI Responses, at the same address as chat completions: some models accept tools only here. */

import type { WireDialect } from "../dialect/wire-dialect.ts";
import { openAiDialect } from "../openai/openai-dialect.ts";
import { buildResponsesRequest } from "./build-request.ts";
import { createResponsesDecoder } from "./decode-stream.ts";
import { dropResponsesParameter } from "./drop-parameter.ts";
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
