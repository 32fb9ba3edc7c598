/**
 * An answer as numbers for the refusal head: hashed words of its beginning and end, the encoder's vector of the beginning, and shapes.
 * Refusals inside JSON are unwrapped. eval/routing/dump-features.ts writes the same numbers for training.
 */

import { DIMENSIONS } from "../../encoder/dimensions.ts";
import type { Encoder } from "../../encoder/encoder.ts";
import type { Inputs } from "../../encoder/heads.ts";
import { isContainer } from "../../lib/is-record.ts";
import { declining } from "./declining.ts";
import { hashWords } from "./hash-words.ts";

const SHAPES = 44;
export const ANSWER_DENSE = DIMENSIONS + SHAPES;
const OPENING_CHARACTERS = 260;
const CLOSING_CHARACTERS = 140;
const OPENING_TOKENS = 64;
const MAX_BUCKETS = 700;
const DEEPEST_JSON = 20_000;

/** The first ANSWER_DENSE numbers are the answer's. */
export function readAnswer(encoder: Encoder, response: string, prompt?: string): Inputs {
  const inside = unwrap(response.trim());
  const opening = inside.slice(0, OPENING_CHARACTERS);
  const closing = inside.length > OPENING_CHARACTERS ? inside.slice(-CLOSING_CHARACTERS) : "";
  const { dense, buckets } = encoder.heads.inputs;
  const folded = encoder.fold(opening);
  let count = hashWords(folded, buckets, 0, MAX_BUCKETS);
  encoder.pool(folded, OPENING_TOKENS, dense, 0);
  count = hashWords(encoder.fold(closing), buckets, count, MAX_BUCKETS, false);
  dense.set(shapesOf(response, inside, opening, prompt).map(Number), DIMENSIONS);
  return { dense, buckets, count };
}

/** The longest text inside an answer that is JSON, a fenced block or a tag; else the answer itself. */
function unwrap(response: string): string {
  const fenced = /^```\w*\n([\s\S]{0,20000}?)\n?```$/.exec(response);
  const text = (fenced?.[1] ?? response).trim();
  if (!/^[[{"]/.test(text) || text.length > DEEPEST_JSON) return text.replace(/^<\w{1,20}>/, "").replace(/<\/\w{1,20}>$/, "");
  try {
    return longestText(JSON.parse(text)) || text;
  } catch {
    return text;
  }
}

function longestText(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (!isContainer(value) || depth > 4) return "";
  let longest = "";
  for (const inner of Object.values(value)) {
    const text = longestText(inner, depth + 1);
    if (text.length > longest.length) longest = text;
  }
  return longest;
}

function shapesOf(response: string, inside: string, opening: string, prompt: string | undefined): (number | boolean)[] {
  const lower = opening.toLowerCase().replaceAll("’", "'");
  const rest = inside.slice(0, 1500).toLowerCase();
  const asked = prompt?.slice(0, 400).toLowerCase() ?? "";
  const length = inside.length;
  return [
    Math.log1p(length) / 7,
    length < 40,
    length < 150,
    length > 600,
    length > 1500,
    inside !== response.trim(),
    response.includes("```"),
    /\n\s*(?:[-*]|\d+[.)]) /.test(rest),
    /\n\s*(?:[-*]|\d+[.)]) [\s\S]*\n\s*(?:[-*]|\d+[.)]) [\s\S]*\n\s*(?:[-*]|\d+[.)]) /.test(rest),
    /^["“«'(*]/.test(opening),
    /^(?:dear|hi|hello|subject:|sehr geehrte|madame|liebe)\b/.test(lower),
    /^(?:sure|of course|certainly|absolutely|here|great)\b/.test(lower),
    /\b(?:i|we) (?:can't|cannot|can not|won't|will not|am unable|am not able|must decline)\b/.test(lower),
    /\bi'?m (?:not able|unable|sorry|afraid|just an ai)\b/.test(lower),
    /\bas an? (?:ai|language model|text-based)\b/.test(lower),
    /\b(?:kind|best|warm) regards|sincerely|mit freundlichen|cordialement|\nbest,|your .{3,30} team\b/.test(rest),
    /\b(?:however|but|that said|instead),? (?:here|i can|below|the)\b/.test(rest),
    /\bhere(?: are|'s| is)\b/.test(rest),
    /\b(?:illegal|unethical|harmful|inappropriate|guidelines|offensive|dangerous|discriminat\w+|respect)\b/.test(lower),
    /\b(?:anything else|something else|other questions|feel free to ask|happy to help with)\b/.test(rest),
    /\b(?:your|you) (?:order|return|refund|parcel|ticket|application|invoice|account)\b/.test(rest),
    /\b(?:said|says|replied|whispered|cried|asked)\b/.test(lower),
    prompt === undefined,
    /\b(?:apolog\w+|sorry|decline|reject\w*|refus\w+|say no|turn down)\b/.test(asked),
    /\b(?:reply|letter|e-?mail|draft|write|story|dialogue|translate)\b/.test(asked),
    (rest.match(/\bi\b/g)?.length ?? 0) / 10,
    ...declining(lower),
    ...new Array<number>(SHAPES - 37).fill(0),
  ];
}
