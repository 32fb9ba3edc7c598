/**
 * Reviews JSON text (tool-call arguments, structured output) by its decoded strings, so that `\u0040` hides nothing, and redacts
 * inside it so that it stays valid JSON. Each value is read with its key before it: `{"order_id": 123456789}` is an order.
 */

import { isJson } from "../../lib/is-json.ts";
import { nothingFound } from "./content-evaluation.ts";
import type { ContentRules } from "./content-rules.ts";
import { evaluationOf, type Review, reviewText } from "./review-content.ts";

type Token = { start: number; end: number; kind: "key" | "string" | "number" };

/** The end of the string that opens at `start`. */
function stringEnd(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== '"') i += json[i] === "\\" ? 2 : 1;
  return Math.min(i + 1, json.length);
}

const isNumberCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 45 || code === 43 || code === 46 || (code | 32) === 101;

const opensValue = (json: string, from: number): boolean => {
  let i = from;
  while (json.charCodeAt(i) <= 32) i++;
  return json.charCodeAt(i) === 58;
};

/** Keys, strings and numbers of a valid JSON text, in order. */
function* tokens(json: string): Generator<Token> {
  for (let i = 0; i < json.length; ) {
    const code = json.charCodeAt(i);
    const start = i++;
    if (code === 34) {
      i = stringEnd(json, start);
      yield { start, end: i, kind: opensValue(json, i) ? "key" : "string" };
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      while (i < json.length && isNumberCode(json.charCodeAt(i))) i++;
      yield { start, end: i, kind: "number" };
    }
  }
}

const MAY_BE_JSON = /^\s*[{[]/;

/** Reviews a text that may or may not be JSON. */
export const reviewAnyText = (rules: ContentRules, text: string): Review =>
  MAY_BE_JSON.test(text) ? reviewJsonText(rules, text) : reviewText(rules, text);

/** This much of a key's end is read again with each value, because what labels a number stands right before it. */
const LONGEST_KEY = 200;

/** Gap: a redacted number becomes a string with the redaction text. Invalid JSON is reviewed as far as it can be parsed. */
export function reviewJsonText(rules: ContentRules, json: string): Review {
  if (!isJson(json)) return reviewText(rules, json);
  const review: Review = { text: "", findings: [], blocked: false, evaluation: nothingFound(rules.phase) };
  const startedAt = performance.now();
  let at = 0;
  let key = "";
  for (const { start, end, kind } of tokens(json)) {
    const raw = json.slice(start, end);
    const value = kind === "number" ? raw : (JSON.parse(raw) as string);
    const context = kind === "key" || key === "" ? "" : `${key}: `;
    const part = reviewText(rules, context + value, context.length);
    const shift = start - context.length;
    for (const finding of part.findings)
      review.findings.push({ ...finding, start: finding.start + shift, end: finding.end + shift });
    if (part.text !== value) {
      review.text += json.slice(at, start) + JSON.stringify(part.text);
      at = end;
    }
    if (kind === "key") key = value.slice(-LONGEST_KEY);
  }
  review.evaluation = evaluationOf(rules, review.findings, performance.now() - startedAt);
  review.blocked = review.evaluation.result === "block";
  review.text = review.blocked ? "" : review.text + json.slice(at);
  return review;
}
