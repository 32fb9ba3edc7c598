/** The BERT (uncased) tokenizer over a given vocabulary: text → token ids, in linear time, without special tokens. */

export type WordPiece = {
  vocabularySize: number;
  /** At most `limit` ids; pieces of a word are never split at the limit's edge in a way that changes the ids before it. */
  tokenize(text: string, limit?: number): number[];
};

const UNKNOWN = -1;
const LONGEST_WORD = 100;
/** Words seen lately keep their ids, in slots found by their hash; a newer word takes the slot of an older one. A power of two. */
const SLOTS = 1 << 14;

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
  const starts = new Map<string, number>();
  const continuations = new Map<string, number>();
  const tokens = vocabulary.split("\n");
  tokens.forEach((token, id) => {
    if (token.startsWith("##")) continuations.set(token.slice(2), id);
    else starts.set(token, id);
  });
  const words = new Array<string>(SLOTS).fill("");
  const idsOfWords = new Array<number[]>(SLOTS).fill([]);

  const split = (word: string): number[] => {
    if (word.length > LONGEST_WORD) return [];
    const ids: number[] = [];
    for (let from = 0; from < word.length; ) {
      const pieces = from === 0 ? starts : continuations;
      let id = UNKNOWN;
      let to = Math.min(word.length, from + 24);
      for (; to > from; to--) {
        id = pieces.get(word.slice(from, to)) ?? UNKNOWN;
        if (id !== UNKNOWN) break;
      }
      if (id === UNKNOWN) return [];
      ids.push(id);
      from = to;
    }
    return ids;
  };

  /** The ids of `text` from `from` to `to`. A word that is known is compared where it stands: cutting it out took longer than the rest. */
  const idsOf = (text: string, from: number, to: number): number[] => {
    let hash = to - from;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = words[slot]!;
    if (known.length === to - from && text.startsWith(known, from)) return idsOfWords[slot]!;
    // A copy: a mere slice would keep the whole text in memory for as long as the word is known.
    const word = Buffer.from(text.slice(from, to)).toString();
    words[slot] = word;
    idsOfWords[slot] = split(word);
    return idsOfWords[slot]!;
  };

  return {
    vocabularySize: tokens.length,
    tokenize(text, limit = 1024) {
      const folded = foldCase(text);
      const ids: number[] = [];
      const push = (from: number, to: number) => {
        const pieces = idsOf(folded, from, to);
        for (let i = 0; i < pieces.length; i++) ids.push(pieces[i]!);
      };
      let start = -1;
      for (let i = 0; i < folded.length && ids.length < limit; i++) {
        const kind = classOf(folded.charCodeAt(i));
        if (kind === WORD) {
          if (start < 0) start = i;
          continue;
        }
        if (start >= 0) push(start, i);
        start = -1;
        if (kind === PUNCTUATION) push(i, i + 1);
      }
      if (start >= 0 && ids.length < limit) push(start, folded.length);
      if (ids.length > limit) ids.length = limit;
      return ids;
    },
  };
}
