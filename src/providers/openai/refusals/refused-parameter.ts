/** Which part of a request an OpenAI-style server refused: from `param`, a path, or the message alone. */

import { listAt, recordsAt, textAt, valueAt } from "../../../lib/json-at.ts";
import { type RefusalWords, refusalByWords } from "../../dialect/refusal-by-words.ts";
import type { Refusal } from "../../upstream-error.ts";
import type { Complaint } from "./read-complaint.ts";
import { refusedPart } from "./refused-in-words.ts";

const EFFORT = "reasoning_effort";

/** Fields whose range depends on the vendor. They are left out if a value is refused, because that is better than no answer. */
const MAY_NOT_FIT: readonly string[] = [
  EFFORT,
  ...["temperature", "top_p", "seed", "random_seed", "presence_penalty", "frequency_penalty", "stop"],
];
const UNFIT = MAY_NOT_FIT.join("|");

/** Words around the name of a field that a server does not know. */
const NAMES: readonly RegExp[] = [
  // "Unsupported parameter: 'x'", "Model m does not support parameter x.", "property 'x' is unsupported", …
  /(?:unsupported parameter(?:\(s\))?|not support parameter|argument not supported(?: on this model)?|not supported on this model|unrecognized request arguments? supplied|unknown parameter|unknown field|property|unexpected keyword argument|extra inputs are not permitted(?:, field)?)[: ]{1,3}[`'"]?([A-Za-z_][\w.]{0,60}\w)/i,
  // The first of a list, of LiteLLM's or vLLM's; Bedrock's of one.
  /(?:not support parameters: [[{]['"]?|'type': 'extra_forbidden', 'loc': \('body', ['"]|extraneous key \[)([a-z_]{2,40})['"\],]/,
  // vLLM's of a speaker's name, for one of its models.
  /\bmessages\.\d{1,6}\.[a-z]{1,20}\.(name)\s{1,20}extra inputs are not permitted/i,
  // Claude's of a field of the request itself; what is within one has a path.
  /(?<![.\w])([a-z_]{2,40}): extra inputs are not permitted/i,
];

/** OpenRouter's 404: it knows the model, but no provider of it accepts this value. */
export const NO_ENDPOINT = /no endpoints found that support the provided ['"`]([a-z_]{2,40})['"`] value/i;

/** Words around the name of a field of which a server refuses the value. */
const VALUES: readonly RegExp[] = [
  // vLLM writes its checker's findings as Python does: `{'type': 'literal_error', 'loc': ('body', 'x'), …}`.
  new RegExp(`'loc': \\('body', '(${UNFIT})'\\)`),
  // "invalid temperature: only 1 is allowed for this model", "tool_choice 'required' is incompatible with thinking enabled".
  /\b([a-z_]{2,40})(?:: only .{1,60}? (?:is|are) allowed| ['"`][\w-]{1,40}['"`] is incompatible with | parameter does not support being set |` may only be set to )/,
  NO_ENDPOINT,
  // "m does not support temperature=0.3" (LiteLLM), "Thinking mode does not support this tool_choice" (DeepSeek).
  /(?:does not|don't) support (?:this )?(tool_choice\b|[a-z_]{2,40}(?==))/,
  // "Temperature should be in [0.0, 2.0)", "Range of top_p should be (0.0, 1.0]" (Qwen), "`temperature` must be strictly positive".
  new RegExp(`\\b(${UNFIT})[\`'"]?(?: should be (?:in )?[[(]|: range\\b|:? must be (?:strictly|in [[(]))`, "i"),
];

const namedIn = (message: string, patterns: readonly RegExp[]): string | undefined => {
  for (const pattern of patterns) {
    const [, name] = pattern.exec(message) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
};

const FORMAT = /response[_ ]format|json mode|json_object|json_schema|structured output/i;
/** Servers may know only one of the two (LM Studio schemas, Groq's smaller models JSON without one). */
const refuses = (format: string): RegExp =>
  new RegExp(`(?:unsupported|not support\\w*)\\b.{0,60}?${format}|${format}\\b.{0,60}?(?:unsupported|not support)`, "i");
const FORMATS: readonly RefusalWords[] = [
  [/must be ['"`]?json_schema/i, "response_format.json_object"],
  // Of a message that names both, it is not clear which one it refuses.
  [/json_object.{0,500}?json_schema|json_schema.{0,500}?json_object/is, "response_format"],
  [refuses("json_object"), "response_format.json_object"],
  [refuses("json_schema"), "response_format.json_schema"],
];
/** The problem is this schema or the tools beside it, not formats in general. */
const FORMAT_HERE = /invalid schema|json schema for|schema fields|keyword|properties|combined|tool|stream/i;
/** A model that knows no such format, rather than one that objects to a schema's name, depth or size. */
const FORMAT_UNKNOWN =
  /not (?:be )?(?:support|available|enabled|allow|permit)|only support|input should be|must be|unsupport|unavailable|unknown|unexpected|unrecogni|extra/i;
const NOT_TAKEN = /not support|unsupported/i;
const OTHER_VALUES = /supported values|must be one of/i;

const fieldOf = (entry: unknown): string => textAt(listAt(entry, "loc").find((step) => step !== "body"));

/** Mistral's path to the name of a speaker. */
const isSpeaker = (entry: unknown): boolean => fieldOf(entry) === "messages" && listAt(entry, "loc").at(-1) === "name";

/** Mistral names fields by a path: `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"…"}]}`. */
const byPath = (body: unknown): Refusal | undefined => {
  const entries = recordsAt(valueAt(body, "detail") ?? valueAt(body, "message", "detail"));
  const extra = entries.find(({ type }) => type === "extra_forbidden");
  const unknown = isSpeaker(extra) ? "name" : fieldOf(extra);
  if (unknown) return { param: unknown };
  const unfit = entries.map(fieldOf).find((field) => MAY_NOT_FIT.includes(field));
  return unfit === undefined ? undefined : { param: unfit, once: true };
};

const isOfFormats = ({ code, message }: Complaint): boolean =>
  !FORMAT_HERE.test(message) && (code.startsWith("unsupported_") || FORMAT_UNKNOWN.test(message));

/** Cerebras calls a field of the request `body.x`, xAI `xY`. */
const fieldNamed = (name: string): string =>
  name.replace(/^body\./, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An unknown value says nothing about other values; each model knows some of the efforts. */
const byName = ({ code, param, message }: Complaint): Refusal | undefined => {
  const unknown = namedIn(message, NAMES);
  if (param === undefined) {
    if (unknown) return { param: fieldNamed(unknown) };
    const unfit = namedIn(message, VALUES);
    return unfit === undefined ? undefined : { param: unfit.toLowerCase(), once: true };
  }
  const isNotTaken = NOT_TAKEN.test(message);
  const isOtherValue = OTHER_VALUES.test(message);
  if (param === EFFORT && code !== "unsupported_parameter" && (isNotTaken || isOtherValue)) return { param, once: true };
  if (code.startsWith("unsupported_") || unknown) return { param };
  if (!/^[a-z_]+$/.test(param)) return undefined;
  if (isOtherValue) return { param, once: true };
  if (isNotTaken) return { param };
  return MAY_NOT_FIT.includes(param) ? { param, once: true } : undefined;
};

/** Of messages only a role can be renamed; no message and no tool can be left out, or an agent would get plain text. */
const isDroppable = (param: string): boolean =>
  param !== "model" && !/^tools\b/.test(param) && (!param.startsWith("messages") || param.endsWith("role"));

export const refusedParameter = (given: Complaint, body: unknown): Refusal | undefined => {
  const message = given.message.slice(0, 500);
  const complaint = { ...given, message };
  if (complaint.param?.startsWith("response_format") || FORMAT.test(message))
    return { param: "response_format", ...refusalByWords(FORMATS, message), once: !isOfFormats(complaint) && "schemas" };
  const part = refusedPart(given.message);
  if (part) return part;
  const refused = byPath(body) ?? byName(complaint);
  return refused && isDroppable(refused.param) ? refused : undefined;
};
