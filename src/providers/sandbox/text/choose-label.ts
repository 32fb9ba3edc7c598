/** Classification: which labels a prompt offers, and which of them fits its text best. */

import { trimEnds } from "../../../lib/trim-ends.ts";
import { contentWords } from "./sentences.ts";

/** Lists after words such as `labels` or `into`, in brackets, as lettered lines, and pairs with `or`. */
const OFFER =
  /\b(?:as|into|between|either|one of(?: these| the following)?|labels?|categor(?:y|ies)|classes|options|choices|answers?)(?: are| is| with)?(?: one of)?\s{0,3}:?\s{0,3}([^.?\n:([{]{3,300})/gi;
const BRACKETED = /[([{]([^()[\]{}\n]{3,300})[)\]}]/g;
const LETTERED = /^[ \t]{0,4}(?:\(?[A-Fa-f1-6][).:])[ \t]{1,4}(\S[^\n]{0,200})$/gm;
const PAIR = /([\p{L}-]{2,30}(?: [\p{L}-]{2,30})?) or ([\p{L}-]{2,30}(?: [\p{L}-]{2,30})?)/giu;

/** The labels that the prompt offers, as it writes them. Without any: those of a question about spam, else of one about sentiment. */
export function offeredLabels(instruction: string, whole: string): string[] {
  const lists = [
    ...[...instruction.matchAll(OFFER)].map((match) => splitList(match[1] ?? "")),
    ...[...instruction.matchAll(BRACKETED)].map((match) => splitList(match[1] ?? "")),
    [...whole.slice(0, 20_000).matchAll(LETTERED)].map((match) => (match[1] as string).trim()),
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

const SPAMMY = /\b(?:win|won|winner|free|prize|click|offer|lottery|urgent|bitcoin|cash|guaranteed|unsubscribe)\b/gi;

/** Words that point to labels in common use. */
const SIGNS: readonly [label: RegExp, sign: RegExp][] = [
  [/\b(?:billing|payment|finance|invoice)/i, /\b(?:invoices?|pay\w*|charged?|refund\w*|card|price|bill\w*|subscription)\b/gi],
  [
    /\b(?:tech\w*|bug|support|it)\b/i,
    /\b(?:bugs?|errors?|crash\w*|login|log in|password|broken|install\w*|server|screen|internet|network|wifi|wi-fi|offline|outage)\b/gi,
  ],
  [/\b(?:ship\w*|deliver\w*|logistics)/i, /\b(?:ship\w*|deliver\w*|package|parcel|arriv\w*|tracking)\b/gi],
  [/\b(?:sports?)\b/i, /\b(?:match|team|goal|league|player|season|coach|cup)\b/gi],
  [/\b(?:politic\w*)\b/i, /\b(?:election|minister|parliament|senate|vote\w*|government|president)\b/gi],
  [/\b(?:business|econom\w*)\b/i, /\b(?:shares?|market|profit|revenue|company|stocks?|investors?)\b/gi],
  [/\burgent|high\b/i, /\b(?:urgent\w*|asap|immediately|down|outage|emergency)\b/gi],
];

/** The label that fits the text best, as it was offered; the first if none fits. */
export function chooseLabel(labels: readonly string[], text: string): string {
  const sample = text.slice(0, 20_000);
  const words = new Set(contentWords(sample));
  const mood = moodOf(sample);
  const spammy = sample.match(SPAMMY) !== null;
  const signs = SIGNS.map(([kind, sign]) => ({ kind, points: (sample.match(sign)?.length ?? 0) * 2 }));
  const score = (label: string): number => {
    const lower = label.toLowerCase();
    let points = contentWords(label).filter((word) => words.has(word)).length * 2;
    if (lower === mood) points += 3;
    if (lower.includes("spam")) points += (spammy ? 3 : -1) * (/\bnot\b|non-?/.test(lower) ? -1 : 1);
    else if (lower === "ham") points += spammy ? 0 : 1;
    for (const sign of signs) if (sign.kind.test(label)) points += sign.points;
    return points;
  };
  return labels
    .map((label) => ({ label, points: score(label) }))
    .reduce((best, next) => (next.points > best.points ? next : best)).label;
}
