/**
 * Text → bucket numbers of its words, word pairs and letter groups: the sparse half of what the heads see. Case, accents, digits
 * and runs of blanks make no difference; a typing error leaves most letter groups of its word untouched.
 */
import { foldCase } from "../encoder/wordpiece.ts";

export const BUCKETS = 1 << 16;
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const PAIR = 0x9e3779b1;
const START = 0x85ebca6b;
const GRAM = 0x27d4eb2f;
const SKELETON = 0x165667b1;
/** Words longer than this are "some word" in a skeleton: "is it a or b?" reads the same whatever a and b are. */
const FUNCTION_WORD = 3;
/** Letter groups have this length; shorter words stand for themselves. */
const GROUP = 4;

/** Scrambles the 32 bits so that the low ones, which pick the bucket, depend on all. */
function bucketOf(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  h ^= h >>> 15;
  return h & (BUCKETS - 1);
}

/** Scripts written without blanks between words: each character is a word there. */
const standsAlone = (code: number): boolean =>
  (code >= 0x3040 && code <= 0x9fff) || (code >= 0xe00 && code <= 0xeff) || code >= 0xf900;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || code > 0xbf;

/** Appends the buckets of `text` to `into`, at most `limit` in all. `whole` adds pairs, the opening words and letter groups. */
export function hashWords(text: string, into: number[], limit: number, whole = true): void {
  const folded = foldCase(text);
  let before = START;
  let words = 0;
  // The last three bones of the sentence's skeleton, oldest first.
  let a = START;
  let b = START;
  let c = START;
  for (let i = 0; i < folded.length && into.length < limit; ) {
    const code = folded.charCodeAt(i);
    const from = i;
    let hash = SEED;
    if (standsAlone(code)) {
      hash = Math.imul(hash ^ code, PRIME);
      i++;
    } else if (code >= 48 && code <= 57) {
      while (i < folded.length && isDigitPart(folded.charCodeAt(i))) i++;
      hash = Math.imul(hash ^ 48, PRIME);
    } else if (isLetter(code)) {
      while (i < folded.length && isLetter(folded.charCodeAt(i)) && !standsAlone(folded.charCodeAt(i))) {
        hash = Math.imul(hash ^ folded.charCodeAt(i++), PRIME);
      }
      if (whole && i - from > GROUP) pushGroups(folded, from, i, into);
    } else {
      i++;
      if (code <= 32 || code === 39 || code === 0x2019 || code === 0xa0) continue;
      hash = Math.imul(hash ^ code, PRIME);
    }
    const bone = i - from > FUNCTION_WORD ? SKELETON : hash;
    if (whole) {
      pushSkeleton(a, b, c, bone, into);
      [a, b, c] = [b, c, bone];
    }
    // Full stops and commas shape a sentence, but are no words of it.
    if (code === 46 || code === 44) continue;
    into.push(bucketOf(hash));
    if (whole) into.push(bucketOf(Math.imul(before, PAIR) ^ hash));
    if (whole && words < 3) into.push(bucketOf(Math.imul(START + words, PRIME) ^ hash));
    before = hash;
    words++;
  }
}

/** Three and four neighbours of the sentence's skeleton. */
function pushSkeleton(a: number, b: number, c: number, bone: number, into: number[]): void {
  const three = Math.imul(Math.imul(b ^ SKELETON, PRIME) ^ c, PAIR) ^ bone;
  into.push(bucketOf(three), bucketOf(Math.imul(a, PAIR) ^ Math.imul(three, PRIME)));
}

const isDigitPart = (code: number): boolean => (code >= 48 && code <= 57) || code === 46 || code === 44;

function pushGroups(text: string, from: number, to: number, into: number[]): void {
  const last = Math.min(to, from + 16) - GROUP;
  for (let at = from; at <= last; at++) {
    let hash = at === from ? GRAM ^ 1 : at === to - GROUP ? GRAM ^ 2 : GRAM;
    for (let i = at; i < at + GROUP; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
    into.push(bucketOf(hash));
  }
}
