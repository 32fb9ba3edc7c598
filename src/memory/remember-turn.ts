/** After a call: stores the turn in the session, whole and in order (decisions §11 "Memory"). */
import type { Project } from "../accounts/project.ts";
import type { Platform } from "../platform.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { countMessage } from "../router/count-prompt.ts";
import { requireHolding } from "./holding.ts";
import { appendTurn, type NewMessage } from "./message-store.ts";
import { overlap } from "./select-context.ts";
import { slimMessage } from "./slim-message.ts";

type Turn = {
  /** The request's messages. */
  messages: readonly ChatMessage[];
  /** The answer as the caller got it. */
  answer: ChatMessage;
  userId?: string;
};

export const rememberTurn = async (
  platform: Platform,
  project: Project,
  sessionId: string,
  { messages, answer, userId }: Turn,
): Promise<void> => {
  const holding = requireHolding(platform, project);
  const asked = currentTurn(messages).map(slimMessage);
  await appendTurn(platform.db, project.id, sessionId, {
    holding,
    userId: userId ?? null,
    tailLength: asked.length,
    messages: (tail) => [...withoutRepeated(asked, tail), slimMessage(answer)].map(counted),
  });
};

/** Tokens that a call adds to the session, without its answer: of a turn with calls of tools, all but the last results are stored already. */
export const addedTokens = (messages: readonly ChatMessage[]): number => {
  const turn = currentTurn(messages);
  const lastCalls = turn.findLastIndex((message) => message.role === "assistant" && message.toolCalls !== undefined);
  return turn.slice(lastCalls + 1).reduce((sum, message) => sum + countMessage(slimMessage(message)), 0);
};

/** The last user message and the tool calls and results that follow it. */
const currentTurn = (messages: readonly ChatMessage[]): ChatMessage[] => {
  const start = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(Math.max(0, start)).filter(({ role }) => role !== "system");
};

/** A call with tool results repeats the question and the tool call, which are stored already. */
const withoutRepeated = (asked: ChatMessage[], tail: ChatMessage[]): ChatMessage[] =>
  asked.some(({ role }) => role === "tool") ? asked.slice(overlap(tail, asked)) : asked;

const counted = (message: ChatMessage): NewMessage => ({ message, tokens: countMessage(message) });
