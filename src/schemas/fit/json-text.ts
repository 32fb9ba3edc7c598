/** Writes what was read from an answer as JSON. Numbers too large for JavaScript (ids, often) stay as the model wrote them. */
import type { Candidate } from "../repair/read-passage.ts";
import { type Numerals, numeralsIn } from "./vocabulary.ts";

/** What the runtime has, and the compiler's library does not know yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** `answer`: the text that it was read from. */
export const jsonTextOf = ({ value, text }: Pick<Candidate, "value" | "text">, answer: string): string => {
  if (text !== undefined) return text.trim();
  let numerals: Numerals | undefined;
  return JSON.stringify(value, (_key, part) => {
    if (!isTooLarge(part)) return part;
    numerals ??= numeralsIn(answer);
    const written = numerals.get(part);
    return written !== undefined && /^-?\d+$/.test(written) ? rawJSON(written) : part;
  });
};

/** The value of a JSON text, for `JSON.stringify`. */
export const withExactNumbers = (text: string): unknown =>
  parse(text, (_key, part, { source }) => (isTooLarge(part) && source !== undefined ? rawJSON(source) : part));

const isTooLarge = (part: unknown): part is number => typeof part === "number" && Math.abs(part) > Number.MAX_SAFE_INTEGER;
