/** The articles of Arabic and Hebrew, which stand before a word without a blank, as «ال» in «الكتاب», also behind «and», «in», «for» and the like. */

import { isInvisible } from "./visible-text.ts";

const ARTICLES: ReadonlySet<string> = new Set("ال ٱل وال فال بال كال لل ولل فلل ה וה שה מה כשה".split(" "));
const MARK = /\p{M}/u;
/** What is longer is no article, not even with its vowels and some invisible characters. */
const LONGEST = 24;

const isRightToLeft = (point: number): boolean => point >= 0x5d0 && point <= 0x6ff;

/** Where the article begins that ends at `end`, right before a letter of its script; undefined if the letters there are none. */
export function articleStart(text: string, end: number): number | undefined {
  if (!isRightToLeft(text.charCodeAt(end))) return undefined;
  let letters = "";
  let start = end;
  for (let i = end - 1; i >= Math.max(0, end - LONGEST); i--) {
    const code = text.charCodeAt(i);
    const isSkipped = isInvisible(code) || MARK.test(text[i]!);
    if (!isSkipped && !isRightToLeft(code)) break;
    if (!isSkipped) letters = text[i]! + letters;
    start = i;
  }
  return ARTICLES.has(letters) ? start : undefined;
}
