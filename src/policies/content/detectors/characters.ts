/** The classes of UTF-16 code units that detectors tell apart. -1, which stands for the end of the text, is in no class. */

/** Whether a code unit is one of these characters. */
export const isOneOf = (characters: string): ((code: number) => boolean) => {
  const codes = Array.from(characters, (character) => character.charCodeAt(0));
  const table = new Uint8Array(Math.max(...codes) + 1);
  for (const code of codes) table[code] = 1;
  return (code) => table[code] === 1;
};

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isUpper = (code: number): boolean => code >= 65 && code <= 90;
export const isLower = (code: number): boolean => code >= 97 && code <= 122;
export const isAsciiLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122 && code < 128;
export const isFactorSign = isOneOf("×÷");

/** Commas, full stops and the like of scripts whose other characters below U+0E00 are letters: Armenian, Hebrew, Arabic, Devanagari. */
const isForeignMark = isOneOf(";·՝։־׃،؛؟۔।॥");

const isPunctuationBlock = (code: number): boolean => (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f);

/** Of Chinese and Japanese, where no blank follows it, and of Hindi, Urdu and Armenian. */
export const isForeignFullStop = isOneOf("。।۔։");

/** Letters of any script, judged by Unicode block: exact enough for words of context, and fast. */
export const isLetter = (code: number): boolean =>
  code < 128
    ? isAsciiLetter(code)
    : code >= 0xc0 &&
      !isFactorSign(code) &&
      !isForeignMark(code) &&
      !isPunctuationBlock(code) &&
      !(code >= 0xff00 && code <= 0xff20);

/**
 * Latin, Greek and Cyrillic letters, in which addresses are written; those of Vietnamese and of older Greek stand apart. Scripts without spaces
 * would swallow the sentence around an address.
 */
export const isAddressLetter = (code: number): boolean =>
  isAsciiLetter(code) ||
  isDigit(code) ||
  (code >= 0xc0 && code <= 0x52f && !isFactorSign(code)) ||
  (code >= 0x1e00 && code <= 0x1fff);

/** What may not touch a number or a name. Scripts that write no spaces between words touch everything, so they do not count. */
export const isWordCode = (code: number): boolean => isDigit(code) || code === 95 || (code < 0x0e00 && isLetter(code));

/** Of all widths, and those at which no line is broken. */
export const BLANKS = " \u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f";
/** Between groups of digits. */
export const isBlank = isOneOf(BLANKS);

/** `#` and `№`, which stand for the word "number". */
export const isNumberSign = isOneOf("#№");

/** The hyphen of the keyboard and the dashes that models and word processors write for it. */
export const isDash = (code: number): boolean => code === 45 || (code >= 0x2010 && code <= 0x2015) || code === 0x2212;

/** Signs of money and of percentages. */
export const isCurrencySign = isOneOf("$£¥€");
export const isQuantitySign = isOneOf("$£¥€%");
