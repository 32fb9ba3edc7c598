/**
 * Splits a page's items into lines. pdf.js marks the ends of lines and blanks between words, but not where a part of the page begins that is
 * an object of its own: a stamp, a letterhead, a field of a form that was made part of the page.
 */
import { isBlank, placeOf, type TextItem, xOf, yOf } from "./text-item.ts";

/** `isAlone`: it is such an object of a single line, as the field of a form. */
export type Line = { items: TextItem[]; isAlone: boolean };

/** A gap of more text heights separates words; smaller ones also occur within words, as between the parts of an Indic letter. */
const WORD_GAP = 1;
/** In text heights. */
const TURNED_GAP = 2;

export const splitLines = (items: readonly TextItem[]): Line[] => {
  const lines: { items: TextItem[]; isApart: boolean }[] = [{ items: [], isApart: false }];
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
  return lines.map(({ items, isApart }, at) => ({ items, isAlone: isApart && (lines[at + 1]?.isApart ?? true) }));
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
