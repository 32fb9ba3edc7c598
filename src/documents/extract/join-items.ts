/** Joins the text items that pdf.js finds on a page into its text: lines in reading order. */
import { joinAccents } from "./join-accents.ts";
import { orderColumns } from "./order-columns.ts";
import { isRightToLeft, orderLine } from "./order-line.ts";
import { orderRows } from "./order-rows.ts";
import { plainLetters } from "./plain-letters.ts";
import { splitLines } from "./split-lines.ts";
import { isBlank, type TextItem, yOf } from "./text-item.ts";

/** A step down the page of more than this many line heights ends a paragraph. */
const PARAGRAPH_GAP = 1.7;
/** Where most lines of a page are further apart than that, as in a thesis with double spacing, only a step larger than theirs does. */
const LARGER = 1.25;
/** Lines further apart than this are no paragraph, but entries, as of a form; in line heights. */
const WIDEST_SPACING = 3;
/** Fewer steps tell nothing about the spacing of a page. */
const LEAST_STEPS = 6;

const stepsOf = (lines: readonly (readonly TextItem[])[]): number[] => {
  const first = lines.flatMap((line) => line.find((item) => !isBlank(item)) ?? []);
  return first.flatMap((item, at) => {
    const above = first[at - 1];
    const step = above === undefined ? 0 : (yOf(above) - yOf(item)) / Math.max(above.height, item.height);
    return step > 0 ? [step] : [];
  });
};

const paragraphGapOf = (lines: readonly (readonly TextItem[])[]): number => {
  const steps = stepsOf(lines).sort((one, other) => one - other);
  const usual = steps[Math.floor(steps.length / 2)] ?? 0;
  const isSpaced = steps.length >= LEAST_STEPS && usual <= WIDEST_SPACING;
  return isSpaced ? Math.max(PARAGRAPH_GAP, LARGER * usual) : PARAGRAPH_GAP;
};

/** The letters of Arabic words touch. */
const SPREAD = /^[^\s\p{Script=Arabic}](?: [^\s\p{Script=Arabic}])*$/u;
/** In letters; fewer may stand alone by chance. */
const FEWEST_SPREAD = 5;
/** Formulas and lists of figures have fewer letters. */
const LEAST_SPREAD_LETTERS = 0.55;
const LETTERS = /\p{L}/gu;

/** Removes the blanks between the letters of letter-spaced text («R E P O R T»), in which words are separate items. */
const withoutSpread = (line: TextItem[]): TextItem[] => {
  const painted = line.map(({ str }) => str.trim()).filter((text) => text !== "");
  const signs = painted.join("").replaceAll(" ", "");
  const letters = signs.match(LETTERS)?.length ?? 0;
  if (letters < FEWEST_SPREAD || letters < LEAST_SPREAD_LETTERS * signs.length) return line;
  if (!painted.every((text) => SPREAD.test(text))) return line;
  return line.map((item) => ({ ...item, str: item.str.replace(/(?<=\S) (?=\S)/g, "") }));
};

/** Elsewhere than at the end of a line, a soft hyphen does not show. */
const HIDDEN_HYPHEN = /\u00ad(?!\n|$)/g;

/** The page's text. A gap between two lines becomes a blank line, so that chunks can end there. */
export const joinItems = (items: readonly TextItem[]): string => {
  let text = "";
  let lineY: number | undefined;
  let lineHeight = 0;
  const isFromTheRight = isRightToLeft(items);
  const ordered = orderRows(splitLines(joinAccents(items))).map((line) => orderLine(line, isFromTheRight));
  const lines = orderColumns(ordered).map(withoutSpread);
  const paragraphGap = paragraphGapOf(lines);
  for (const [at, line] of lines.entries()) {
    for (const item of line) {
      const y = yOf(item);
      const atLineStart = text === "" || text.endsWith("\n");
      if (atLineStart && !isBlank(item)) {
        const height = Math.max(lineHeight, item.height);
        if (lineY !== undefined && height > 0 && lineY - y > paragraphGap * height && !text.endsWith("\n\n")) text += "\n";
        lineY = y;
        lineHeight = item.height;
      }
      text += item.str;
    }
    if (at < lines.length - 1) text += "\n";
  }
  return plainLetters(text).replace(HIDDEN_HYPHEN, "");
};
