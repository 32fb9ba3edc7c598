/** OpenAI's Responses API in small: answers whole and streamed, event by event, and refuses what the real one refuses. */

import type { Answer } from "./upstream-stub.ts";
import { sse } from "./upstream-stub.ts";

type Json = Record<string, any>;

export const said = (text: string, phase = "final_answer"): Json => ({
  type: "message",
  role: "assistant",
  status: "completed",
  phase,
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});
export const refused = (refusal: string): Json => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "refusal", refusal }],
});
export const called = (callId: string, name: string, args: unknown): Json => ({
  type: "function_call",
  status: "completed",
  call_id: callId,
  name,
  arguments: typeof args === "string" ? args : JSON.stringify(args),
});
export const thought = (seal: string, ...summaries: string[]): Json => ({
  type: "reasoning",
  summary: summaries.map((text) => ({ type: "summary_text", text })),
  encrypted_content: seal,
});

/** 100 of 1,000 prompt tokens written to the cache, 400 read; 30 of 50 tokens were thinking. */
const USAGE = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 400, cache_write_tokens: 100 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 30 },
  total_tokens: 1_050,
};

const PREFIX: Json = { message: "msg", function_call: "fc", reasoning: "rs" };

/** A whole response. */
export const responseOf = (output: Json[], rest: Json = {}): Json => ({
  id: "resp_1",
  object: "response",
  created_at: 1_795_000_000,
  status: "completed",
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: "gpt-6-astra",
  output: output.map((item, place) => ({ id: `${PREFIX[item["type"]]}_${place}`, ...item })),
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: "medium", summary: null },
  service_tier: "default",
  store: false,
  temperature: 1,
  text: { format: { type: "text" }, verbosity: "medium" },
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  usage: USAGE,
  ...rest,
});

const piecesOf = (text: string): string[] => text.match(/[\s\S]{1,4}/g) ?? [];

const eventsOfPart = (part: Json, at: Json): Json[] => {
  const [kind, field] = part["type"] === "refusal" ? ["refusal", "refusal"] : ["output_text", "text"];
  const deltas = piecesOf(part[field]).map((delta) => ({ type: `response.${kind}.delta`, ...at, delta, obfuscation: "x1y2" }));
  return [
    { type: "response.content_part.added", ...at, part: { ...part, [field]: "" } },
    ...deltas,
    { type: `response.${kind}.done`, ...at, [field]: part[field] },
    { type: "response.content_part.done", ...at, part },
  ];
};

const eventsOfSummary = (part: Json, at: Json): Json[] => [
  { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
  ...piecesOf(part["text"]).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
  { type: "response.reasoning_summary_text.done", ...at, text: part["text"] },
  { type: "response.reasoning_summary_part.done", ...at, part },
];

const eventsOfItem = (item: Json, place: number): Json[] => {
  const at = { item_id: item["id"], output_index: place };
  const begun: Json = { ...item, ...(item["type"] !== "reasoning" && { status: "in_progress" }) };
  let inside: Json[] = [];
  if (item["type"] === "message") {
    begun["content"] = [];
    inside = item["content"].flatMap((part: Json, index: number) => eventsOfPart(part, { ...at, content_index: index }));
  } else if (item["type"] === "function_call") {
    begun["arguments"] = "";
    const deltas = piecesOf(item["arguments"]).map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta }));
    inside = [...deltas, { type: "response.function_call_arguments.done", ...at, arguments: item["arguments"] }];
  } else if (item["type"] === "reasoning") {
    Object.assign(begun, { summary: [], encrypted_content: "unfinished" });
    inside = item["summary"].flatMap((part: Json, index: number) => eventsOfSummary(part, { ...at, summary_index: index }));
  }
  return [
    { type: "response.output_item.added", output_index: place, item: begun },
    ...inside,
    { type: "response.output_item.done", output_index: place, item },
  ];
};

/** The stream in which it would have come; `last` takes the place of its end. */
export const framesOf = (response: Json, last?: Json): Json[] => {
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...response["output"].flatMap(eventsOfItem),
    last ?? { type: `response.${response["status"]}`, response },
  ];
  return events.map((event, index) => ({ ...event, sequence_number: index }));
};

const refusal = (message: string, param: string | null, code: string | null): Response =>
  Response.json({ error: { message, type: "invalid_request_error", param, code } }, { status: 400 });

const FIELDS = [
  ..."model input store max_output_tokens temperature top_p reasoning tools tool_choice parallel_tool_calls".split(" "),
  ..."include text user stream".split(" "),
];
const ITEMS = ["message", "function_call", "function_call_output", "reasoning"];

/** What OpenAI says of a request that it does not take; `seals` are those it has given out. */
export const refusalOfRequest = (body: Json, seals: readonly string[] = []): Response | undefined => {
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return refusal(`Unknown parameter: '${unknown}'.`, unknown, "unknown_parameter");
  const most = body["max_output_tokens"] ?? 16;
  if (most < 16)
    return refusal(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${most} instead.`,
      "max_output_tokens",
      "integer_below_min_value",
    );
  const input: Json[] = body["input"];
  const called = input.filter(({ type }) => type === "function_call").map(({ call_id }) => call_id);
  const answered = input.filter(({ type }) => type === "function_call_output").map(({ call_id }) => call_id);
  // OpenAI's own server takes a message without its type, Azure's Foundry does not.
  for (const [place, { type = "", id, encrypted_content: seal }] of input.entries()) {
    if (!ITEMS.includes(type)) return refusal(`Invalid value: '${type}'.`, `input[${place}]`, "invalid_value");
    if (id !== undefined) return refusal(`Item with id '${id}' not found.`, "input", null);
    if (type === "reasoning" && !seals.includes(seal))
      return refusal(
        `The encrypted content ${String(seal).slice(0, 4)}... could not be verified. Reason: Encrypted content could not be decrypted.`,
        null,
        "invalid_encrypted_content",
      );
  }
  const lonely = called.find((call) => !answered.includes(call));
  if (lonely !== undefined) return refusal(`No tool output found for function call ${lonely}.`, "input", null);
  const unasked = answered.find((call) => !called.includes(call));
  if (unasked !== undefined)
    return refusal(`No tool call found for function call output with call_id ${unasked}.`, "input", null);
  if (body["text"]?.format?.type === "json_object" && !JSON.stringify(input).toLowerCase().includes("json"))
    return refusal("Response input messages must contain the word 'json' in some form.", "input", null);
  return undefined;
};

/** Answers what `reply` makes of a request that the API takes: a response, whole or streamed as was asked. */
export const responsesApi =
  (reply: (body: any) => Json, seals: readonly string[] = []): Answer =>
  (request) => {
    const { body } = request;
    if (request.path.endsWith("/responses") === false)
      return refusal(`Function tools with reasoning_effort are not supported at ${request.path}.`, "reasoning_effort", null);
    const refused = refusalOfRequest(body, seals);
    if (refused) return refused;
    const response = reply(body);
    return body.stream ? sse(framesOf(response), { eventNames: true, done: false })(request) : Response.json(response);
  };
