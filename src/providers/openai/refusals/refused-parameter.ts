/** Which part of a request an OpenAI-style server refused: from `param`, a path, or the message alone. */

import { listAt, recordsAt, textAt, valueAt } from "../../../lib/json-at.ts";
import type { Refusal } from "../../upstream-error.ts";
import { refusedPart } from "./refused-in-words.ts";

/** The contents of an error, wherever the vendor put them. */
export type Complaint = { message: string; code: string; param: string | undefined };

const EFFORT = "reasoning_effort";

/** Ollama's words for a model that does not think at all. */
const NO_THINKING = /does not support thinking$/i;

/** Cerebras calls a field of the request `body.x`. */
const nameIn = (path: string): string => path.replace(/^body\./, "");

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** "Unsupported parameter: 'x'", "Model m does not support parameter x.", "property 'x' is unsupported", … */
const NAMED_PARAMETER =
  /(?:unsupported parameter(?:\(s\))?|not support parameter|argument not supported(?: on this model)?|not supported on this model|unrecognized request arguments? supplied|unknown parameter|unknown field|property|unexpected keyword argument|extra inputs are not permitted(?:, field)?)[: ]{1,3}[`'"]?([A-Za-z_][\w.]{0,60}\w)/i;

/** "invalid temperature: only 1 is allowed for this model", "tool_choice 'required' is incompatible with thinking enabled". */
const NAMED_VALUE =
  /\b([a-z_]{2,40})(?:: only .{1,60}? (?:is|are) allowed| ['"`][\w-]{1,40}['"`] is incompatible with | parameter does not support being set |` may only be set to )/;

/** "m does not support temperature=0.3" (LiteLLM), "Thinking mode does not support this tool_choice" (DeepSeek). */
const VALUE_AFTER = /(?:does not|don't) support (?:this )?(tool_choice\b|[a-z_]{2,40}(?==))/;

/** OpenRouter's 404: it knows the model, but no provider of it accepts this value. */
export const NO_ENDPOINT = /no endpoints found that support the provided ['"`]([a-z_]{2,40})['"`] value/i;

/** vLLM writes its checker's findings as Python does: `{'type': 'literal_error', 'loc': ('body', 'x'), …}`. */
const PYTHON_PATH = /'loc': \('body', '([a-z_]{2,40})'\)/;

/** The first of a list, of LiteLLM's or vLLM's; Bedrock's of one. */
const LISTED =
  /(?:not support parameters: [[{]['"]?|'type': 'extra_forbidden', 'loc': \('body', ['"]|extraneous key \[)([a-z_]{2,40})['"\],]/;

const FORMAT = ["response_format", "response format", "json mode", "json_object", "json_schema", "structured output"];
/** Servers may know only one of the two (LM Studio schemas, Groq's smaller models JSON without one). */
const refuses = (format: string): RegExp =>
  new RegExp(`(?:unsupported|not support\\w*)\\b.{0,60}?${format}|${format}\\b.{0,60}?(?:unsupported|not support)`, "i");
const [JSON_REFUSED, SCHEMA_REFUSED] = [refuses("json_object"), refuses("json_schema")];
/** The problem is this schema or the tools beside it, not formats in general. */
const FORMAT_HERE = ["invalid schema", "json schema for", "schema fields", "keyword", "properties", "combined", "tool", "stream"];
/** A model that knows no such format, rather than one that objects to a schema's name, depth or size. */
const FORMAT_UNKNOWN =
  /not (?:be )?(?:support|available|enabled|allow|permit)|only support|input should be|must be|unsupport|unavailable|unknown|unexpected|unrecogni|extra/i;
const NOT_TAKEN = ["not support", "unsupported"];
const OTHER_VALUES = ["supported values", "must be one of"];

const says = ({ message }: Complaint, words: readonly string[]): boolean => {
  const text = message.slice(0, 500).toLowerCase();
  return words.some((word) => text.includes(word));
};

/** Fields whose range depends on the vendor. They are left out if a value is refused, because that is better than no answer. */
const MAY_NOT_FIT: readonly string[] = [
  EFFORT,
  "temperature",
  "top_p",
  "seed",
  "random_seed",
  "presence_penalty",
  "frequency_penalty",
  "stop",
];

/** "Temperature should be in [0.0, 2.0)", "Range of top_p should be (0.0, 1.0]" (Qwen), "`temperature` must be strictly positive". */
const OUT_OF_RANGE = new RegExp(
  `\\b(${MAY_NOT_FIT.join("|")})[\`'"]?(?: should be (?:in )?[[(]|: range\\b|:? must be (?:strictly|in [[(]))`,
  "i",
);

const fieldOf = (entry: unknown): string => textAt(listAt(entry, "loc").find((step) => step !== "body"));

/** The name of a speaker: Mistral's path, and vLLM's words for one of its models. */
const isSpeaker = (entry: unknown): boolean => fieldOf(entry) === "messages" && listAt(entry, "loc").at(-1) === "name";
const SPEAKER = /\bmessages\.\d{1,6}\.[a-z]{1,20}\.(name)\s{1,20}extra inputs are not permitted/i;

/** Claude's words of a field of the request itself; what is within one has a path. */
const EXTRA = /(?<![.\w])([a-z_]{2,40}): extra inputs are not permitted/i;

/** Mistral names fields by a path: `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"…"}]}`. */
const byPath = (body: unknown): Refusal | undefined => {
  const entries = recordsAt(valueAt(body, "detail") ?? valueAt(body, "message", "detail"));
  const extra = entries.find(({ type }) => type === "extra_forbidden");
  const unknown = isSpeaker(extra) ? "name" : fieldOf(extra);
  if (unknown) return { param: unknown };
  const unfit = entries.map(fieldOf).find((field) => MAY_NOT_FIT.includes(field));
  return unfit === undefined ? undefined : { param: unfit, once: true };
};

const isOfFormats = (complaint: Complaint): boolean =>
  !says(complaint, FORMAT_HERE) &&
  (complaint.code.startsWith("unsupported_") || FORMAT_UNKNOWN.test(complaint.message.slice(0, 500)));

/** Of a message that names both formats, it is not clear which one it refuses. */
const formatIn = (message: string): string => {
  const text = message.slice(0, 500);
  if (/must be ['"`]?json_schema/i.test(text)) return "response_format.json_object";
  if (/json_object/i.test(text) && /json_schema/i.test(text)) return "response_format";
  return JSON_REFUSED.test(text)
    ? "response_format.json_object"
    : SCHEMA_REFUSED.test(text)
      ? "response_format.json_schema"
      : "response_format";
};

/** An unknown value says nothing about other values; each model knows some of the efforts. */
const byName = (complaint: Complaint): Refusal | undefined => {
  const { code, param } = complaint;
  const message = complaint.message.slice(0, 500);
  const named = (NAMED_PARAMETER.exec(message) ?? LISTED.exec(message) ?? SPEAKER.exec(message) ?? EXTRA.exec(message))?.[1];
  if (param === undefined) {
    if (named) return { param: snake(nameIn(named)) };
    if (NO_THINKING.test(message)) return { param: EFFORT };
    const found = PYTHON_PATH.exec(message)?.[1] ?? "";
    if (MAY_NOT_FIT.includes(found)) return { param: found, once: true };
    const [, unfit] =
      NAMED_VALUE.exec(message) ?? NO_ENDPOINT.exec(message) ?? VALUE_AFTER.exec(message) ?? OUT_OF_RANGE.exec(message) ?? [];
    return unfit ? { param: unfit.toLowerCase(), once: true } : undefined;
  }
  if (param === EFFORT && code !== "unsupported_parameter" && says(complaint, [...NOT_TAKEN, ...OTHER_VALUES]))
    return { param, once: true };
  if (code.startsWith("unsupported_") || named) return { param };
  if (!/^[a-z_]+$/.test(param)) return undefined;
  if (says(complaint, OTHER_VALUES)) return { param, once: true };
  if (says(complaint, NOT_TAKEN)) return { param };
  return MAY_NOT_FIT.includes(param) ? { param, once: true } : undefined;
};

/** Of messages only a role can be renamed; no message and no tool can be left out, or an agent would get plain text. */
const isDroppable = (param: string): boolean =>
  param !== "model" && !/^tools\b/.test(param) && (!param.startsWith("messages") || param.endsWith("role"));

export const refusedParameter = (complaint: Complaint, body: unknown): Refusal | undefined => {
  if (complaint.param?.startsWith("response_format") || says(complaint, FORMAT))
    return { param: formatIn(complaint.message), once: !isOfFormats(complaint) && "schemas" };
  const part = refusedPart(complaint.message);
  if (part) return part;
  const refused = byPath(body) ?? byName(complaint);
  return refused && isDroppable(refused.param) ? refused : undefined;
};
