/** The parts of a line between which there is a wide gap: pieces of two columns, cells of a table, a label and what stands beside it. */
import { isBlank, placeOf, type TextItem } from "./text-item.ts";

/** `left` and `right` along the line. */
export type Segment = { items: TextItem[]; left: number; right: number };

/** Least width of the gap, in text heights; the words of justified lines are closer together. */
export const GUTTER = 1.2;
/** Lines of prose continue sentences and fill their column. Cells of a table begin with capitals or figures and are short. */
const LEAST_GOING_ON = 0.3;
const LEAST_CHARACTERS = 25;

export const segmentsOf = (line: readonly TextItem[]): Segment[] => {
  const segments: Segment[] = [];
  let blanks: TextItem[] = [];
  for (const item of line) {
    if (isBlank(item)) {
      blanks.push(item);
      continue;
    }
    const { left, right } = placeOf(item);
    const last = segments.at(-1);
    if (last !== undefined && left - last.right < GUTTER * item.height) {
      last.items.push(...blanks, item);
      last.right = Math.max(last.right, right);
    } else segments.push({ items: [item], left, right });
    blanks = [];
  }
  return segments;
};

export const textOf = (items: readonly TextItem[]): string => items.map(({ str }) => str).join("");

export const areProse = (lines: readonly string[]): boolean => {
  const goingOn = lines.filter((line) => /^\s*\p{Ll}/u.test(line)).length;
  const characters = lines.reduce((sum, { length }) => sum + length, 0);
  return goingOn >= LEAST_GOING_ON * lines.length && characters >= LEAST_CHARACTERS * lines.length;
};
