/** Turns a vendor's token counts, which overlap differently everywhere, into classes that never overlap. */

import type { TokenUsage } from "../provider.ts";

/** More than any model reads or writes in one call; with larger counts the cost would exceed exact integers in nano-USD. */
const MOST_TOKENS = 1e9;

/** A valid count, zero included; undefined for a missing, malformed or absurd value. */
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

type Totals = {
  /** All tokens of the prompt, cached ones included. */
  prompt: number;
  cacheRead: number;
  cacheWrite?: number;
  /** All generated tokens, reasoning included. */
  completion: number;
  reasoning: number;
};

/** Splits totals that include their parts into counts that do not overlap; parts beyond their total are reduced to it. */
export const disjoint = ({ prompt, cacheRead, cacheWrite = 0, completion, reasoning }: Totals): TokenUsage => {
  const read = Math.min(cacheRead, prompt);
  const write = Math.min(cacheWrite, prompt - read);
  const hidden = Math.min(reasoning, completion);
  return { input: prompt - read - write, cacheRead: read, cacheWrite: write, output: completion - hidden, reasoning: hidden };
};
