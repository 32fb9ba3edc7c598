/** Figures that several benches take: quantiles, and what the system counts for a process. */

import { readFileSync } from "node:fs";

const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** NaN of nothing. */
export const quantile = (values: readonly number[], share: number): number => at(ascending(values), share);
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Several of them as text, one after the other. */
export const quantiles = (values: readonly number[], shares: readonly number[], digits = 1): string => {
  const sorted = ascending(values);
  return shares.map((share) => at(sorted, share).toFixed(digits)).join(", ");
};

const TICKS_A_SECOND = 100;

/** Of all threads of the process since it began. */
export const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
};

export const residentMb = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096) / 1e6;
