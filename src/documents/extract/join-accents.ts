/** Joins accents that were drawn over the next letter, as TeX does if a font lacks the accented letter: «¨o» becomes «ö». */
import { isBlank, type TextItem, xOf, yOf } from "./text-item.ts";

/** The accents and their combining marks. */
const ACCENTS = new Map([
  ["`", "\u0300"],
  ["´", "\u0301"],
  ["ˆ", "\u0302"],
  ["˜", "\u0303"],
  ["¯", "\u0304"],
  ["˘", "\u0306"],
  ["˙", "\u0307"],
  ["¨", "\u0308"],
  ["˚", "\u030a"],
  ["˝", "\u030b"],
  ["ˇ", "\u030c"],
  ["¸", "\u0327"],
  ["˛", "\u0328"],
]);
/** Drawn under an accent instead of the dotted letters. */
const DOTLESS: Record<string, string> = { ı: "i", ȷ: "j" };
/** How far the letter begins before the accent's end, in text heights. */
const LEAST_OVERLAP = 0.15;
const MOST_OVERLAP = 1;

const isOver = (accent: TextItem, letter: TextItem): boolean => {
  const overlap = (xOf(accent) + (accent.width ?? 0) - xOf(letter)) / letter.height;
  const rise = (yOf(accent) - yOf(letter)) / letter.height;
  return overlap >= LEAST_OVERLAP && overlap <= MOST_OVERLAP && Math.abs(rise) < 0.5 && !accent.hasEOL;
};

/** Stressed vowels of Cyrillic are no letters of their own. */
const STRESSED = /^[аеиоуыэюяєії]\u0301$/i;

/** The accented letter; undefined if there is none. */
const composed = (mark: string, letter: string): string | undefined => {
  const whole = `${DOTLESS[letter] ?? letter}${mark}`.normalize("NFC");
  return whole.length === 1 || STRESSED.test(whole) ? whole : undefined;
};

/** A letter that begins no further right than a blank, in text heights, follows the text before the blank. */
const NO_GAP = 0.1;

/** Only the accent, which is narrower than its letter, begins behind such a blank. */
const isIndent = (item: TextItem | undefined, letter: TextItem): boolean =>
  item !== undefined && isBlank(item) && !item.hasEOL && Math.abs(xOf(letter) - xOf(item)) < NO_GAP * letter.height;

export const joinAccents = (items: readonly TextItem[]): TextItem[] => {
  const joined: TextItem[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    const mark = ACCENTS.get(last?.str.at(-1) ?? "");
    const letter = mark !== undefined && isOver(last!, item) ? composed(mark, item.str.charAt(0)) : undefined;
    if (letter === undefined) {
      joined.push(item);
      continue;
    }
    joined[joined.length - 1] = { ...last!, str: last!.str.slice(0, -1) };
    if (joined.at(-1)!.str === "" && isIndent(joined.at(-2), item)) joined.splice(-2);
    joined.push({ ...item, str: letter + item.str.slice(1) });
  }
  return joined;
};
