/** A summary without a model: extracts the important sentences. */
import { estimateTokens } from "../lib/estimate-tokens.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { readableText } from "./slim-message.ts";

/** What makes a sentence important, strongest first. */
const WEIGHTY = [
  /\b(?:remember|decid|agree|must|never|always|prefer|name is|call me|i am|i'm|deadline|allerg|password|address|birthday)/i,
  /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u,
  /\d/,
];
const LONGEST_SENTENCE = 240;

type Picked = { line: string; weight: number; order: number };

/**
 * The first sentence of each user message and every important one; if not all fit, the most important stay, among equals the newest. Lines
 * of the old summary compete with them, so that a summary never grows without bound.
 */
export const pickSentences = (before: string | null, messages: readonly ChatMessage[], maxTokens: number): string | undefined => {
  const lines = [...(before?.split("\n") ?? []), ...messages.flatMap(pickedLines)];
  const picked = lines.map((line, order): Picked => ({ line, weight: weightOf(line), order }));
  const kept: Picked[] = [];
  let used = 0;
  for (const each of picked.toSorted((left, right) => right.weight - left.weight || right.order - left.order)) {
    const tokens = estimateTokens(each.line) + 1;
    if (used + tokens > maxTokens) continue;
    used += tokens;
    kept.push(each);
  }
  const inOrder = kept.sort((left, right) => left.order - right.order);
  return inOrder.length > 0 ? inOrder.map(({ line }) => line).join("\n") : undefined;
};

/** From 0, an ordinary sentence, to 3. */
const weightOf = (sentence: string): number => {
  const rank = WEIGHTY.findIndex((pattern) => pattern.test(sentence));
  return rank < 0 ? 0 : WEIGHTY.length - rank;
};

const pickedLines = (message: ChatMessage): string[] => {
  if (message.role === "tool") return [];
  return sentencesOf(readableText(message))
    .map((sentence) => sentence.slice(0, LONGEST_SENTENCE))
    .filter((sentence, index) => (index === 0 && message.role === "user") || weightOf(sentence) > 0)
    .map((sentence) => `${message.role}: ${sentence}`);
};

const SENTENCE = /[^.!?\n。！？]+[.!?。！？]*/g;
const LONGEST_READ = 8_000;

/** Splits a text at punctuation and line breaks; of a long one, only its beginning. */
const sentencesOf = (text: string): string[] =>
  (text.slice(0, LONGEST_READ).match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter(Boolean);
