/** The dialect of OpenAI Responses, at the same address as chat completions: some models accept tools only here. */

import type { WireDialect } from "../dialect/wire-dialect.ts";
import { openAiDialect } from "../openai/openai-dialect.ts";
import { createResponsesReader } from "./answer-reader.ts";
import { buildResponsesRequest } from "./build-request.ts";
import { dropResponsesParameter } from "./drop-parameter.ts";
import { mapResponsesError } from "./map-error.ts";

export const responsesDialect: WireDialect = {
  ...openAiDialect,
  chatPath: () => "/responses",
  buildRequest: buildResponsesRequest,
  createReader: createResponsesReader,
  mapError: mapResponsesError,
  dropParameter: dropResponsesParameter,
};
