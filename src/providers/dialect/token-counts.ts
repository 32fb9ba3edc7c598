/** Turns a vendor's token counts, which overlap in a different way each, into classes that never do. */

import type { TokenUsage } from "../provider.ts";

/** No model reads or writes as much in one call; what is dearer could not be told in whole nano-USD. */
const MOST_TOKENS = 1e9;

/** A count that is present; zero is a count, a missing, broken or absurd value is not. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= MOST_TOKENS ? Math.round(value) : undefined;

/** The first field of `record` that holds a count. */
export const firstCount = (record: Record<string, unknown>, ...names: string[]): number | undefined => {
  for (const name of names) {
    const count = countOf(record[name]);
    if (count !== undefined) return count;
  }
  return undefined;
};

/** Splits a total that includes its parts; parts beyond the total are cut down to it. */
export const disjoint = (
  prompt: number,
  cacheRead: number,
  cacheWrite: number,
  completion: number,
  reasoning: number,
): TokenUsage => {
  const read = Math.min(cacheRead, prompt);
  const write = Math.min(cacheWrite, prompt - read);
  const hidden = Math.min(reasoning, completion);
  return { input: prompt - read - write, cacheRead: read, cacheWrite: write, output: completion - hidden, reasoning: hidden };
};
