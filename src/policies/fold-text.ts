/**
 * Characters in the form in which terms are compared: full Unicode case folding (ß = SS), canonical decomposition, full-width
 * forms as ASCII. Blanks and invisible characters are told apart here and handled by the search.
 */

export const isSpace = (point: number): boolean =>
  point === 32 ||
  (point >= 9 && point <= 13) ||
  point === 0xa0 ||
  point === 0x1680 ||
  (point >= 0x2000 && point <= 0x200a) ||
  point === 0x2028 ||
  point === 0x2029 ||
  point === 0x202f ||
  point === 0x205f ||
  point === 0x3000;

/** Zero-width and other default-ignorable characters: they hide nothing and part nothing. */

export const isInvisible = (point: number): boolean =>
  point === 0xad ||
  point === 0x34f ||
  point === 0x61c ||
  point === 0x180e ||
  (point >= 0x200b && point <= 0x200f) ||
  (point >= 0x202a && point <= 0x202e) ||
  (point >= 0x2060 && point <= 0x2064) ||
  (point >= 0xfe00 && point <= 0xfe0f) ||
  point === 0xfeff;

const isIdeograph = (point: number): boolean => point >= 0x3400 && point <= 0x9fff;

/** Upper, then lower case gives full case folding a code point at a time; the Turkish dotless ı folds to itself. */
export function foldPoint(point: number): string {
  const character = String.fromCodePoint(point);
  if (isIdeograph(point)) return character;
  if (point >= 0xff01 && point <= 0xff5e) return foldPoint(point - 0xfee0);
  return (point === 0x131 ? character : character.toUpperCase().toLowerCase()).normalize("NFD");
}

/** The visible characters of `text`, folded, runs of blanks as one. */
export function foldTerm(text: string): string {
  let folded = "";
  for (const character of text.trim()) {
    const point = character.codePointAt(0)!;
    if (isSpace(point)) folded += folded.endsWith(" ") ? "" : " ";
    else if (!isInvisible(point)) folded += foldPoint(point);
  }
  return folded;
}
