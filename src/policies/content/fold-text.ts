/**
 * Characters in the form in which terms are compared: full Unicode case folding (ß = SS), canonical decomposition, full-width forms as
 * ASCII, typographic hyphens and quotes as those of a keyboard. The search handles blanks and invisible characters itself.
 */

import { BLANKS, isOneOf } from "./detectors/characters.ts";
import { isInvisible } from "./visible-text.ts";

export const isSpace = isOneOf(`\t\n\v\f\r\u1680\u2028\u2029\u3000${BLANKS}`);

/**
 * Models write `co\u2011op` and `don\u2019t`, while owners of policies type `co-op` and `don't`: hyphens, dashes used as hyphens, quotes.
 */
const PLAIN: ReadonlyMap<number, string> = new Map([
  ...[0x2010, 0x2011, 0x2012, 0x2013, 0x2212].map((point) => [point, "-"] as const),
  ...[0x2018, 0x2019, 0x201b].map((point) => [point, "'"] as const),
  ...[0x201c, 0x201d, 0x201e].map((point) => [point, '"'] as const),
]);

const isIdeograph = (point: number): boolean => point >= 0x3400 && point <= 0x9fff;

/**
 * One code point folded. Lower, upper and again lower case make up full case folding (ẞ has no upper case, ß has SS); the Turkish dotless ı
 * folds to itself.
 */
export function foldPoint(point: number): string {
  const character = String.fromCodePoint(point);
  if (isIdeograph(point)) return character;
  const plain = PLAIN.get(point);
  if (plain !== undefined) return plain;
  if (point >= 0xff01 && point <= 0xff5e) return foldPoint(point - 0xfee0);
  return (point === 0x131 ? character : character.toLowerCase().toUpperCase().toLowerCase()).normalize("NFD");
}

/** The visible characters of `text`, folded; each run of blanks becomes one blank. */
export function foldTerm(text: string): string {
  let folded = "";
  for (const character of text.trim()) {
    const point = character.codePointAt(0)!;
    if (isSpace(point)) folded += folded.endsWith(" ") ? "" : " ";
    else if (!isInvisible(point)) folded += foldPoint(point);
  }
  return folded;
}
