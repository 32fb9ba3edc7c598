/** The BERT (uncased) tokenizer over a given vocabulary: text → token ids, in linear time, without special tokens. */

export type WordPiece = {
  vocabularySize: number;
  /** At most `limit` ids; pieces of a word are never split at the limit's edge in a way that changes the ids before it. */
  tokenize(text: string, limit?: number): number[];
};

const LONGEST_WORD = 100;
const LONGEST_PIECE = 24;

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

const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Lower case, accents dropped: what the uncased vocabulary was made from. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return BEYOND_ASCII.test(lower) ? lower.normalize("NFD").replace(/\p{Mn}/gu, "") : lower;
}

/** `vocabulary` is one token a line; continuation pieces begin with "##". */
export function buildWordPiece(vocabulary: string): WordPiece {
  const pieces = indexPieces(vocabulary);
  /** Of the piece that is looked for: the hashes of its beginnings, by length. */
  const hashes = new Int32Array(LONGEST_PIECE + 1);

  /** Appends the pieces of a word, each the longest that fits; nothing where some part of it is in no vocabulary. */
  const push = (text: string, wordFrom: number, wordTo: number, ids: number[]): void => {
    if (wordTo - wordFrom > LONGEST_WORD) return;
    const before = ids.length;
    for (let from = wordFrom; from < wordTo; ) {
      const isStart = from === wordFrom;
      const most = Math.min(wordTo - from, LONGEST_PIECE);
      let hash = isStart ? STARTS : CONTINUES;
      for (let length = 1; length <= most; length++) hashes[length] = hash = mix(hash, text.charCodeAt(from + length - 1));
      let length = most;
      let id = -1;
      for (; length > 0 && id < 0; length--) id = pieces.find(text, from, length, hashes[length]!, isStart);
      if (id < 0) {
        ids.length = before;
        return;
      }
      ids.push(id);
      from += length + 1;
    }
  };

  return {
    vocabularySize: pieces.size,
    tokenize(text, limit = 1024) {
      const folded = foldCase(text);
      const ids: number[] = [];
      let start = -1;
      for (let i = 0; i < folded.length && ids.length < limit; i++) {
        const kind = classOf(folded.charCodeAt(i));
        if (kind === WORD) {
          if (start < 0) start = i;
          continue;
        }
        if (start >= 0) push(folded, start, i, ids);
        start = -1;
        if (kind === PUNCTUATION) push(folded, i, i + 1, ids);
      }
      if (start >= 0 && ids.length < limit) push(folded, start, folded.length, ids);
      if (ids.length > limit) ids.length = limit;
      return ids;
    },
  };
}

const STARTS = 0x2f0b4a27;
const CONTINUES = 0x51ed270b;
const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

/** A power of two, at least twice the vocabulary. */
const SLOTS = 1 << 16;
const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1);

/**
 * Where each piece stands in the vocabulary, found by its hash. A table of numbers over the one text is built in a tenth of the time and
 * room that a map of thirty thousand strings takes, and looks words up without cutting them out.
 */
function indexPieces(vocabulary: string) {
  /** Of each token without its "##": where it begins and ends. */
  const froms: number[] = [];
  const tos: number[] = [];
  const slots = new Int32Array(SLOTS).fill(-1);
  for (let at = 0; at < vocabulary.length; ) {
    const end = vocabulary.indexOf("\n", at);
    const to = end < 0 ? vocabulary.length : end;
    const isStart = !vocabulary.startsWith("##", at);
    const from = isStart ? at : at + 2;
    let hash = isStart ? STARTS : CONTINUES;
    for (let i = from; i < to; i++) hash = mix(hash, vocabulary.charCodeAt(i));
    let slot = slotOf(hash);
    while (slots[slot]! >= 0) slot = (slot + 1) & (SLOTS - 1);
    slots[slot] = froms.length;
    froms.push(from);
    tos.push(to);
    at = to + 1;
  }

  const is = (id: number, text: string, from: number, length: number, isStart: boolean): boolean => {
    const at = froms[id]!;
    if (tos[id]! - at !== length || (at > 0 && vocabulary.charCodeAt(at - 1) === 35) === isStart) return false;
    for (let i = 0; i < length; i++) if (vocabulary.charCodeAt(at + i) !== text.charCodeAt(from + i)) return false;
    return true;
  };

  return {
    size: froms.length,
    /** The id of the piece, or -1. */
    find: (text: string, from: number, length: number, hash: number, isStart: boolean): number => {
      for (let slot = slotOf(hash); slots[slot]! >= 0; slot = (slot + 1) & (SLOTS - 1)) {
        if (is(slots[slot]!, text, from, length, isStart)) return slots[slot]!;
      }
      return -1;
    },
  };
}
