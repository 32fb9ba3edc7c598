/** Classification: which labels a prompt offers, and which of them fits its text best. */

import { trimEnds } from "../../../lib/trim-ends.ts";
import { contentWords } from "./sentences.ts";

/** Lists after words such as `labels` or `into`, in brackets, and pairs with `or`. */
const OFFER =
  /\b(?:as|into|between|either|one of(?: these| the following)?|labels?|categor(?:y|ies)|classes|options|choices|answers?)(?: are| is| with)?(?: one of)?\s{0,3}:?\s{0,3}([^.?\n:([{]{3,300})/gi;
const BRACKETED = /[([{]([^()[\]{}\n]{3,300})[)\]}]/g;
const PAIR = /([\p{L}-]{2,30}(?: [\p{L}-]{2,30})?) or ([\p{L}-]{2,30}(?: [\p{L}-]{2,30})?)/giu;

/** The labels that the prompt offers, as it writes them. Without any: those of a question about spam, else of one about sentiment. */
export function offeredLabels(instruction: string): string[] {
  const lists = [
    ...[...instruction.matchAll(OFFER)].map((match) => splitList(match[1] ?? "")),
    ...[...instruction.matchAll(BRACKETED)].map((match) => splitList(match[1] ?? "")),
    ...[...instruction.matchAll(PAIR)].map((match) => [match[1] as string, match[2] as string].map(cleanLabel)),
  ];
  const found = lists.find((list) => list.length >= 2);
  if (/\bspam\b/i.test(instruction) && !found?.some((label) => /^(?:spam|ham)$/i.test(label))) return ["spam", "not spam"];
  if (found) return [...new Set(found)];
  return ["positive", "negative", "neutral"];
}

const splitList = (text: string): string[] => {
  const labels = text
    .split(/,|;|\/|\||\bor\b|\band\b/i)
    .map(cleanLabel)
    .filter(Boolean);
  return labels.every((label) => label.split(/\s+/).length <= 4) ? labels : [];
};

const cleanLabel = (text: string): string =>
  trimEnds(text, { leading: /[\s"'`*“‘([-]/, trailing: /[\s"'`*”’)\].:!?]/ }).replace(
    /^(?:either|it is|is it|is this|this is|the text is|whether|a|an|the)\s+/i,
    "",
  );

const POSITIVE = /\b(?:good|great|love|loved|excellent|happy|amazing|perfect|wonderful|best|enjoy\w*|fantastic|recommend)\b/gi;
const NEGATIVE = /\b(?:bad|terrible|hate|hated|awful|angry|broken|worst|poor|disappoint\w*|refund|slow|rude|useless)\b/gi;

/** By counting words. */
export function moodOf(text: string): "positive" | "negative" | "neutral" {
  const balance = (text.match(POSITIVE)?.length ?? 0) - (text.match(NEGATIVE)?.length ?? 0);
  return balance > 0 ? "positive" : balance < 0 ? "negative" : "neutral";
}

const SPAMMY = /\b(?:win|won|winner|free|prize|click|offer|lottery|urgent|bitcoin|cash|guaranteed|unsubscribe)\b/i;

/** The label that fits the text best, as it was offered; the first if none fits. */
export function chooseLabel(labels: readonly string[], text: string): string {
  const sample = text.slice(0, 20_000);
  const words = new Set(contentWords(sample));
  const mood = moodOf(sample);
  const isSpam = SPAMMY.test(sample);
  const score = (label: string): number => {
    const lower = label.toLowerCase();
    const isHam = /\b(?:not|ham)\b|non-?/.test(lower);
    const isKnown = lower === mood || (/\b(?:spam|ham)\b/.test(lower) && isHam !== isSpam);
    return contentWords(label).filter((word) => words.has(word)).length * 2 + (isKnown ? 3 : 0);
  };
  return labels
    .map((label) => ({ label, points: score(label) }))
    .reduce((best, next) => (next.points > best.points ? next : best)).label;
}
