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

type Line = { text: string; weight: number };

/**
 * The first sentence of each user message that says something, and every important one, each once; if not all fit, the most important stay,
 * among equals the newest. Lines of the old summary compete with them, so that a summary never grows without bound.
 */
export const pickSentences = (before: string | null, messages: readonly ChatMessage[], maxTokens: number): string | undefined => {
  const earlier = before?.split("\n").map((text): Line => ({ text, weight: weightOf(text) })) ?? [];
  const lines = [...earlier, ...messages.flatMap(linesOf)].map((line, order) => ({ ...line, order }));
  const kept: typeof lines = [];
  const texts = new Set<string>();
  let left = maxTokens;
  for (const line of lines.toSorted((one, other) => other.weight - one.weight || other.order - one.order)) {
    if (left < SHORTEST_TOKENS) break;
    const tokens = estimateTokens(line.text) + 1;
    if (tokens > left || texts.has(line.text)) continue;
    left -= tokens;
    texts.add(line.text);
    kept.push(line);
  }
  const inOrder = kept.sort((one, other) => one.order - other.order);
  return inOrder.length > 0 ? inOrder.map(({ text }) => text).join("\n") : undefined;
};

/** A line of one token and its line break; in less room no line fits. */
const SHORTEST_TOKENS = 2;

/** From 0, an ordinary sentence, to 3. */
const weightOf = (sentence: string): number => {
  const rank = WEIGHTY.findIndex((pattern) => pattern.test(sentence));
  return rank < 0 ? 0 : WEIGHTY.length - rank;
};

const linesOf = (message: ChatMessage): Line[] => {
  if (message.role === "tool") return [];
  const sentences = sentencesOf(readableText(message));
  const opening = message.role === "user" ? (sentences.find(saysSomething) ?? sentences[0]) : undefined;
  const lines: Line[] = [];
  for (const whole of sentences) {
    const sentence = whole.slice(0, LONGEST_SENTENCE);
    const weight = weightOf(sentence);
    if (weight > 0 || whole === opening) lines.push({ text: `${message.role}: ${sentence}`, weight });
  }
  return lines;
};

/** More than a greeting or a heading. */
const saysSomething = (sentence: string): boolean => estimateTokens(sentence) >= 5;

const SENTENCE = /[^.!?\n。！？]+[.!?。！？]*/g;
const LONGEST_READ = 8_000;

/** Splits a text at punctuation and line breaks; of a long one, only its beginning. */
const sentencesOf = (text: string): string[] =>
  (text.slice(0, LONGEST_READ).match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter(Boolean);
