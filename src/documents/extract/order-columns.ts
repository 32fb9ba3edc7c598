/** Reads two columns that were drawn line by line, left and right in turn, one after the other. The rows of a table stay as they are. */
import { areProse, GUTTER, type Segment, segmentsOf, textOf } from "./segments.ts";
import { type TextItem, yOf } from "./text-item.ts";

/** Most distance between two lines of a paragraph, in text heights. */
const NEXT_LINE = 1.7;
/** Fewer lines side by side may be chance. */
const LEAST_LINES = 5;
const heightOf = ({ items }: Segment): number => items[0]!.height;
const bottomOf = ({ items }: Segment): number => yOf(items[0]!);
const isBackward = (segments: readonly Segment[]): boolean =>
  segments.some(({ items }) => items.some(({ dir }) => dir === "rtl"));

const isProse = (column: readonly Segment[]): boolean => areProse(column.map(({ items }) => textOf(items)));

type Columns = {
  left: Segment[];
  right: Segment[];
  /** Lines with text in both columns. */
  sideBySide: number;
  end: number;
};

/**
 * The lines from `start` on that lie in two columns with a gutter between them. One of the columns may lack a line, as where a paragraph or
 * the column ends.
 */
const columnsAt = (lines: readonly Segment[][], start: number): Columns => {
  const columns: Columns = { left: [], right: [], sideBySide: 0, end: start };
  let leftEnds = Number.NEGATIVE_INFINITY;
  let rightBegins = Number.POSITIVE_INFINITY;
  let last: Segment | undefined;
  for (; columns.end < lines.length; columns.end++) {
    const segments = lines[columns.end]!;
    const [first, second] = segments;
    if (first === undefined || segments.length > 2 || isBackward(segments)) break;
    if (second === undefined && (last === undefined || !isNext(last, first))) break;
    const isRight = second === undefined && first.left > leftEnds;
    const [left, right] = isRight ? [undefined, first] : [first, second];
    leftEnds = Math.max(leftEnds, left?.right ?? leftEnds);
    rightBegins = Math.min(rightBegins, right?.left ?? rightBegins);
    if (rightBegins - leftEnds < GUTTER * heightOf(first)) break;
    if (left !== undefined) columns.left.push(left);
    if (right !== undefined) columns.right.push(right);
    if (second !== undefined) columns.sideBySide++;
    last = first;
  }
  return columns;
};

const isNext = (above: Segment, below: Segment): boolean => {
  const step = bottomOf(above) - bottomOf(below);
  return step > 0 && step <= NEXT_LINE * heightOf(below);
};

export const orderColumns = (lines: readonly TextItem[][]): TextItem[][] => {
  const segmented = lines.map(segmentsOf);
  const out: TextItem[][] = [];
  for (let at = 0; at < lines.length; ) {
    const columns = columnsAt(segmented, at);
    const end = Math.max(at + 1, columns.end);
    if (columns.sideBySide >= LEAST_LINES && isProse(columns.left) && isProse(columns.right))
      out.push(...[...columns.left, ...columns.right].map(({ items }) => items));
    else out.push(...lines.slice(at, end));
    at = end;
  }
  return out;
};
