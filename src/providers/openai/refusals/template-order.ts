/**
 * The order of messages, and the ids of calls, for models whose chat template refuses others. Qwen's (behind vLLM or llama.cpp) and MiniMax
 * accept one system message, before all other messages; those of Gemma and older Mistral models accept none, and demand that user and
 * assistant alternate, as Perplexity and DeepSeek R1 do. Claude, and llama.cpp's models that think, do not continue an answer; Mistral's
 * want one of their own between results and the user.
 */

import { recordsAt, textAt } from "../../../lib/json-at.ts";
import { nineCharacterId } from "../../dialect/tool-call-ids.ts";
import type { WireBody } from "../../dialect/wire-dialect.ts";
import type { Refusal } from "../../upstream-error.ts";

/** The names under which these refusals are learned: of the order of messages, of system messages, of an answer as the last message. */
export const ORDER = "messages.order";
export const SYSTEM_ROLE = "messages.system";
export const ANSWER_LAST = "messages.last";
/** And of a user's message after results, of an answer without content or calls, of the ids of calls. */
export const USER_AFTER_RESULTS = "messages.after_results";
export const EMPTY_ANSWER = "messages.empty";
export const CALL_IDS = "messages.call_ids";

const WANTS_ORDER =
  /system message must be at the beginning|\(?optional\)? system message|successive user or assistant|unexpected role ['"`]?system|invalid chat setting \(2013\)/i;
const WANTS_NO_SYSTEM = /roles must alternate|system role (?:is )?not supported|only user and assistant roles/i;
const WANTS_USER_LAST =
  /assistant (?:message|response) prefill|must end with a user message|expected last role user|last message must have role ['"`]?user/i;
const WANTS_ANSWER_BETWEEN = /unexpected role ['"`]?user['"`]? after role ['"`]?tool/i;

/** Mistral's models behind servers that check messages as Mistral does. */
const WANTS_CONTENT = /must have either content or tool_calls, but not none|invalid assistant message/i;

/** Mistral's again. */
const WANTS_NINE = /tool call ids?\b.{1,200}\blength (?:of )?9\b/i;

/** llama.cpp quotes the template around the message, and answers with status 500. */
export const refusedOrder = (message: string): Refusal | undefined => {
  const text = message.slice(0, 2_000);
  if (WANTS_ORDER.test(text)) return { param: ORDER };
  if (WANTS_NO_SYSTEM.test(text)) return { param: SYSTEM_ROLE };
  if (WANTS_USER_LAST.test(text)) return { param: ANSWER_LAST };
  if (WANTS_CONTENT.test(text)) return { param: EMPTY_ANSWER };
  if (WANTS_ANSWER_BETWEEN.test(text)) return { param: USER_AFTER_RESULTS };
  return WANTS_NINE.test(text) ? { param: CALL_IDS } : undefined;
};

const isSystem = ({ role }: WireBody): boolean => role === "system" || role === "developer";

const partsOf = (content: unknown): unknown[] =>
  Array.isArray(content) ? content : content ? [{ type: "text", text: content }] : [];

/** Nothing may follow a tool call within its message, because the call's result comes next. */
const mayJoin = (last: WireBody | undefined, { role }: WireBody): boolean =>
  last?.["role"] === role && role !== "tool" && !last?.["tool_calls"];

const joined = (messages: readonly WireBody[]): WireBody => {
  const [first, ...others] = messages;
  if (others.length === 0) return first!;
  const contents = messages.map(({ content }) => content).filter(Boolean);
  const content = contents.some(Array.isArray) ? contents.flatMap(partsOf) : contents.join("\n\n");
  return { ...first, ...others.at(-1), content };
};

/** Moves system messages to the front, and joins neighbouring messages of the same role. */
export const inTemplateOrder = (messages: readonly WireBody[]): WireBody[] => {
  const turns: WireBody[][] = [];
  for (const message of [...messages.filter(isSystem), ...messages.filter((other) => !isSystem(other))]) {
    const turn = turns.at(-1);
    if (turn && mayJoin(turn.at(-1), message)) turn.push(message);
    else turns.push([message]);
  }
  return turns.map(joined);
};

/** Moves the text of system messages to the beginning of the user's first message. */
export const withoutSystem = (messages: readonly WireBody[]): WireBody[] =>
  inTemplateOrder(inTemplateOrder(messages).map((message) => (isSystem(message) ? { ...message, role: "user" } : message)));

export const withUserLast = (messages: WireBody[]): WireBody[] =>
  messages.at(-1)?.["role"] === "assistant" ? [...messages, { role: "user", content: "Continue." }] : messages;

export const withAnswersBetween = (messages: WireBody[]): WireBody[] =>
  messages.flatMap((message, place) =>
    message["role"] === "user" && messages[place - 1]?.["role"] === "tool"
      ? [{ role: "assistant", content: "OK." }, message]
      : [message],
  );

export const withoutEmptyAnswers = (messages: WireBody[]): WireBody[] =>
  messages.filter(({ role, content, tool_calls: calls }) => role !== "assistant" || content || calls);

const shortened = (holder: WireBody, field: string): WireBody => ({ ...holder, [field]: nineCharacterId(textAt(holder, field)) });

export const withShortIds = (messages: WireBody[]): WireBody[] =>
  messages.map((message) => {
    if (message["role"] === "tool") return shortened(message, "tool_call_id");
    if (!message["tool_calls"]) return message;
    return { ...message, tool_calls: recordsAt(message, "tool_calls").map((call) => shortened(call, "id")) };
  });
