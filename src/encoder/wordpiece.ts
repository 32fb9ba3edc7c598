/** The BERT (uncased) tokenizer over a given vocabulary: folded text → token ids, in linear time, without special tokens. */

import type { FoldedText } from "./fold-text.ts";

type WordPiece = {
  /**
   * Writes at most `limit` ids and returns how many; pieces of a word are never split at the limit's edge in a way that changes the ids
   * before it. `into` has room for the limit and LONGEST_WORD more.
   */
  tokenize(text: FoldedText, into: Int32Array, limit: number): number;
};

export const LONGEST_WORD = 100;
const LONGEST_PIECE = 24;

const LINE_BREAK = 10;
const HASH = 35;

const SPACE = 1;
const PUNCTUATION = 2;
const WORD = 0;

const ASCII_CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32 || code === 127) return SPACE;
  const isWord = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isWord ? WORD : PUNCTUATION;
});

const isCjk = (code: number): boolean =>
  (code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf) || (code >= 0xf900 && code <= 0xfaff);

const PUNCTUATION_OR_SYMBOL = /[\p{P}]/u;
const BLANK_OR_CONTROL = /[\s\p{Z}\p{C}]/u;

function classOf(code: number): number {
  if (code < 128) return ASCII_CLASS[code]!;
  if (isCjk(code)) return PUNCTUATION;
  if (code < 0x2000 && code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && code < 0x250) return WORD;
  const character = String.fromCharCode(code);
  if (BLANK_OR_CONTROL.test(character) && !(code >= 0xd800 && code <= 0xdfff)) return SPACE;
  return PUNCTUATION_OR_SYMBOL.test(character) ? PUNCTUATION : WORD;
}

/** `vocabulary` is one token a line; continuation pieces begin with "##". */
export function buildWordPiece(vocabulary: string): WordPiece {
  const pieces = indexPieces(vocabulary);
  /** Hashes of the word's prefixes, by length. */
  const hashes = new Int32Array(LONGEST_PIECE + 1);

  /** Adds the pieces of a word, each the longest that fits, or none if a part of it is not in the vocabulary. Returns the new number of ids. */
  const push = (codes: Uint16Array, wordFrom: number, wordTo: number, into: Int32Array, count: number): number => {
    if (wordTo - wordFrom > LONGEST_WORD) return count;
    let at = count;
    for (let from = wordFrom; from < wordTo; ) {
      const isStart = from === wordFrom;
      const most = Math.min(wordTo - from, LONGEST_PIECE);
      let hash = isStart ? STARTS : CONTINUES;
      for (let length = 1; length <= most; length++) hashes[length] = hash = mix(hash, codes[from + length - 1]!);
      let length = most;
      let id = -1;
      for (; length > 0 && id < 0; length--) id = pieces.find(codes, from, length, hashes[length]!, isStart);
      if (id < 0) return count;
      into[at++] = id;
      from += length + 1;
    }
    return at;
  };

  return {
    tokenize({ codes, length }, into, limit) {
      let count = 0;
      let start = -1;
      for (let i = 0; i < length && count < limit; i++) {
        const kind = classOf(codes[i]!);
        if (kind === WORD) {
          if (start < 0) start = i;
          continue;
        }
        if (start >= 0) count = push(codes, start, i, into, count);
        start = -1;
        if (kind === PUNCTUATION) count = push(codes, i, i + 1, into, count);
      }
      if (start >= 0 && count < limit) count = push(codes, start, length, into, count);
      return Math.min(count, limit);
    },
  };
}

const STARTS = 0x2f0b4a27;
const CONTINUES = 0x51ed270b;
const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

/** A power of two, at least twice the vocabulary. */
const SLOTS = 1 << 16;
const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1);

/** A piece's place and length in one number: no token has more characters. */
const LENGTHS = 128;

/**
 * Where each piece stands in the vocabulary, found by its hash. A table of numbers over the one text is built in a tenth of the time and
 * memory that a map of thirty thousand strings takes, and looks words up without cutting them out. A slot holds all that is known of a
 * piece, so a lookup costs two accesses to distant memory.
 */
function indexPieces(vocabulary: string) {
  const letters = new Uint16Array(new Uint8Array(Buffer.from(vocabulary, "utf16le")).buffer);
  /** Two numbers a slot: the piece without its "##" (zero: none), and its id. */
  const slots = new Int32Array(SLOTS * 2);
  let id = 0;
  for (let at = 0; at < letters.length; ) {
    const isStart = letters[at] !== HASH || letters[at + 1] !== HASH;
    const from = isStart ? at : at + 2;
    let hash = isStart ? STARTS : CONTINUES;
    let to = from;
    for (; to < letters.length && letters[to] !== LINE_BREAK; to++) hash = mix(hash, letters[to]!);
    let slot = slotOf(hash);
    while (slots[slot * 2] !== 0) slot = (slot + 1) & (SLOTS - 1);
    slots[slot * 2] = from * LENGTHS + to - from;
    slots[slot * 2 + 1] = id++;
    at = to + 1;
  }

  const is = (piece: number, codes: Uint16Array, from: number, length: number, isStart: boolean): boolean => {
    if (piece % LENGTHS !== length) return false;
    const at = (piece - length) / LENGTHS;
    if ((at > 0 && letters[at - 1] === HASH) === isStart) return false;
    for (let i = 0; i < length; i++) if (letters[at + i] !== codes[from + i]) return false;
    return true;
  };

  return {
    /** The id of the piece, or -1. */
    find: (codes: Uint16Array, from: number, length: number, hash: number, isStart: boolean): number => {
      for (let slot = slotOf(hash); slots[slot * 2] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
        if (is(slots[slot * 2]!, codes, from, length, isStart)) return slots[slot * 2 + 1]!;
      }
      return -1;
    },
  };
}
