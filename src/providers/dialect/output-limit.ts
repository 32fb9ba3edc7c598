/** How much output a server would accept, where it refuses a request's bound as too large. */

import type { Refusal } from "../upstream-error.ts";
import { numberIn } from "./change-request.ts";

/** vLLM, in today's words and in earlier ones, which were OpenAI's. */
const OF_WINDOW =
  /maximum context length is (\d{1,9}) tokens\b.{1,60}?\b(?:your request has (\d{1,9}) input tokens|you requested (\d{1,9}) tokens \(.{1,80}?\b(\d{1,9}) (?:in|for) the completion)/i;

/** OpenAI (twice, the second also Volcengine), Groq and DeepSeek, Qwen, others, Anthropic and Bedrock. */
const OF_MODEL: readonly RegExp[] = [
  /supports at most (\d{1,9}) (?:completion|output) tokens/i,
  /max_[a-z_]{0,20}tokens\b.{0,60}?: integer above maximum value[.,] expected a value <= (\d{1,9})/i,
  /max_(?:completion_)?tokens[`'"]? must be less than or equal to [`'"]?(\d{1,9})/i,
  /range of max_tokens (?:is|should be) \[\d{1,9}, ?(\d{1,9})/i,
  /max_[a-z_]{0,20}tokens\b.{0,60}? must be between \d{1,9} and (\d{1,9})/i,
  /max_tokens: \d{1,9} > (\d{1,9}), which is the maximum/i,
  /maximum tokens you requested exceeds? the model limit of (\d{1,9})/i,
];

/** Google's, which names the first number that is too large. */
const OF_RANGE =
  /maxOutputTokens value of \d{1,9} but the supported range is from \d{1,9} \(inclusive\) to (\d{1,9}) \(exclusive\)/;

/** OpenRouter's, which takes an answer as long as its bound to be paid. */
const OF_BALANCE = /fewer max_tokens\b.{0,80}?\bcan only afford (\d{1,9})/i;

/** An account that cannot pay for an answer of this length counts as spent: others may give it whole. */
const LEAST_PAID = 1_024;

/** With less room than this for an answer, the prompt is too long. No model's own limit is lower. */
const LEAST = 256;

/** What the window leaves for the answer; NaN if the message does not say it. */
const leftInWindow = (text: string): number => {
  const [, window, prompt, requested, completion] = OF_WINDOW.exec(text) ?? [];
  return Number(window) - (prompt === undefined ? Number(requested) - Number(completion) : Number(prompt));
};

/** The name under which such a refusal is learned, with the tokens that would be accepted at its end. */
export const OUTPUT_BOUND = "output bound";

const boundOf = (tokens: number): string => `${OUTPUT_BOUND}.${tokens}`;

/**
 * Undefined if the message is about something else, or if the prompt is too long. What the window or the account's balance leaves beside
 * this request's prompt is no limit of the model.
 */
export const refusedBound = (message: string): Refusal | undefined => {
  const text = message.slice(0, 1_000);
  const left = leftInWindow(text);
  if (left >= LEAST) return { param: boundOf(left), once: true };
  const paid = Number(OF_BALANCE.exec(text)?.[1]);
  if (paid >= LEAST_PAID) return { param: boundOf(paid), once: true };
  const beyond = OF_RANGE.exec(text)?.[1];
  const most = beyond === undefined ? Number(OF_MODEL.map((words) => words.exec(text)?.[1]).find(Boolean)) : Number(beyond) - 1;
  return most >= LEAST ? { param: boundOf(most) } : undefined;
};

/** Lowers the bound in any of these `fields` to that of the parameter. */
export const lowerBound = (body: Record<string, unknown>, param: string, fields: readonly string[]): void => {
  const most = numberIn(param);
  for (const field of fields) if (Number(body[field]) > most) body[field] = most;
};
