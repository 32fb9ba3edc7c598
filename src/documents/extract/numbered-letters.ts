/**
 * Reads fonts that do not say which letters their glyphs are. pdf.js gives the glyphs' numbers as characters («+HOOR» for «Hello»); in most
 * TrueType fonts they are numbered in the order of the Macintosh's characters, beginning with the blank as number 3.
 */
import type { ContentItem } from "./actual-text.ts";

const BLANK = "\x03";
/** Share of the characters; no other text has any of this control character. */
const LEAST_BLANKS = 0.04;
/** In a shorter text it may be chance. */
const LEAST_CHARACTERS = 12;

/** The blank as a character of ASCII less its number; from the 98th glyph on, the delete character is left out. */
const ASCII_STEP = 29;
const FIRST_BEYOND = 98;
const LAST = 226;

const letterOf = (character: string): string => {
  const number = character.codePointAt(0)!;
  // Blanks are put in by pdf.js where it sees a gap.
  if (number < 3 || number > LAST || character === " ") return character;
  if (number < FIRST_BEYOND) return String.fromCharCode(number + ASCII_STEP);
  return new TextDecoder("macintosh").decode(Uint8Array.of(number + ASCII_STEP + 1));
};

const LETTERS = /[a-z]/g;
/** As numbers of glyphs they are «^», «_» and «`», but in words they are letters. */
const RARE = /[ABC]/g;
const MOST_LETTERS = 0.1;
const MOST_RARE = 0.01;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** A font may also name its letters, and not its blank. */
const areNumbers = (text: string): boolean =>
  text.length >= LEAST_CHARACTERS &&
  text.split(BLANK).length - 1 >= LEAST_BLANKS * text.length &&
  countOf(text, LETTERS) <= MOST_LETTERS * text.length &&
  countOf(text, RARE) <= MOST_RARE * text.length;

/** The names of the fonts whose characters are numbers. */
const numberedFonts = (items: readonly ContentItem[]): Set<string> => {
  const texts = new Map<string, string[]>();
  for (const item of items) {
    if (!("str" in item) || item.fontName === undefined) continue;
    const text = texts.get(item.fontName);
    if (text === undefined) texts.set(item.fontName, [item.str]);
    else text.push(item.str);
  }
  return new Set([...texts].filter(([, text]) => areNumbers(text.join(""))).map(([name]) => name));
};

export const withNumberedLetters = (items: readonly ContentItem[]): ContentItem[] => {
  if (!items.some((item) => "str" in item && item.str.includes(BLANK))) return [...items];
  const numbered = numberedFonts(items);
  return items.map((item) =>
    "str" in item && item.fontName !== undefined && numbered.has(item.fontName)
      ? { ...item, str: Array.from(item.str, letterOf).join("") }
      : item,
  );
};
