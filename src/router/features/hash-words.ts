/**
 * Turns a text into bucket numbers of its words, word pairs and letter groups: the sparse half of the heads' input. Case, accents, digits
 * and runs of blanks make no difference; a typing error leaves most letter groups of its word unchanged.
 */
import type { FoldedText } from "../../encoder/fold-text.ts";

export const BUCKETS = 1 << 16;
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const PAIR = 0x9e3779b1;
const START = 0x85ebca6b;
const GRAM = 0x27d4eb2f;
const SKELETON = 0x165667b1;
/** In a sentence's skeleton, longer words are all the same word: "is it a or b?" is the same question whatever a and b are. */
const FUNCTION_WORD = 3;
/** The length of letter groups; a shorter word is a group of its own. */
const GROUP = 4;

/** Scrambles the 32 bits so that the low ones, which pick the bucket, depend on all. */
function bucketOf(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  h ^= h >>> 15;
  return h & (BUCKETS - 1);
}

/** Whether the character belongs to a script without blanks between words, where each character counts as a word. */
const standsAlone = (code: number): boolean =>
  (code >= 0x3040 && code <= 0x9fff) || (code >= 0xe00 && code <= 0xeff) || code >= 0xf900;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || code > 0xbf;

/**
 * Writes the buckets of `text` into `into` from `count` on, until there are `limit`; the last word may add 18 to that. Returns how many
 * there are. `whole` adds pairs, the opening words and letter groups.
 */
export function hashWords({ codes, length }: FoldedText, into: Int32Array, count: number, limit: number, whole = true): number {
  let before = START;
  let words = 0;
  // The last three words of the sentence's skeleton, oldest first.
  let a = START;
  let b = START;
  let c = START;
  let at = count;
  for (let i = 0; i < length && at < limit; ) {
    const code = codes[i]!;
    const from = i;
    let hash = SEED;
    if (standsAlone(code)) {
      hash = Math.imul(hash ^ code, PRIME);
      i++;
    } else if (code >= 48 && code <= 57) {
      while (i < length && isDigitPart(codes[i]!)) i++;
      hash = Math.imul(hash ^ 48, PRIME);
    } else if (isLetter(code)) {
      while (i < length && isLetter(codes[i]!) && !standsAlone(codes[i]!)) hash = Math.imul(hash ^ codes[i++]!, PRIME);
      if (whole && i - from > GROUP) at = addGroups(codes, from, i, into, at);
    } else {
      i++;
      if (code <= 32 || code === 39 || code === 0x2019 || code === 0xa0) continue;
      hash = Math.imul(hash ^ code, PRIME);
    }
    const bone = i - from > FUNCTION_WORD ? SKELETON : hash;
    if (whole) {
      // Three and four neighbouring words of the skeleton.
      const three = Math.imul(Math.imul(b ^ SKELETON, PRIME) ^ c, PAIR) ^ bone;
      into[at++] = bucketOf(three);
      into[at++] = bucketOf(Math.imul(a, PAIR) ^ Math.imul(three, PRIME));
      a = b;
      b = c;
      c = bone;
    }
    // Full stops and commas are part of the skeleton, but are not words.
    if (code === 46 || code === 44) continue;
    into[at++] = bucketOf(hash);
    if (whole) into[at++] = bucketOf(Math.imul(before, PAIR) ^ hash);
    if (whole && words < 3) into[at++] = bucketOf(Math.imul(START + words, PRIME) ^ hash);
    before = hash;
    words++;
  }
  return at;
}

const isDigitPart = (code: number): boolean => (code >= 48 && code <= 57) || code === 46 || code === 44;

function addGroups(codes: Uint16Array, from: number, to: number, into: Int32Array, count: number): number {
  const last = Math.min(to, from + 16) - GROUP;
  for (let at = from; at <= last; at++) {
    let hash = at === from ? GRAM ^ 1 : at === to - GROUP ? GRAM ^ 2 : GRAM;
    for (let i = at; i < at + GROUP; i++) hash = Math.imul(hash ^ codes[i]!, PRIME);
    into[count++] = bucketOf(hash);
  }
  return count;
}
