/** The parameters of sampling and verbosity that the answering model does not support, for `svc.ignored_parameters`. */

import { type ChatModel, type Dialect, isOpenAiDialect, type ModelQuirks } from "../catalog/model.ts";
import { takesSampling } from "../providers/dialect/nearest-effort.ts";
import type { ChatRequest } from "../providers/provider.ts";

/** Names on the wire, with the value that changes nothing. */
const SAMPLING = [
  ["temperature", "temperature", 1],
  ["topP", "top_p", 1],
  ["topK", "top_k", 0],
  ["presencePenalty", "presence_penalty", 0],
  ["frequencyPenalty", "frequency_penalty", 0],
] as const;

const setByCaller = (request: ChatRequest): string[] =>
  SAMPLING.flatMap(([name, wireName, usual]) => ((request[name] ?? usual) === usual ? [] : [wireName]));

/** Whether the request changes the usual sampling. */
export const setsSampling = (request: ChatRequest): boolean => setByCaller(request).length > 0;

const WITHOUT_SEED_OR_PENALTIES: readonly (Dialect | null)[] = ["anthropic", "openai-responses"];

/** `spoken`: the format in which the model is asked. */
export const ignoredParameters = (request: ChatRequest, { quirks = {} }: ChatModel, spoken: Dialect | null): string[] => {
  const isVerbositySet = request.verbosity !== undefined && request.verbosity !== "medium" && !quirks.verbosity;
  return [...ignoredSampling(request, quirks, spoken), ...(isVerbositySet ? ["verbosity"] : [])];
};

const ignoredSampling = (request: ChatRequest, quirks: ModelQuirks, spoken: Dialect | null): string[] => {
  const takesMost = !WITHOUT_SEED_OR_PENALTIES.includes(spoken);
  const set = setByCaller(request);
  const seed = request.seed !== undefined && !takesMost ? ["seed"] : [];
  if (quirks.noSampling && !(isOpenAiDialect(spoken) && takesSampling(request, quirks, spoken))) return [...set, ...seed];
  const areBoth = request.temperature !== undefined && request.topP !== undefined;
  const hasPenalties = !quirks.noSampling && takesMost;
  return [
    ...(quirks.singleSampling && areBoth ? ["top_p"] : []),
    ...set.filter((name) => (name === "top_k" ? isOpenAiDialect(spoken) : name.endsWith("penalty") && !hasPenalties)),
    ...seed,
  ];
};
