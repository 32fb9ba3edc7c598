/** The size of a text for chunking: about 400 tokens are 1,600 letters of an alphabet, or 500 characters of Chinese, Japanese or Korean. */

export const TARGET_SIZE = 1_600;
/** The weight of a Han, kana or hangul character in letters: 1,600 / 500. */
const WIDE_WEIGHT = 3.2;

const isWide = (code: number): boolean =>
  code >= 0x2e80 && (code <= 0x9fff || (code >= 0xac00 && code <= 0xd7ff) || (code >= 0xf900 && code <= 0xfaff));

export const sizeOf = (text: string, start = 0, end = text.length): number => {
  let size = 0;
  for (let at = start; at < end; at++) size += isWide(text.charCodeAt(at)) ? WIDE_WEIGHT : 1;
  return size;
};

/** Where a slice from `start` reaches the size `budget`: after `start`, and not between the halves of a surrogate pair. */
export const endWithin = (text: string, start: number, end: number, budget: number): number => {
  let at = start;
  for (let size = 0; at < end; at++) {
    size += isWide(text.charCodeAt(at)) ? WIDE_WEIGHT : 1;
    if (size > budget) break;
  }
  if (at < end && at > start + 1 && (text.charCodeAt(at) & 0xfc00) === 0xdc00) at--;
  return Math.max(at, start + 1);
};
