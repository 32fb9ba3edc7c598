/** The parameters that make no difference to the answering model, for `svc.ignored_parameters`. */

import { type ChatModel, type Dialect, quirksOf } from "../catalog/model.ts";
import type { ChatRequest } from "../providers/provider.ts";
import { WIRE_DIALECTS } from "../providers/wire-dialects.ts";

/** Names on the wire, with the value that changes nothing. */
const SAMPLING = [
  ["temperature", "temperature", 1],
  ["topP", "top_p", 1],
  ["topK", "top_k", 0],
  ["presencePenalty", "presence_penalty", 0],
  ["frequencyPenalty", "frequency_penalty", 0],
] as const;
const PARAMETERS = [...SAMPLING, ["seed", "seed", undefined], ["verbosity", "verbosity", "medium"]] as const;

type Parameter = (typeof PARAMETERS)[number];

const isSet = (request: ChatRequest, [name, , usual]: Parameter): boolean => (request[name] ?? usual) !== usual;

/** Whether the request changes the usual sampling. */
export const setsSampling = (request: ChatRequest): boolean => SAMPLING.some((each) => isSet(request, each));

/** A parameter is ignored if the provider is sent the same without it. `spoken`: the format in which the model is asked. */
export const ignoredParameters = (request: ChatRequest, model: ChatModel, spoken: Dialect | null): string[] => {
  const set = PARAMETERS.filter((each) => isSet(request, each));
  if (set.length === 0 || spoken === null || spoken === "sandbox" || spoken === "local") return [];
  const options = { stream: false, quirks: quirksOf(model) ?? {} };
  const sent = (asked: ChatRequest) => WIRE_DIALECTS[spoken].buildRequest(model.upstreamModel, asked, options);
  const asked = withoutContents(request);
  const whole = sent(asked);
  return set.flatMap(([name, wireName]) => {
    const { [name]: _, ...others } = asked;
    return Bun.deepEquals(sent(others), whole) ? [wireName] : [];
  });
};

/** The same request without what may be long: no parameter depends on it. */
const withoutContents = (request: ChatRequest): ChatRequest => ({
  ...request,
  messages: [{ role: "user", content: "" }],
  ...(request.tools?.length && { tools: [{ name: "tool" }] }),
  ...(request.outputFormat?.type === "schema" && { outputFormat: { ...request.outputFormat, schema: { type: "object" } } }),
});
