/** Which of a request's sampling parameters the model that answered does not take, for `svc.ignored_parameters`: nothing is dropped in silence. */

import type { ChatModel } from "../catalog/model.ts";
import type { ChatRequest } from "../providers/provider.ts";

/** Names on the wire, with the value that asks for nothing. */
const SAMPLING = [
  ["temperature", "temperature", 1],
  ["topP", "top_p", 1],
  ["presencePenalty", "presence_penalty", 0],
  ["frequencyPenalty", "frequency_penalty", 0],
] as const;

const setByCaller = (request: ChatRequest): string[] =>
  SAMPLING.flatMap(([name, wireName, usual]) => ((request[name] ?? usual) === usual ? [] : [wireName]));

/** Whether it asks for other sampling than the usual. */
export const setsSampling = (request: ChatRequest): boolean => setByCaller(request).length > 0;

export const ignoredParameters = (request: ChatRequest, { quirks = {} }: ChatModel): string[] => {
  if (quirks.noSampling) return setByCaller(request);
  const areBoth = request.temperature !== undefined && request.topP !== undefined;
  return quirks.singleSampling && areBoth ? ["top_p"] : [];
};
