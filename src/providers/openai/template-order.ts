/**
 * The order of messages for models whose chat template refuses others. Qwen's (behind vLLM or llama.cpp) and MiniMax accept one system
 * message, before all other messages; those of Gemma and older Mistral models accept none, and demand that user and assistant alternate.
 */

import type { WireBody } from "../dialect/wire-dialect.ts";

/** The names under which these refusals are learned: of the order of messages, and of system messages altogether. */
export const ORDER = "messages.order";
export const SYSTEM_ROLE = "messages.system";

const WANTS_ORDER =
  /system message must be at the beginning|optional system message|unexpected role ['"`]?system|invalid chat setting \(2013\)/i;
const WANTS_NO_SYSTEM = /roles must alternate|system role (?:is )?not supported|only user and assistant roles/i;

/** llama.cpp quotes the template around the message, and answers with status 500. */
export const refusedOrder = (message: string): string | undefined => {
  const text = message.slice(0, 2_000);
  if (WANTS_ORDER.test(text)) return ORDER;
  return WANTS_NO_SYSTEM.test(text) ? SYSTEM_ROLE : undefined;
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
