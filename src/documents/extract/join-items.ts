/** Joins the text items that pdf.js finds on a page into its text: lines in reading order. */
import { joinAccents } from "./join-accents.ts";
import { orderColumns } from "./order-columns.ts";
import { isRightToLeft, orderLine } from "./order-line.ts";
import { plainLetters } from "./plain-letters.ts";
import { splitLines } from "./split-lines.ts";
import { isBlank, type TextItem, yOf } from "./text-item.ts";

/** A step down the page of more than this many line heights ends a paragraph. */
const PARAGRAPH_GAP = 1.7;

const SPREAD = /^\p{L}(?: \p{L})*$/u;
const FEWEST_SPREAD = 5;

/** Removes the blanks between the letters of letter-spaced text («R E P O R T»), in which words are separate items. */
const withoutSpread = (line: TextItem[]): TextItem[] => {
  const painted = line.map(({ str }) => str.trim()).filter((text) => text !== "");
  const isSpread = painted.every((text) => SPREAD.test(text)) && painted.join(" ").length >= 2 * FEWEST_SPREAD - 1;
  return isSpread ? line.map((item) => ({ ...item, str: item.str.replace(/(?<=\S) (?=\S)/g, "") })) : line;
};

/** Elsewhere than at the end of a line, a soft hyphen does not show. */
const HIDDEN_HYPHEN = /\u00ad(?!\n|$)/g;

/** The page's text. A gap between two lines becomes a blank line, so that chunks can end there. */
export const joinItems = (items: readonly TextItem[]): string => {
  let text = "";
  let lineY: number | undefined;
  let lineHeight = 0;
  const isFromTheRight = isRightToLeft(items);
  const ordered = splitLines(joinAccents(items)).map((line) => orderLine(line, isFromTheRight));
  const lines = orderColumns(ordered).map(withoutSpread);
  for (const [at, line] of lines.entries()) {
    for (const item of line) {
      const y = yOf(item);
      const atLineStart = text === "" || text.endsWith("\n");
      if (atLineStart && !isBlank(item)) {
        const height = Math.max(lineHeight, item.height);
        if (lineY !== undefined && height > 0 && lineY - y > PARAGRAPH_GAP * height && !text.endsWith("\n\n")) text += "\n";
        lineY = y;
        lineHeight = item.height;
      }
      text += item.str;
    }
    if (at < lines.length - 1) text += "\n";
  }
  return plainLetters(text).replace(HIDDEN_HYPHEN, "");
};
