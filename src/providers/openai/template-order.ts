/**
 * The chat templates of many open models (Qwen, Gemma, Llama behind vLLM or llama.cpp) and MiniMax take one system message, before all others;
 * some also demand that user and assistant alternate.
 */

import type { WireBody } from "../dialect/wire-dialect.ts";

/** What stands for the order of messages among refused parameters. */
export const ORDER = "messages.order";

const REFUSED =
  /system message must be at the beginning|roles must alternate|unexpected role ['"`]?system|invalid chat setting \(2013\)/i;

/** llama.cpp puts the template around it, and answers with status 500. */
export const refusesOrder = (message: string): boolean => REFUSED.test(message.slice(0, 2_000));

const isSystem = ({ role }: WireBody): boolean => role === "system" || role === "developer";

const partsOf = (content: unknown): unknown[] =>
  Array.isArray(content) ? content : content ? [{ type: "text", text: content }] : [];

const joined = (one: unknown, other: unknown): unknown => {
  if (Array.isArray(one) || Array.isArray(other)) return [...partsOf(one), ...partsOf(other)];
  return [one, other].filter((text) => text).join("\n\n");
};

/** A call must stay last in its message, because its result follows. */
const mayJoin = (last: WireBody | undefined, message: WireBody): last is WireBody =>
  last?.["role"] === message["role"] && message["role"] !== "tool" && !last?.["tool_calls"];

export const inTemplateOrder = (messages: readonly WireBody[]): WireBody[] => {
  const turns: WireBody[] = [];
  for (const message of [...messages.filter(isSystem), ...messages.filter((other) => !isSystem(other))]) {
    const last = turns.at(-1);
    if (mayJoin(last, message))
      turns[turns.length - 1] = { ...last, ...message, content: joined(last["content"], message["content"]) };
    else turns.push(message);
  }
  return turns;
};
