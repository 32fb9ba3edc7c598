/**
 * Characters in the form in which terms are compared: full Unicode case folding (ß = SS), canonical decomposition, full-width
 * forms as ASCII, a typesetter's hyphens and quotes as those of a keyboard. Blanks and invisible characters are told apart here and handled by the search.
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

/** What no font shows (Unicode's Default_Ignorable_Code_Point), first and last of each run, rising. */
const INVISIBLE: readonly (readonly [first: number, last: number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** Such characters hide nothing and part nothing. */
export const isInvisible = (point: number): boolean => {
  for (const [first, last] of INVISIBLE) if (point <= last) return point >= first;
  return false;
};

/** Models write `co\u2011op` and `don\u2019t`; who lists a term types `co-op` and `don't`. Hyphens, the dashes that pass for one, quotes. */
const PLAIN: ReadonlyMap<number, string> = new Map([
  ...[0x2010, 0x2011, 0x2012, 0x2013, 0x2212].map((point) => [point, "-"] as const),
  ...[0x2018, 0x2019, 0x201b].map((point) => [point, "'"] as const),
  ...[0x201c, 0x201d, 0x201e].map((point) => [point, '"'] as const),
]);

const isIdeograph = (point: number): boolean => point >= 0x3400 && point <= 0x9fff;

/** Lower, upper, then lower case gives full case folding a code point at a time (ẞ has no upper case, ß has SS); the Turkish dotless ı folds to itself. */
export function foldPoint(point: number): string {
  const character = String.fromCodePoint(point);
  if (isIdeograph(point)) return character;
  const plain = PLAIN.get(point);
  if (plain !== undefined) return plain;
  if (point >= 0xff01 && point <= 0xff5e) return foldPoint(point - 0xfee0);
  return (point === 0x131 ? character : character.toLowerCase().toUpperCase().toLowerCase()).normalize("NFD");
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
