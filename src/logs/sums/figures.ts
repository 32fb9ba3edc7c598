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

/** Rows by what they have in a column, without those that have nothing there. */
export const groupBy = <Column extends string, Row extends Record<Column, string | null>>(
  rows: readonly Row[],
  column: Column,
): [string, Row[]][] => [...Map.groupBy(rows, (row) => row[column] ?? "")].filter(([name]) => name !== "");

/** For each name in a column, what `figures` makes of its rows. */
export const perName = <Column extends string, Row extends Record<Column, string | null>, Figures>(
  rows: readonly Row[],
  column: Column,
  figures: (among: Row[]) => Figures,
): Record<string, Figures> => Object.fromEntries(groupBy(rows, column).map(([name, among]) => [name, figures(among)]));

export const callsPer = <Column extends string>(
  rows: readonly (Record<Column, string> & { calls: number })[],
  column: Column,
): Record<string, number> => perName(rows, column, (among) => total(among, "calls"));

/** `0.1234` → `12.3 %`. */
export const percent = (share: number): string => `${rounded(100 * share, 1)} %`;

export const rounded = (value: number, decimals: number): string => value.toFixed(decimals).replace(/\.?0+$/, "");
