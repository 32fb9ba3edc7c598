/** The mood of a text, where the sandbox is asked for a sentiment. */

const POSITIVE = /\b(?:good|great|love|loved|excellent|happy|amazing|perfect|wonderful|best|enjoy\w*|fantastic|recommend)\b/gi;
const NEGATIVE = /\b(?:bad|terrible|hate|hated|awful|angry|broken|worst|poor|disappoint\w*|refund|slow|rude|useless)\b/gi;

/** The mood of a text in one word, by counting. */
export function moodOf(text: string): "positive" | "negative" | "neutral" {
  const balance = (text.match(POSITIVE)?.length ?? 0) - (text.match(NEGATIVE)?.length ?? 0);
  return balance > 0 ? "positive" : balance < 0 ? "negative" : "neutral";
}
