/**
 * Splits a page's items into lines. pdf.js marks the ends of lines and blanks between words, but not where a part of the page begins that is
 * an object of its own: a stamp, a letterhead, a field of a form that was made part of the page.
 */
import { isBlank, placeOf, type TextItem, xOf, yOf } from "./text-item.ts";

/** `isApart`: it begins such an object. */
type Line = { items: TextItem[]; isApart: boolean };

/** A gap of more text heights separates words; smaller ones also occur within words, as between the parts of an Indic letter. */
const WORD_GAP = 1;
/** Text that stands higher or lower by less than this share of its height is on the same line. */
const SAME_LINE = 0.5;
/** In text heights. */
const TURNED_GAP = 2;

export const splitLines = (items: readonly TextItem[]): TextItem[][] => {
  const lines: Line[] = [{ items: [], isApart: false }];
  let last: TextItem | undefined;
  for (const item of items) {
    if (last !== undefined && !isBlank(item)) {
      const { across, along } = stepBetween(last, item);
      if (across > 1) lines.push({ items: [], isApart: true });
      else if (along > WORD_GAP && lines.at(-1)!.items.at(-1) === last) lines.at(-1)!.items.push(...blankBetween(last, item));
    }
    lines.at(-1)!.items.push(item);
    if (!isBlank(item)) last = item;
    if (!item.hasEOL) continue;
    lines.push({ items: [], isApart: false });
    last = undefined;
  }
  return besideLabels(lines).map((line) => line.items);
};

/**
 * In text heights; zero between texts that run in different directions. But if one runs across the other and begins far from its end, as the
 * caption of a figure does after the label of an axis, they are not on the same line.
 */
const stepBetween = (last: TextItem, item: TextItem): { along: number; across: number } => {
  const height = Math.max(last.height, item.height);
  if (height === 0 || last.width === undefined || item.width === undefined) return { along: 0, across: 0 };
  const isTurned = [0, 1].some((at) => Math.sign(last.transform[at] ?? 0) !== Math.sign(item.transform[at] ?? 0));
  if (isTurned) {
    const isElsewhere = runAcross(last, item) && endToBeginning(last, item) > TURNED_GAP * height;
    return { along: 0, across: isElsewhere ? Number.POSITIVE_INFINITY : 0 };
  }
  const [from, to] = [placeOf(last), placeOf(item)];
  return { along: (to.left - from.right) / height, across: Math.abs(to.base - from.base) / height };
};

const runAcross = ({ transform: [a = 1, b = 0] }: TextItem, { transform: [c = 1, d = 0] }: TextItem): boolean =>
  Math.abs(a * c + b * d) < Math.abs(a * d - b * c);

/** In points. */
const endToBeginning = (last: TextItem, item: TextItem): number => {
  const [a = 1, b = 0] = last.transform;
  const advance = (last.width ?? 0) / (Math.hypot(a, b) || 1);
  return Math.hypot(xOf(item) - xOf(last) - a * advance, yOf(item) - yOf(last) - b * advance);
};

const blankBetween = (last: TextItem, item: TextItem): TextItem[] =>
  /\s$/.test(last.str) || /^\s/.test(item.str) ? [] : [{ ...item, str: " ", width: 0, hasEOL: false }];

/** Labels of fields are looked for only on pages with at most this many lines; a map may have thousands of objects. */
const MOST_LINES = 1_000;

/** Objects of a single line, such as the fields of a form, are put behind the text to their left. */
const besideLabels = (lines: readonly Line[]): Line[] => {
  if (lines.length > MOST_LINES) return [...lines];
  const placed: Line[] = [];
  for (const [at, line] of lines.entries()) {
    const isAlone = line.isApart && (lines[at + 1]?.isApart ?? true);
    const label = isAlone ? placed.find((other) => isBeside(other, line)) : undefined;
    if (label === undefined) placed.push(line);
    else label.items.push(...blankBetween(label.items.at(-1)!, line.items[0]!), ...line.items);
  }
  return placed;
};

const isBeside = ({ items: left }: Line, { items: [first] }: Line): boolean => {
  const last = left.findLast((item) => !isBlank(item));
  if (last === undefined || first === undefined || first.dir === "rtl") return false;
  const { along, across } = stepBetween(last, first);
  return across < SAME_LINE && along > 0;
};
