/**
 * Reviews JSON text (tool-call arguments, structured output) by its decoded strings, so that `\u0040` hides nothing, and redacts
 * inside it so that it stays valid JSON. Each value is read with its key before it, and with that of the object
 * around it: `{"order_id": 123456789}` and `{"order": {"number": 123456789}}` are orders.
 */

import { isJson } from "../../lib/is-json.ts";
import type { ContentRules } from "./content-rules.ts";
import { decide, type Finding, mayFind, type Review, reviewOf, reviewText } from "./review-content.ts";
import { type ReviewSteps, STEP_CHARACTERS, stepsOfText } from "./review-stream.ts";

type Token = { start: number; end: number; kind: "key" | "string" | "number" | "{" | "[" | "close" };

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

/** Brackets, keys, strings and numbers of a valid JSON text, in order. */
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
    } else if (code === 123 || code === 91) yield { start, end: i, kind: code === 123 ? "{" : "[" };
    else if (code === 125 || code === 93) yield { start, end: i, kind: "close" };
  }
}

const MAY_BE_JSON = /^\s*[{[]/;

/** Reviews a text that may or may not be JSON. */
export const reviewAnyText = (rules: ContentRules, text: string): Review =>
  MAY_BE_JSON.test(text) ? reviewJsonText(rules, text) : reviewText(rules, text);

/** At most this much of the keys is read again with each value, because what labels a number stands right before it. */
const LONGEST_CONTEXT = 200;

/** The keys of a value: its own and, in `of`, that of the object around it. Empty if there is none. */
type Label = { key: string; of: string };

const contextOf = ({ key, of }: Label): string => {
  const said = of === "" || key === "" ? of + key : `${of} ${key}`;
  return said === "" ? "" : `${said.slice(-LONGEST_CONTEXT)}: `;
};

/** Gap: a redacted number becomes a string with the redaction text. Invalid JSON is reviewed as a text. */
export function reviewJsonText(rules: ContentRules, json: string): Review {
  if (!isJson(json)) return reviewText(rules, json);
  const steps = stepsOfJson(rules, json);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * As `reviewJsonText` if `isJsonAsked`, else as `reviewAnyText`; while it reads a long text, other calls are served. Rejects with the reason
 * of `signal` if that aborts before the end of a long text.
 */
export async function reviewInSteps(
  rules: ContentRules,
  text: string,
  isJsonAsked: boolean,
  signal?: AbortSignal,
): Promise<Review> {
  if (text.length <= STEP_CHARACTERS) return isJsonAsked ? reviewJsonText(rules, text) : reviewAnyText(rules, text);
  const steps = (isJsonAsked || MAY_BE_JSON.test(text)) && isJson(text) ? stepsOfJson(rules, text) : stepsOfText(rules, text);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  }
}

/** `json` must be valid. */
function* stepsOfJson(rules: ContentRules, json: string): ReviewSteps {
  const findings: Finding[] = [];
  let reviewed = "";
  const startedAt = performance.now();
  let at = 0;
  let pausedAt = 0;
  let label: Label = { key: "", of: "" };
  const around: Label[] = [];
  for (const { start, end, kind } of tokens(json)) {
    if (kind === "{" || kind === "[") {
      around.push(label);
      // The items of a list have the list's key; an object among them is inside that key.
      if (kind === "{") label = { key: "", of: label.key };
      continue;
    }
    if (kind === "close") {
      label = around.pop()!;
      continue;
    }
    const raw = json.slice(start, end);
    const value = kind === "number" ? raw : (JSON.parse(raw) as string);
    const { of } = label;
    const context = contextOf(kind === "key" ? { key: "", of } : label);
    if (kind === "key") label = { key: value.slice(-LONGEST_CONTEXT), of };
    if (end - pausedAt > STEP_CHARACTERS) {
      pausedAt = end;
      yield;
    }
    if (!mayFind(rules, value)) continue;
    const isLong = value.length > STEP_CHARACTERS;
    const part = isLong ? yield* stepsOfText(rules, value, context) : decide(rules, context + value, context.length, true);
    for (const finding of part.findings) findings.push(finding);
    if (part.text !== value) {
      reviewed += json.slice(at, start) + JSON.stringify(part.text);
      at = end;
    }
  }
  return reviewOf(rules, reviewed + json.slice(at), findings, performance.now() - startedAt);
}
