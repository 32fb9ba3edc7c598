/**
 * Chooses the remembered messages that a call sends: not those the caller sends anyway, no half of a tool call, no more than requested or
 * than fits.
 */
import type { ChatMessage } from "../providers/provider.ts";
import { readableText } from "./slim-message.ts";

type Remembered = { message: ChatMessage; tokens: number };

type Selection = {
  /** The request's own messages, without system messages. */
  sent: readonly ChatMessage[];
  /** Counts messages (decisions §11). */
  includeLastN?: number;
  budgetTokens: number;
};

export const selectContext = (
  remembered: readonly Remembered[],
  { sent, includeLastN, budgetTokens }: Selection,
): ChatMessage[] => {
  const unsent = remembered.slice(
    0,
    remembered.length -
      overlap(
        remembered.map(({ message }) => message),
        sent,
      ),
  );
  const last = includeLastN === undefined ? unsent : includeLastN === 0 ? [] : unsent.slice(-includeLastN);
  const kept = withinBudget(last, budgetTokens).map(({ message }) => message);
  return wholeToolCalls(kept, orphanedResults(sent));
};

/** Results that the caller sends without their calls, because the session has those. */
const orphanedResults = (sent: readonly ChatMessage[]): string[] => {
  const calls = new Set(
    sent.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [])),
  );
  return sent.flatMap((message) => (message.role === "tool" && !calls.has(message.toolCallId) ? [message.toolCallId] : []));
};

/**
 * How many of the last remembered messages the caller sends again: from the beginning, or all of them in the middle if what came before was
 * summarised. Considers only as many as could match: a call with one message costs no more in a session of a thousand than in a short one.
 */
export const overlap = (remembered: readonly ChatMessage[], sent: readonly ChatMessage[]): number => {
  // The last message sent is the new question, even if it repeats an old one.
  const theirs = sent.slice(0, Math.max(0, sent.length - 1)).map(identity);
  const ours = remembered.slice(Math.max(0, remembered.length - theirs.length)).map(identity);
  const areAllSent = ours.length === remembered.length && matches(ours, theirs).includes(ours.length);
  return areAllSent ? ours.length : (matches(theirs, ours).at(-1) ?? 0);
};

/** For each position of the list, the length of the pattern's prefix that ends there. */
const matches = (pattern: readonly string[], list: readonly string[]): number[] => {
  const shorter = shorterMatches(pattern);
  let length = 0;
  return list.map((text) => {
    while (length > 0 && text !== pattern[length]) length = shorter[length - 1]!;
    if (text === pattern[length]) length++;
    return length;
  });
};

/**
 * For each position, the length of the list's prefix that also ends there, so that a failed match continues without going back (Knuth,
 * Morris and Pratt).
 */
const shorterMatches = (texts: readonly string[]): Uint32Array => {
  const lengths = new Uint32Array(texts.length);
  for (let at = 1, length = 0; at < texts.length; at++) {
    while (length > 0 && texts[at] !== texts[length]) length = lengths[length - 1]!;
    if (texts[at] === texts[length]) length++;
    lengths[at] = length;
  }
  return lengths;
};

/** Tool calls are identified by their ids: clients leave out the text beside them, and format their arguments anew. */
const identity = (message: ChatMessage): string => {
  const calls = message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [];
  if (calls.length > 0) return JSON.stringify(calls);
  return JSON.stringify([message.role, readableText(message), message.role === "tool" ? message.toolCallId : null]);
};

/** The newest messages that fit; the others are only left out of this call. */
const withinBudget = (remembered: readonly Remembered[], budgetTokens: number): readonly Remembered[] => {
  let used = 0;
  let from = remembered.length;
  while (from > 0 && used + remembered[from - 1]!.tokens <= budgetTokens) used += remembered[--from]!.tokens;
  return remembered.slice(from);
};

/** Providers refuse a call without its result and a result without its call. */
const wholeToolCalls = (messages: readonly ChatMessage[], toCome: readonly string[]): ChatMessage[] => {
  const answered = new Set([...toCome, ...messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []))]);
  const asked = new Set<string>();
  return messages.filter((message) => {
    if (message.role === "tool") return asked.has(message.toolCallId);
    if (message.role !== "assistant" || message.toolCalls === undefined) return true;
    const complete = message.toolCalls.every(({ id }) => answered.has(id));
    if (complete) for (const { id } of message.toolCalls) asked.add(id);
    return complete;
  });
};
