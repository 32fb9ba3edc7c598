/** Arithmetic over the ledger's sums, without NaN: a ratio without a denominator is null. */

import { TOKENS } from "./read-rollup.ts";

export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
export const percentage = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);

export const total = <Name extends string>(rows: readonly Record<NoInfer<Name>, number>[], name: Name): number =>
  rows.reduce((sum, row) => sum + row[name], 0);

/** The mean of a score that is summed in millionths beside its count. */
export const mean = <Score extends "quality" | "complexity">(
  rows: readonly Record<`${NoInfer<Score>}_${"micro" | "count"}`, number>[],
  score: Score,
): number | null => {
  const count = total(rows, `${score}_count`);
  return count === 0 ? null : Math.round(total(rows, `${score}_micro`) / count) / 1e6;
};

export const totalTokens = (rows: readonly Record<(typeof TOKENS)[number], number>[]): number =>
  TOKENS.reduce((sum, name) => sum + total(rows, name), 0);

/** Relative change; null if there was nothing before. */
export const changeOf = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before === 0 ? null : (now - before) / before;

type Trend = "increasing" | "decreasing" | "stable";
const NOTICEABLE = 0.05;

/** Compared with the period before; a change below a twentieth is `stable`. */
export const trendOf = (now: number | null, before: number | null): Trend => {
  if (now === null || before === null) return "stable";
  if (Math.abs(now - before) <= NOTICEABLE * Math.abs(before)) return "stable";
  return now > before ? "increasing" : "decreasing";
};

/** Groups rows by name, leaving out those without one. */
export const groupBy = <Row>(rows: readonly Row[], nameOf: (row: Row) => string): [string, Row[]][] =>
  [...Map.groupBy(rows, nameOf)].filter(([name]) => name !== "");

/** `0.1234` → `12.3 %`. */
export const percent = (share: number): string => `${rounded(100 * share, 1)} %`;

export const rounded = (value: number, decimals: number): string => value.toFixed(decimals).replace(/\.?0+$/, "");
