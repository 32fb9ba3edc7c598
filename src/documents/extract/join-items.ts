/** The pieces of text that pdf.js finds on a page → the page's text: lines as they stand, right-to-left lines in reading order. */
import { orderColumns } from "./order-columns.ts";
import type { TextItem } from "./text-item.ts";

/** A step down the page of more than this many line heights is a paragraph's end. */
const PARAGRAPH_GAP = 1.7;

/** Ligatures, and the shapes that Arabic letters take beside others: what is meant are the letters. */
const SHAPED = /[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]/g;
const LETTERS = /\p{L}/gu;

const lettersOf = ({ str }: TextItem): number => str.match(LETTERS)?.length ?? 0;
const xOf = ({ transform }: TextItem): number => transform[4] ?? 0;

/** True for a line that is mostly written from right to left and whose pieces come from left to right, as they are painted. */
const isBackwards = (line: readonly TextItem[]): boolean => {
  let balance = 0;
  let steps = 0;
  let previous: TextItem | undefined;
  for (const item of line) {
    const letters = lettersOf(item);
    balance += item.dir === "rtl" ? letters : -letters;
    if (item.dir !== "rtl") continue;
    if (previous !== undefined) steps += Math.sign(xOf(item) - xOf(previous));
    previous = item;
  }
  return balance > 0 && steps >= 0 && line.length > 1 && xOf(line.at(-1)!) > xOf(line[0]!);
};

/** What stands in it from left to right (figures, names) keeps its order. */
const turned = (line: readonly TextItem[]): TextItem[] => {
  const out: TextItem[] = [];
  let run: TextItem[] = [];
  for (const item of line.toReversed()) {
    if (item.dir !== "rtl" && item.str.trim() !== "") run.unshift(item);
    else {
      out.push(...run, item);
      run = [];
    }
  }
  return [...out, ...run];
};

/** A gap to the left of a piece that is wider than this part of its height parts two words. */
const WORD_GAP = 0.15;

/** Where letters are painted one by one from right to left, pdf.js sees no blanks: what it was painted to the left of, with a gap, is a word. */
const withBlanks = (line: readonly TextItem[]): TextItem[] =>
  line.flatMap((item, at) => {
    const before = line[at - 1];
    if (before?.dir !== "rtl" || item.width === undefined || /\s$/.test(before.str) || /^\s/.test(item.str)) return [item];
    const gap = xOf(before) - (xOf(item) + item.width);
    return gap > WORD_GAP * before.height ? [{ ...item, str: " ", width: 0 }, item] : [item];
  });

/** Bold where there is no bold font, and shadows, are painted twice, a hair apart: it is read once. */
const SAME_PLACE = 0.15;

const withoutEchoes = (items: readonly TextItem[]): TextItem[] => {
  let last: TextItem | undefined;
  return items.map((item) => {
    if (item.str.trim() === "") return item;
    if (last !== undefined && item.str === last.str && isAt(item, last)) return { ...item, str: "" };
    last = item;
    return item;
  });
};

const isAt = (one: TextItem, other: TextItem): boolean =>
  one.height > 0 &&
  Math.abs(xOf(one) - xOf(other)) < SAME_PLACE * one.height &&
  Math.abs((one.transform[5] ?? 0) - (other.transform[5] ?? 0)) < SAME_PLACE * one.height;

/** A line's last item may be empty and only end it. */
const inReadingOrder = (line: TextItem[]): TextItem[] => {
  const painted = line.filter(({ str }) => str !== "");
  return isBackwards(painted) ? turned(painted) : withBlanks(line);
};

const linesOf = (items: readonly TextItem[]): TextItem[][] => {
  const lines: TextItem[][] = [[]];
  for (const item of items) {
    lines.at(-1)!.push(item);
    if (item.hasEOL) lines.push([]);
  }
  return lines;
};

/** A blank line stands where the page leaves a gap, so that chunks can end there. */
export const joinItems = (items: readonly TextItem[]): string => {
  let text = "";
  let lineY: number | undefined;
  let lineHeight = 0;
  const lines = orderColumns(linesOf(withoutEchoes(items)));
  for (const [at, line] of lines.entries()) {
    for (const item of inReadingOrder(line)) {
      const y = item.transform[5] ?? 0;
      const atLineStart = text === "" || text.endsWith("\n");
      if (atLineStart && item.str.trim() !== "") {
        const height = Math.max(lineHeight, item.height);
        if (lineY !== undefined && height > 0 && lineY - y > PARAGRAPH_GAP * height && !text.endsWith("\n\n")) text += "\n";
        lineY = y;
        lineHeight = item.height;
      }
      text += item.str;
    }
    if (at < lines.length - 1) text += "\n";
  }
  return text.replace(SHAPED, (character) => character.normalize("NFKC"));
};
