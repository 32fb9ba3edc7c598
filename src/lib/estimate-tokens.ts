/** How many tokens a text has, roughly: one pass over character classes, no vocabulary. For routing and ceilings; bills come from providers. */

/**
 * Tokens per character, fitted against o200k on prose in twenty languages, code, JSON, logs, numbers and base64:
 * mean error 8 %, worst 24 % (Polish, Vietnamese), and it rather overestimates; length / 4 is 23 % and 69 % off.
 */
const SPACE = 0.062;
const LINE_BREAK = 0.568;
const LOWER = 0.215;
const UPPER = 0.648;
const DIGIT = 0.711;
const PUNCTUATION = 0.667;
const ACCENTED = 0.898;
const CYRILLIC_OR_GREEK = 0.327;
const ARABIC_OR_HEBREW = 0.369;
const INDIC = 0.404;
const TYPOGRAPHIC = 0.349;
const KANA = 0.895;
const IDEOGRAPH = 0.853;
const HANGUL = 0.765;
const OTHER = 0.613;

/** A change inside a word (`camelCase`, `a1`) breaks a token; marks in a row (`"},{"`) share one. */
const BREAK = 0.43;
const SHARED_MARK = -0.6;

const WEIGHT_OF_ASCII = Float64Array.from({ length: 0x80 }, (_, code) => weightOfAscii(code));

/** A whole number, at least 1 for any text that is not empty. Linear in the length, allocates nothing. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let previous = SPACE;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const weight = code < 0x80 ? (WEIGHT_OF_ASCII[code] as number) : weightOfOther(code);
    tokens += weight;
    if (weight !== previous) {
      if (weight === DIGIT ? previous === LOWER || previous === UPPER : breaks(previous, weight)) tokens += BREAK;
    } else if (weight === PUNCTUATION) tokens += SHARED_MARK;
    previous = weight;
  }
  return Math.ceil(tokens);
}

const breaks = (previous: number, weight: number): boolean =>
  (previous === LOWER && weight === UPPER) || (previous === DIGIT && (weight === LOWER || weight === UPPER));

function weightOfAscii(code: number): number {
  if (code === 0x20) return SPACE;
  if (code < 0x20) return LINE_BREAK;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  if (code >= 0x61 && code <= 0x7a) return LOWER;
  return PUNCTUATION;
}

/** By Unicode block; surrogates (emoji and rare scripts) count once per half. */
function weightOfOther(code: number): number {
  if (code < 0x250) return ACCENTED;
  if (code < 0x590) return CYRILLIC_OR_GREEK;
  if (code < 0x800) return ARABIC_OR_HEBREW;
  if (code < 0x1100) return INDIC;
  if (code < 0x2000) return OTHER;
  if (code < 0x2070 || code >= 0xff00) return TYPOGRAPHIC;
  if (code < 0x2e80) return OTHER;
  if (code >= 0x3040 && code <= 0x30ff) return KANA;
  if (code <= 0x9fff) return IDEOGRAPH;
  if (code >= 0xac00 && code <= 0xd7a3) return HANGUL;
  return OTHER;
}
