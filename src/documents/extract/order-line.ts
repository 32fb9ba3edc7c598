/**
 * Orders a line's items by position, however they were drawn: font by font, as letters, words or whole runs, from either side. In a
 * right-to-left line, names and figures keep their own direction.
 */
import type { TextItem } from "./text-item.ts";

type Piece = { item: TextItem; left: number; right: number; base: number };

/** Gaps between items, in text heights; wider ones separate words, or the cells of a table. */
const WORD_GAP = 0.12;
const CELL_GAP = 1.2;
/** In items; a longer look would cost more the longer a line is. */
const LONGEST_NAMES = 200;

const LETTERS = /\p{L}/gu;
const NO_SIGN = /[^\p{P}\s]/u;
const BRACKETS = /[()[\]{}]/g;
const OPPOSITE: Record<string, string> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" };

const lettersOf = ({ str }: TextItem): number => str.match(LETTERS)?.length ?? 0;
const isBlank = ({ str }: TextItem): boolean => str.trim() === "";
const isName = (item: TextItem): boolean => item.dir !== "rtl" && lettersOf(item) > 0;

const isRightToLeft = (line: readonly TextItem[]): boolean =>
  line.reduce((balance, item) => balance + (item.dir === "rtl" ? lettersOf(item) : -lettersOf(item)), 0) > 0;

/** Position along the line and across it, whichever way the page is rotated. */
const placeOf = (item: TextItem): Piece => {
  const [a = 1, b = 0, , , x = 0, y = 0] = item.transform;
  const length = Math.hypot(a, b) || 1;
  const left = (x * a + y * b) / length;
  return { item, left, right: left + (item.width ?? 0), base: (y * a - x * b) / length };
};

const gapBetween = (right: Piece, left: Piece): number =>
  left.item.width === undefined ? 0 : (right.left - left.right) / (right.item.height || left.item.height || 1);

/** How many items from `at` on, leftwards, are read from left to right: as far as names go, with the figures to their right. */
const namesFrom = (pieces: readonly Piece[], at: number): number => {
  let count = 0;
  const end = Math.min(pieces.length, at + LONGEST_NAMES);
  for (let next = at; next < end && pieces[next]!.item.dir !== "rtl"; next++) {
    if (next > at && gapBetween(pieces[next - 1]!, pieces[next]!) > CELL_GAP) break;
    if (isName(pieces[next]!.item)) count = next - at + 1;
  }
  return isBlank(pieces[at]!.item) ? 0 : count;
};

/** «18-,» on the page is read as «,-18». */
const turned = (item: TextItem): TextItem => {
  if (item.dir === "rtl") return item;
  const signs = [...item.str];
  const first = signs.findIndex((sign) => NO_SIGN.test(sign));
  const last = signs.findLastIndex((sign) => NO_SIGN.test(sign));
  if (first === -1) return { ...item, str: signs.reverse().join("") };
  const parts = [signs.slice(last + 1).reverse(), signs.slice(first, last + 1), signs.slice(0, first).reverse()];
  return { ...item, str: parts.flat().join("") };
};

const withBlanks = (pieces: readonly Piece[]): TextItem[] =>
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
  const pieces = line
    .filter(({ str }) => str !== "")
    .map(placeOf)
    .toSorted((one, other) => other.right - one.right);
  const ordered: Piece[] = [];
  for (let at = 0; at < pieces.length; ) {
    const names = namesFrom(pieces, at);
    if (names > 0) ordered.push(...pieces.slice(at, at + names).reverse());
    else ordered.push({ ...pieces[at]!, item: turned(pieces[at]!.item) });
    at += Math.max(1, names);
  }
  return withBrackets(withBlanks(ordered));
};

/**
 * Steps back of less than a text height are accents and kerning; items higher or lower belong to another line, or to vertical text.
 * Right-to-left words within such a line step back by nature.
 */
const isShuffled = (painted: readonly Piece[]): boolean =>
  painted.some(({ left, item }, at) => at > 0 && left < painted[at - 1]!.left - item.height) &&
  painted.every(({ base, item }) => item.dir !== "rtl" && Math.abs(base - painted[0]!.base) < item.height / 2);

export const orderLine = (line: TextItem[]): TextItem[] => {
  if (isRightToLeft(line)) return fromTheRight(line);
  const painted = line.filter((item) => !isBlank(item)).map(placeOf);
  return isShuffled(painted) ? withBlanks(painted.sort((one, other) => one.left - other.left)) : line;
};
