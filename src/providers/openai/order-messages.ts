/**
 * The order of messages, and the ids of calls, for models that refuse others: Mistral's, and those whose chat template does once they have
 * said so. Qwen's (behind vLLM or llama.cpp) and MiniMax accept one system message, before all other messages; those of Gemma and older
 * Mistral models accept none, and demand that user and assistant alternate, as Perplexity and DeepSeek R1 do. Claude, and llama.cpp's
 * models that think, do not continue an answer; Mistral's want one of their own between results and the user.
 */

import { recordsAt, textAt } from "../../lib/json-at.ts";
import { nineCharacterId } from "../dialect/tool-call-ids.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";

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

export const withUserLast = (messages: readonly WireBody[]): WireBody[] => {
  const last = messages.at(-1)?.["role"];
  if (last === "user" || last === "tool") return [...messages];
  return [...messages, { role: "user", content: last === "assistant" ? "Continue." : "Begin." }];
};

export const withAnswersBetween = (messages: readonly WireBody[]): WireBody[] =>
  messages.flatMap((message, place) =>
    message["role"] === "user" && messages[place - 1]?.["role"] === "tool"
      ? [{ role: "assistant", content: "OK." }, message]
      : [message],
  );

const saysNothing = ({ content }: WireBody): boolean => !content || (typeof content === "string" && content.trim() === "");

/** Without answers and instructions that say nothing. */
export const withoutEmpty = (messages: readonly WireBody[]): WireBody[] =>
  messages.filter(
    (message) => message["role"] === "user" || message["role"] === "tool" || message["tool_calls"] || !saysNothing(message),
  );

/** All that Mistral demands; it refuses names of speakers, too. */
export const inStrictOrder = (messages: readonly WireBody[]): WireBody[] =>
  withUserLast(withAnswersBetween(inTemplateOrder(withoutEmpty(messages)))).map(({ name: _, ...message }) => message);

const shortened = (holder: WireBody, field: string): WireBody => ({ ...holder, [field]: nineCharacterId(textAt(holder, field)) });

export const withShortIds = (messages: WireBody[]): WireBody[] =>
  messages.map((message) => {
    if (message["role"] === "tool") return shortened(message, "tool_call_id");
    if (!message["tool_calls"]) return message;
    return { ...message, tool_calls: recordsAt(message, "tool_calls").map((call) => shortened(call, "id")) };
  });
