/**
 * Basic counts of a text, in one pass over its character codes: it runs before every call, and a dozen regular expressions took longer than
 * all the rest.
 */

const NOTHING_SEEN = {
  digits: 0,
  symbols: 0,
  upper: 0,
  lines: 0,
  braces: 0,
  semicolonEnds: 0,
  /** Characters of other scripts than Latin. */
  wide: 0,
  commas: 0,
  /** Figures: runs of digits. */
  numbers: 0,
  sentences: 0,
  /** Words that begin with a capital. */
  names: 0,
  /** Where a line "A. …" begins; negative without one. */
  firstChoice: -1,
  choiceMarks: false,
  dashes: false,
  codeWords: false,
  negations: false,
  shares: false,
  formulas: false,
};
export type Seen = typeof NOTHING_SEEN;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const UNDERSCORE = 4;
const KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code === 95 ? UNDERSCORE : OTHER;
});
const kindOf = (code: number): number => (code < 128 ? KIND[code]! : OTHER);

export function scanText(text: string): Seen {
  const seen = { ...NOTHING_SEEN };
  let wordFrom = -1;
  let before = OTHER;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = kindOf(code);
    if (kind === OTHER) {
      if (wordFrom >= 0) readWord(seen, text, wordFrom, i);
      wordFrom = -1;
      if (code !== 32) readMark(seen, text, i, code);
    } else {
      if (wordFrom < 0) wordFrom = i;
      if (kind === UPPER) seen.upper++;
      else if (kind === DIGIT) {
        seen.digits++;
        if (before !== DIGIT) seen.numbers++;
      } else if (kind === UNDERSCORE) seen.symbols++;
    }
    before = kind;
  }
  if (wordFrom >= 0) readWord(seen, text, wordFrom, text.length);
  return seen;
}

function readMark(seen: Seen, text: string, i: number, code: number): void {
  if (code > 0x300) {
    seen.wide++;
    if (MATHEMATICAL.has(code)) seen.formulas = true;
    return;
  }
  if (code === 10) {
    seen.lines++;
    if (text.startsWith("- ", i + 1)) seen.dashes = true;
    return;
  }
  if (code <= 32 || code >= 127) return;
  seen.symbols++;
  switch (code) {
    case 46:
    case 63:
    case 33:
      if (i + 1 === text.length || isSpace(text.charCodeAt(i + 1))) seen.sentences++;
      break;
    case 44:
      seen.commas++;
      break;
    case 123:
    case 125:
      seen.braces++;
      break;
    case 59:
      if (text.charCodeAt(i + 1) === 10) seen.semicolonEnds++;
      break;
    case 37:
      seen.shares = true;
      break;
    case 92:
    case 94:
      seen.formulas = true;
  }
}

const MATHEMATICAL: ReadonlySet<number> = new Set([..."∫∑√≤≥→∈"].map((mark) => mark.charCodeAt(0)));

const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  code === 0xfeff ||
  (code >= 0x1680 && code <= 0x3000 && /\s/.test(String.fromCharCode(code)));

type Telling = "codeWords" | "negations" | "shares" | "formulas";
/** Words that are counted, by what they indicate; those of code in upper and lower case. */
const TELLING = new Map<string, Telling>([
  ...["def", "function", "class", "import", "select", "return", "const"].map((word) => [word, "codeWords"] as const),
  ...["NOT", "EXCEPT", "not", "except", "least"].map((word) => [word, "negations"] as const),
  ...["twice", "half", "third", "ratio", "average", "total", "remaining", "each"].map((word) => [word, "shares"] as const),
  ...["sin", "cos", "log", "lim", "dx", "matrix", "vector"].map((word) => [word, "formulas"] as const),
]);
/** Index into LENGTHS: a bit for each length of the counted words with this first and last letter. Few other words match. */
const endsOf = (first: number, last: number): number => ((first & 31) << 5) | (last & 31);
const LENGTHS = new Int32Array(1 << 10);
for (const word of TELLING.keys()) LENGTHS[endsOf(word.charCodeAt(0), word.charCodeAt(word.length - 1))]! |= 1 << word.length;
const LONGEST = 9;

/** A run of letters, digits and underscores. */
function readWord(seen: Seen, text: string, from: number, to: number): void {
  const first = text.charCodeAt(from);
  const length = to - from;
  if (length === 1) {
    if ((first | 32) >= 97 && (first | 32) <= 100) readChoice(seen, text, from, first);
    return;
  }
  if (KIND[first] === UPPER && KIND[text.charCodeAt(from + 1)] === LOWER) seen.names++;
  if (length > LONGEST || (LENGTHS[endsOf(first, text.charCodeAt(to - 1))]! & (1 << length)) === 0) return;
  const word = text.slice(from, to);
  const told = TELLING.get(word);
  if (told !== undefined) seen[told] = true;
  else if (TELLING.get(word.toLowerCase()) === "codeWords") seen.codeWords = true;
}

/** A single letter from A to D is a choice if it begins its line and "." or ")" and a blank follow. */
function readChoice(seen: Seen, text: string, at: number, letter: number): void {
  const mark = text.charCodeAt(at + 1);
  if ((mark !== 46 && mark !== 41) || text.charCodeAt(at + 2) !== 32) return;
  const opening = text.charCodeAt(at - 1) === 40 ? at - 1 : at;
  if (text.charCodeAt(opening - 1) === 10) {
    seen.choiceMarks = true;
    if ((letter === 65 || letter === 97) && seen.firstChoice < 0) seen.firstChoice = opening - 1;
    return;
  }
  for (let i = opening - 1; isSpace(text.charCodeAt(i)); i--) if (text.charCodeAt(i) === 10) seen.choiceMarks = true;
}

/** Whether a number is next to a sign of arithmetic, with or without blanks between them. */
export function holdsSum(text: string): boolean {
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = kindOf(code);
    if (kind === LOWER || kind === UPPER) {
      last = 0;
      continue;
    }
    if (code === 32 || isSpace(code)) continue;
    const isDigit = code >= 48 && code <= 57;
    const isSign = code === 61 || code === 43 || code === 42 || code === 47 || code === 94;
    if (isDigit ? last === 2 : (isSign || code === 37) && last === 1) return true;
    last = isDigit ? 1 : isSign ? 2 : 0;
  }
  return false;
}
