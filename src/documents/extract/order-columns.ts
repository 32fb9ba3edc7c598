/** Two columns that were painted line by line, left and right in turn, are read one after the other. A table's rows stay as they are. */
import type { TextItem } from "./text-item.ts";

type Line = readonly TextItem[];
/** What stands on a line without a gap that parts columns. */
type Segment = { items: TextItem[]; left: number; right: number };

/** In heights of the text. Words of justified lines stand closer. */
const GUTTER = 1.2;
const NEXT_LINE = 1.7;
/** Fewer lines side by side may be anything. */
const LEAST_LINES = 5;
/** Lines of prose go on in the middle of a sentence and fill their column; cells of a table begin something, and are short. */
const LEAST_GOING_ON = 0.3;
const LEAST_CHARACTERS = 25;

const segmentsOf = (line: Line): Segment[] => {
  const segments: Segment[] = [];
  let blanks: TextItem[] = [];
  for (const item of line) {
    if (item.str.trim() === "") {
      blanks.push(item);
      continue;
    }
    const left = item.transform[4] ?? 0;
    const right = left + (item.width ?? 0);
    const last = segments.at(-1);
    if (last !== undefined && left - last.right < GUTTER * item.height) {
      last.items.push(...blanks, item);
      last.right = Math.max(last.right, right);
    } else segments.push({ items: [item], left, right });
    blanks = [];
  }
  return segments;
};

const textOf = ({ items }: Segment): string => items.map(({ str }) => str).join("");
const heightOf = ({ items }: Segment): number => items[0]!.height;
const bottomOf = ({ items }: Segment): number => items[0]!.transform[5] ?? 0;
const isBackward = (segments: readonly Segment[]): boolean =>
  segments.some(({ items }) => items.some(({ dir }) => dir === "rtl"));

const isProse = (column: readonly Segment[]): boolean => {
  const texts = column.map(textOf);
  const goingOn = texts.filter((text) => /^\s*\p{Ll}/u.test(text)).length;
  return goingOn >= LEAST_GOING_ON * texts.length && texts.join("").length >= LEAST_CHARACTERS * texts.length;
};

type Columns = { left: Segment[]; right: Segment[]; end: number };

/** From a line on, all that have two segments with one clean gutter between. */
const columnsAt = (lines: readonly Segment[][], start: number): Columns => {
  const columns: Columns = { left: [], right: [], end: start };
  let leftEnds = Number.NEGATIVE_INFINITY;
  let rightBegins = Number.POSITIVE_INFINITY;
  for (; columns.end < lines.length; columns.end++) {
    const segments = lines[columns.end]!;
    const [left, right] = segments;
    if (left === undefined || right === undefined || segments.length > 2 || isBackward(segments)) break;
    leftEnds = Math.max(leftEnds, left.right);
    rightBegins = Math.min(rightBegins, right.left);
    if (rightBegins - leftEnds < GUTTER * heightOf(left)) break;
    columns.left.push(left);
    columns.right.push(right);
  }
  return columns;
};

/** Where one column is longer, its last lines stand alone. */
const goOn = ({ left, right, end }: Columns, lines: readonly Segment[][]): Columns => {
  const gutter = Math.min(...right.map((segment) => segment.left));
  let at = end;
  for (; at < lines.length; at++) {
    const [segment, ...more] = lines[at]!;
    if (segment === undefined || more.length > 0) break;
    const column = segment.left >= gutter ? right : segment.right < gutter ? left : undefined;
    const step = column && bottomOf(column.at(-1)!) - bottomOf(segment);
    if (column === undefined || step === undefined || step <= 0 || step > NEXT_LINE * heightOf(segment)) break;
    column.push(segment);
  }
  return { left, right, end: at };
};

export const orderColumns = (lines: readonly TextItem[][]): TextItem[][] => {
  const segmented = lines.map(segmentsOf);
  const out: TextItem[][] = [];
  for (let at = 0; at < lines.length; ) {
    const columns = columnsAt(segmented, at);
    if (columns.left.length >= LEAST_LINES && isProse(columns.left) && isProse(columns.right)) {
      const { left, right, end } = goOn(columns, segmented);
      out.push(...[...left, ...right].map(({ items }) => items));
      at = end;
    } else {
      const end = Math.max(at + 1, columns.end);
      out.push(...lines.slice(at, end));
      at = end;
    }
  }
  return out;
};
