/**
 * Puts together what stands in one row of a page but was painted apart: the values of a form after all of its labels, a table column by
 * column. Columns of prose stay apart. Lines that were painted from the bottom up are turned.
 */
import { fillGaps } from "./fill-gaps.ts";
import { areFigures, isProse, isUp, MOST_SEGMENTS, type Row, rowOf, runsOf } from "./page-row.ts";
import { type Segment, textOf } from "./segments.ts";
import type { Line } from "./split-lines.ts";
import { isBlank, type TextItem } from "./text-item.ts";

type Pair = { row: Row; partner: Row };

/** A map may have thousands of labels. */
const MOST_LINES = 1_000;
/** In text heights; fields stand a little higher or lower than their labels. */
const SAME_ROW = 0.25;
const FIELD_IN_ROW = 0.5;
/** In points; rows are looked for by their height on the page. */
const BAND = 4;

const LEAST_LABELS = 0.5;
const LABEL = /[:：]\s*$/;
/** Of an item of a list. */
const MARKER = /^\s*(?:[•◦▪■●‣–-]|(?:\d{1,3}|\p{L}|[ivx]{1,5})[.)])\s*$/u;
/** In text heights. */
const FARTHEST_MARKER = 4;
/** Share of the lines' steps that lead up the page where it was painted from the bottom, or in no order. */
const MOST_STEPS_UP = 0.5;
const LEAST_STEPS = 4;

const isLabelled = ({ row, partner }: Pair): boolean => {
  const { left } = row.segments[0]!;
  const before = partner.segments.findLast((segment) => segment.right <= left);
  return before !== undefined && LABEL.test(textOf(before.items));
};

/** The field of a form, right of its label. */
const isField = ({ row, partner }: Pair): boolean => row.isAlone && partner.segments[0]!.left < row.segments[0]!.left;

const isMarked = ({ row, partner }: Pair): boolean => {
  const gap = partner.segments[0]!.left - row.segments.at(-1)!.right;
  return MARKER.test(row.text) && gap >= 0 && gap <= FARTHEST_MARKER * row.height;
};

/**
 * Labels and their values, items of a list and their markers, or the columns of a table; two columns of names or of entries in an index are
 * not told from prose.
 */
const belongTogether = (pairs: readonly Pair[]): boolean => {
  const rows = pairs.map(({ row }) => row);
  const partners = pairs.map(({ partner }) => partner);
  const areMostly = (is: (pair: Pair) => boolean) => pairs.filter(is).length >= LEAST_LABELS * pairs.length;
  const areLabelled = areMostly(isLabelled);
  if (pairs.every(isMarked) || areMostly(isField)) return true;
  if (isProse(rows) || isProse(partners)) return false;
  const isAmongProse = pairs.some(({ row, partner }) => row.isOfProse || partner.isOfProse);
  // In columns of prose, a line that ends in a colon may happen to lie beside another.
  if (pairs.length < 2) return areLabelled && !isAmongProse;
  return areLabelled || (!isAmongProse && (areFigures(rows) || areFigures(partners)));
};

const areApart = (row: Row, other: Row): boolean =>
  other.segments.length <= MOST_SEGMENTS &&
  row.segments.every((own) => other.segments.every(({ left, right }) => own.left >= right || own.right <= left));

type Bands = Map<number, Row[]>;
const bandOf = ({ base }: Row): number => Math.round(base / BAND);

const partnerOf = (row: Row, bands: Bands): Row | undefined => {
  const near = [0, 1, -1].flatMap((step) => bands.get(bandOf(row) + step) ?? []);
  const most = row.height * (row.isAlone ? FIELD_IN_ROW : SAME_ROW);
  return near.find((other) => Math.abs(other.base - row.base) <= most && areApart(row, other));
};

const joinPair = ({ row, partner }: Pair): void => {
  delete partner.line;
  partner.segments = [...partner.segments, ...row.segments].sort((one, other) => one.left - other.left);
  partner.text += ` ${row.text}`;
};

/** Rows that were painted after those beside them are joined to these; the others come back. */
const joinRows = (rows: readonly Row[]): Row[] => {
  for (const run of runsOf(rows)) if (isProse(run)) for (const row of run) row.isOfProse = true;
  const bands: Bands = new Map();
  const kept: Row[] = [];
  let pairs: Pair[] = [];
  const keep = (row: Row) => {
    kept.push(row);
    const band = bands.get(bandOf(row));
    if (band === undefined) bands.set(bandOf(row), [row]);
    else band.push(row);
  };
  const endRun = () => {
    if (pairs.length > 0 && belongTogether(pairs)) pairs.forEach(joinPair);
    else for (const { row } of pairs) keep(row);
    pairs = [];
  };
  for (const [at, row] of rows.entries()) {
    if (isUp(row, rows[at - 1])) endRun();
    const partner = partnerOf(row, bands);
    if (partner !== undefined) {
      pairs.push({ row, partner });
      continue;
    }
    endRun();
    keep(row);
  }
  endRun();
  return kept;
};

const blankBefore = ({ items: [first] }: Segment): TextItem => ({ ...first!, str: " ", width: 0, hasEOL: false });

const itemsOf = ({ line, segments }: Row): TextItem[] =>
  line ?? segments.flatMap((segment, at) => (at === 0 ? segment.items : [blankBefore(segment), ...segment.items]));

const fromTheTop = (rows: readonly Row[]): Row[] => {
  const steps = rows.length - 1;
  const up = rows.filter((row, at) => isUp(row, rows[at - 1])).length;
  return steps >= LEAST_STEPS && up > MOST_STEPS_UP * steps ? rows.toSorted((one, other) => other.base - one.base) : [...rows];
};

export const orderRows = (lines: readonly Line[]): TextItem[][] => {
  const rows = lines.filter(({ items }) => !items.every(isBlank)).map(rowOf);
  if (rows.length > MOST_LINES) return lines.map(({ items }) => items);
  const joined = fillGaps(joinRows(rows));
  const ordered = rows.some(({ base }) => Number.isNaN(base)) ? joined : fromTheTop(joined);
  const isSame = ordered.length === rows.length && ordered.every((row, at) => row === rows[at]);
  return isSame ? lines.map(({ items }) => items) : ordered.map(itemsOf);
};
