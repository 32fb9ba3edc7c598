/**
 * Orders a line's items by position, however they were drawn: font by font, as letters, words or whole runs, from either side. In a
 * right-to-left line, names and figures keep their own direction.
 */
import { isBlank, type Place, placeOf, type TextItem } from "./text-item.ts";

/** Gaps between items, in text heights; wider ones separate words, or the cells of a table. */
const WORD_GAP = 0.12;
const CELL_GAP = 1.2;
/** In items; without a bound, the time would grow with the square of the line. */
const LONGEST_NAMES = 200;
/** In points; narrower blanks are part of a ligature. */
const LEAST_BLANK = 0.01;

const LETTERS = /\p{L}/gu;
const NO_SIGN = /[^\p{P}\s]/u;
const BRACKETS = /[()[\]{}]/g;
const OPPOSITE: Record<string, string> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" };

const lettersOf = ({ str }: TextItem): number => str.match(LETTERS)?.length ?? 0;
const isName = (item: TextItem): boolean => item.dir !== "rtl" && lettersOf(item) > 0;

/**
 * Characters of figures, which are read from left to right: «2024/05/07», «₪1,250.50». In Arabic, hyphens and currency signs separate
 * figures.
 */
const FIGURES = /^[\p{N}\p{Sc}%‰°/:.,+-]+$/u;
const ARABIC_FIGURES = /^[\p{N}/:.,]+$/u;
const ARABIC = /\p{Script=Arabic}/u;

export const isRightToLeft = (line: readonly TextItem[]): boolean =>
  line.reduce((balance, item) => balance + (item.dir === "rtl" ? lettersOf(item) : -lettersOf(item)), 0) > 0;

const gapBetween = (right: Place, left: Place): number =>
  left.item.width === undefined ? 0 : (right.left - left.right) / (right.item.height || left.item.height || 1);

/** How many pieces from `at` on, to the left, are read from left to right: those up to the last name. */
const namesFrom = (pieces: readonly Place[], at: number): number => {
  let count = 0;
  const end = Math.min(pieces.length, at + LONGEST_NAMES);
  for (let next = at; next < end && pieces[next]!.item.dir !== "rtl"; next++) {
    if (next > at && gapBetween(pieces[next - 1]!, pieces[next]!) > CELL_GAP) break;
    if (isName(pieces[next]!.item)) count = next - at + 1;
  }
  // A bracket or other sign right of a name is read before it.
  return /[\p{L}\p{N}]/u.test(pieces[at]!.item.str) ? count : 0;
};

/** How many pieces from `at` on, to the left, are one figure. */
const figuresFrom = (pieces: readonly Place[], at: number, figures: RegExp): number => {
  let end = at;
  if (!/\p{N}/u.test(pieces[at]!.item.str)) return 0;
  while (end < pieces.length && end - at < LONGEST_NAMES && figures.test(pieces[end]!.item.str.trim())) {
    if (end > at && gapBetween(pieces[end - 1]!, pieces[end]!) > WORD_GAP) break;
    end++;
  }
  return end - at;
};

const NAME_BESIDE_BRACKET = /^([()[\]{}])(\s+)(.*)$/s;

/** A bracket left of a name, with a blank between them, opens or closes what comes next. */
const withBracketBehind = (names: Place[]): Place[] => {
  const [first, ...others] = names;
  const found = NAME_BESIDE_BRACKET.exec(first!.item.str);
  if (found === null) return names;
  const [, bracket, blanks, name] = found;
  return [
    { ...first!, item: { ...first!.item, str: name! } },
    ...others,
    { ...first!, item: { ...first!.item, str: `${blanks}${bracket}` } },
  ];
};

/** Figures that are no part of each other are read from the right: «16–23» on the page as «23–16». */
const figuresTurned = (signs: string[], figures: RegExp): string[] => {
  const parts: string[] = [];
  let isFigure = false;
  for (const sign of signs) {
    const wasFigure = isFigure;
    isFigure = figures.test(sign);
    if (isFigure && wasFigure) parts[parts.length - 1] += sign;
    else parts.push(sign);
  }
  return parts.reverse();
};

/** Reverses the signs at both ends of figures: «18-,» on the page is read as «,-18». */
const turned = (item: TextItem, figures: RegExp): TextItem => {
  if (item.dir === "rtl") return item;
  const signs = [...item.str];
  const first = signs.findIndex((sign) => NO_SIGN.test(sign));
  const last = signs.findLastIndex((sign) => NO_SIGN.test(sign));
  if (first === -1) return { ...item, str: signs.reverse().join("") };
  const within = figuresTurned(signs.slice(first, last + 1), figures);
  const parts = [signs.slice(last + 1).reverse(), within, signs.slice(0, first).reverse()];
  return { ...item, str: parts.flat().join("") };
};

const withBlanks = (pieces: readonly Place[]): TextItem[] =>
  pieces.flatMap(({ item }, at) => {
    const before = pieces[at - 1];
    if (before === undefined || /\s$/.test(before.item.str) || /^\s/.test(item.str)) return [item];
    const gap = before.left < pieces[at]!.left ? gapBetween(pieces[at]!, before) : gapBetween(before, pieces[at]!);
    return gap > WORD_GAP ? [{ ...item, str: " ", width: 0 }, item] : [item];
  });

/** Brackets are drawn mirrored; most producers, but not all, also mirror their characters. */
const withBrackets = (line: TextItem[]): TextItem[] => {
  const found = line.flatMap(({ str }) => str.match(BRACKETS) ?? []);
  const areMirrored = ")]}".includes(found[0] ?? "(") && "([{".includes(found.at(-1) ?? ")");
  return areMirrored ? line.map((item) => ({ ...item, str: item.str.replace(BRACKETS, (sign) => OPPOSITE[sign]!) })) : line;
};

const fromTheRight = (line: readonly TextItem[]): TextItem[] => {
  const figures = line.some(({ str }) => ARABIC.test(str)) ? ARABIC_FIGURES : FIGURES;
  const height = Math.max(...line.map((item) => item.height));
  // Between two words that were drawn one left of the other, pdf.js reports a blank as wide as both.
  const isStep = (width: number) => width < LEAST_BLANK || width > height;
  const pieces = line
    .filter((item) => item.str !== "" && !(isBlank(item) && isStep(item.width ?? 1)))
    .map(placeOf)
    .toSorted((one, other) => other.right - one.right || other.left - one.left);
  const ordered: Place[] = [];
  for (let at = 0; at < pieces.length; ) {
    const names = namesFrom(pieces, at);
    const count = Math.max(1, names, figuresFrom(pieces, at, figures));
    const run = pieces.slice(at, at + count).reverse();
    if (names > 0) ordered.push(...withBracketBehind(run));
    else {
      const item = turned({ ...run[0]!.item, str: run.map(({ item }) => item.str).join("") }, figures);
      ordered.push({ ...run[0]!, right: run.at(-1)!.right, item });
    }
    at += count;
  }
  return withBrackets(withBlanks(ordered));
};

/**
 * Whether items were drawn out of order. Steps back of less than a text height are accents and kerning. Items higher or lower belong to
 * another line or to vertical text, and right-to-left words always step back.
 */
const isShuffled = (painted: readonly Place[]): boolean =>
  painted.some(({ left, item }, at) => at > 0 && left < painted[at - 1]!.left - item.height) &&
  painted.every(({ base, item }) => item.dir !== "rtl" && Math.abs(base - painted[0]!.base) < item.height / 2);

/** If the page is read from the right, so is each line with a right-to-left word, even if it holds more Latin letters. */
export const orderLine = (line: TextItem[], isPageFromTheRight: boolean): TextItem[] => {
  if (isRightToLeft(line) || (isPageFromTheRight && line.some(({ dir }) => dir === "rtl"))) return fromTheRight(line);
  const painted = line.filter((item) => !isBlank(item)).map(placeOf);
  return isShuffled(painted) ? withBlanks(painted.sort((one, other) => one.left - other.left)) : line;
};
