/**
 * Text as the encoder and the heads read it: in lower case, without accents, as UTF-16 code units. Each call folds several texts, and
 * making strings of them took longer than all that is read from them.
 */

export type FoldedText = { codes: Uint16Array; length: number };

/** The text from `from` up to `to`; valid until the next text is folded. */
export type FoldText = (text: string, from?: number, to?: number) => FoldedText;

/** Longer texts are rare and get room of their own. */
const KEPT_CODES = 1 << 14;

export const createFolding = (): FoldText => {
  const kept = new Uint16Array(KEPT_CODES);
  const foldWide = (text: string): FoldedText => {
    const folded = foldCase(text);
    const { length } = folded;
    const codes = length > KEPT_CODES ? new Uint16Array(length) : kept;
    for (let at = 0; at < length; at++) codes[at] = folded.charCodeAt(at);
    return { codes, length };
  };
  return (text, from = 0, to = text.length) => {
    const length = to - from;
    if (length > KEPT_CODES) return foldWide(text.slice(from, to));
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(from + at);
      if (code > 127) return foldWide(text.slice(from, to));
      kept[at] = LOWER[code]!;
    }
    return { codes: kept, length };
  };
};

const LOWER = Uint8Array.from({ length: 128 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));

const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Lower case, accents dropped: what the uncased vocabulary was made from. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return BEYOND_ASCII.test(lower) ? lower.normalize("NFD").replace(/\p{Mn}/gu, "") : lower;
}
