/** Parses text that may be JSON. */

import { hasMoreParts } from "./count-parts.ts";
import { isContainer } from "./is-record.ts";

/** No honest JSON is nested deeper. The runtime reads such a value, but fails at writing it again, after seconds. */
const MOST_LEVELS = 1_000;

/** Whether lists and objects are nested in more levels. Walks the values, not the text: a long prompt is one node. */
export const isDeeper = (value: unknown, levels: number): boolean => {
  if (!isContainer(value)) return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
};

/** The chances of twenty other words for each of ten thousand words have as many; more would hold up the server. */
const MOST_PARTS = 2_000_000;

/** Throws SyntaxError, also for a value nested deeper than a thousand levels or with millions of parts. */
export const parseJson = (text: string): unknown => {
  if (hasMoreParts(text, MOST_PARTS)) throw new SyntaxError("JSON with too many parts");
  const value: unknown = JSON.parse(text);
  // Each level takes two brackets.
  if (text.length > 2 * MOST_LEVELS && isDeeper(value, MOST_LEVELS)) throw new SyntaxError("JSON nested too deep");
  return value;
};

/** Undefined (which is not a JSON value) if the text is not exactly one JSON value. */
export const jsonOf = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

export const isJson = (text: string): boolean => jsonOf(text) !== undefined;
