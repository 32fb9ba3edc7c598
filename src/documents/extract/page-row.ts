/** A line of a page as a row with cells, which may take in more that was painted later. */
import { areProse, type Segment, segmentsOf, textOf } from "./segments.ts";
import type { Line } from "./split-lines.ts";
import { isBlank, placeOf, type TextItem } from "./text-item.ts";

/**
 * `line`: as it was painted, if nothing was joined to it; `segments`: from left to right; `base`: how far up the page; `isOfProse`: it was
 * painted among prose; `isAlone`: see split-lines.ts.
 */
export type Row = {
  line?: TextItem[];
  segments: Segment[];
  base: number;
  height: number;
  text: string;
  isOfProse: boolean;
  isAlone: boolean;
};

/** In a row; tables have fewer. Without a bound, comparing rows would take time that grows with the square of their length. */
export const MOST_SEGMENTS = 50;
/** In text heights. */
const STEP_UP = 0.5;
const LEAST_FIGURES = 0.6;
const FIGURE = /\p{N}/u;
const NO_LETTERS = /[^\p{L}\s]/gu;
const SIGNS = /\S/g;

const isUpright = ({ transform: [a = 1, b = 0] }: TextItem): boolean => a > 0 && Math.abs(b) < a / 10;

/** A line that does not run from left to right, such as a stamp, is beside no other. */
export const rowOf = ({ items, isAlone }: Line): Row => {
  const visible = items.filter((item) => !isBlank(item));
  const segments = segmentsOf(items).sort((one, other) => one.left - other.left);
  const isUsual = visible.every((item) => isUpright(item) && item.dir !== "rtl" && item.width !== undefined);
  const isPlaced = isUsual && segments.length <= MOST_SEGMENTS;
  const [first] = visible;
  const place = { base: isPlaced ? placeOf(first!).base : Number.NaN, height: first!.height };
  return { line: items, segments, ...place, text: textOf(items), isOfProse: false, isAlone };
};

export const isProse = (rows: readonly Row[]): boolean => areProse(rows.map(({ text }) => text));

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const isFigure = ({ text }: Row): boolean => FIGURE.test(text) && 2 * countOf(text, NO_LETTERS) >= countOf(text, SIGNS);
export const areFigures = (rows: readonly Row[]): boolean => rows.filter(isFigure).length >= LEAST_FIGURES * rows.length;

export const isUp = (row: Row, before: Row | undefined): boolean =>
  before !== undefined && row.base > before.base + STEP_UP * Math.max(row.height, before.height);

/** What was painted from top to bottom, and then the next. */
export const runsOf = (rows: readonly Row[]): Row[][] => {
  const runs: Row[][] = [];
  for (const [at, row] of rows.entries()) {
    if (at === 0 || isUp(row, rows[at - 1])) runs.push([]);
    runs.at(-1)!.push(row);
  }
  return runs;
};
