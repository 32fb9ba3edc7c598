/** Reads what was painted into the room between lines where it stands: a name on a certificate, the values on lines of their own of a form. */
import { isProse, type Row, runsOf } from "./page-row.ts";

const overlaps = (row: Row, other: Row): boolean => {
  const [first, last] = [row.segments[0]!, row.segments.at(-1)!];
  return other.segments.some(({ left, right }) => first.left < right && left < last.right);
};

/** Where a row stands among those above and below it, if no other is in its way; in their text heights. */
const stepsAround = (row: Row, rows: readonly Row[]): { isClear: boolean; isBetween: boolean } => {
  const others = rows.filter((other) => !Number.isNaN(other.base) && overlaps(row, other));
  const steps = others.map(({ base }) => (base - row.base) / row.height);
  const isAbove = steps.some((step) => step > 0);
  return { isClear: isAbove && steps.every((step) => Math.abs(step) >= 1), isBetween: isAbove && steps.some((step) => step < 0) };
};

/** `rows`: in the order in which they were painted. */
export const fillGaps = (rows: readonly Row[]): Row[] => {
  const ordered: Row[] = [];
  for (const run of runsOf(rows)) {
    const around = run.map((row) => stepsAround(row, ordered));
    const fills = !isProse(run) && around.every(({ isClear }) => isClear) && around.some(({ isBetween }) => isBetween);
    for (const row of run) {
      const below = fills ? ordered.findIndex((other) => other.base < row.base && overlaps(row, other)) : -1;
      ordered.splice(below < 0 ? ordered.length : below, 0, row);
    }
  }
  return ordered;
};
