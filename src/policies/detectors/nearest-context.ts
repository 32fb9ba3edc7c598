/** Which context a number stands in: the nearest word that says what it is, to its left or right, within a bounded window. */
import { codeAt, isDigit, isLetter, type Reader, type Span } from "./reader.ts";

/** 2: the type asked for. -2: something else. -1: something else, unless a stronger word is in reach. */
export type Weight = 2 | -1 | -2;

export type Lexicon = {
  /** Lower-case words. */
  words: ReadonlyMap<string, Weight>;
  /** Words of scripts without spaces, looked for inside a run of letters. */
  phrases: readonly (readonly [string, Weight])[];
};

export type Context = "for" | "against" | "none";

/** Extra distance for what separates a word from the number: another number, or the end of a sentence or line. */
const BARRIER = 14;
const MAX_WORD = 40;

type Sighting = { weight: Weight; distance: number };

const weighWord = (lexicon: Lexicon, word: string): Weight | undefined => {
  const lower = word.toLowerCase();
  const known = lexicon.words.get(lower) ?? (lower.endsWith("s") ? lexicon.words.get(lower.slice(0, -1)) : undefined);
  if (known !== undefined || lower.charCodeAt(lower.length - 1) < 0x0e00) return known;
  return lexicon.phrases.find(([phrase]) => lower.includes(phrase))?.[1];
};

const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;

/** Words end at the hump of camelCase: `orderId` is `order` and `id`. */
const isHump = (left: number, right: number): boolean => isLower(left) && isUpper(right);

const endsSentence = (code: number, next: number): boolean =>
  code === 10 || ((code === 46 || code === 33 || code === 63) && (next === 32 || next === 10));

function lookLeft(reader: Reader, lexicon: Lexicon, start: number, reach: number): Sighting | undefined {
  let weak: Sighting | undefined;
  let barriers = 0;
  let i = start - 1;
  const stop = Math.max(0, start - reach);
  while (i >= stop) {
    const code = codeAt(reader, i);
    if (!isLetter(code)) {
      const next = codeAt(reader, i + 1);
      if (endsSentence(code, next) || (isDigit(code) && !isDigit(next) && next !== 46 && next !== 45 && next !== 47)) barriers++;
      i--;
      continue;
    }
    const end = i + 1;
    while (i > stop && end - i < MAX_WORD && isLetter(codeAt(reader, i - 1)) && !isHump(codeAt(reader, i - 1), codeAt(reader, i)))
      i--;
    const cut = i === stop && isLetter(codeAt(reader, i - 1));
    const weight = cut ? undefined : weighWord(lexicon, reader.text.slice(i, end));
    const distance = start - end + barriers * BARRIER;
    if (weight !== undefined && distance <= reach) {
      if (weight !== -1) return { weight, distance };
      weak ??= { weight, distance };
    }
    i--;
  }
  return weak;
}

const endsClause = (code: number): boolean =>
  code === -1 || code === 10 || code === 44 || code === 59 || code === 124 || code === 34 || code === 0x3002 || code === 0x3001;

const CONJUNCTIONS = new Set("and but or while und aber et mais y pero".split(" "));

/** Only within the clause: what follows a comma, a semicolon, a full stop or an "and" speaks of something else. */
function lookRight(reader: Reader, lexicon: Lexicon, end: number, reach: number): Sighting | undefined {
  let i = end;
  while (i < end + reach) {
    const code = codeAt(reader, i);
    if (endsClause(code) || isDigit(code)) return undefined;
    if ((code === 46 || code === 33 || code === 63) && !isLetter(codeAt(reader, i + 1))) return undefined;
    if (!isLetter(code)) {
      i++;
      continue;
    }
    const from = i;
    do i++;
    while (i - from < MAX_WORD && isLetter(codeAt(reader, i)) && !isHump(codeAt(reader, i - 1), codeAt(reader, i)));
    const word = reader.text.slice(from, i);
    if (CONJUNCTIONS.has(word)) return undefined;
    const weight = weighWord(lexicon, word);
    if (weight !== undefined && weight !== -1) return { weight, distance: from - end };
  }
  return undefined;
}

/** `before` and `after` are the windows in characters; to the right only words nearer than the one on the left are looked at. */
export function nearestContext(reader: Reader, span: Span, lexicon: Lexicon, before: number, after: number): Context {
  const left = lookLeft(reader, lexicon, span.start, before);
  const nearer = left === undefined || left.weight === -1 ? after : Math.min(after, left.distance);
  const right = nearer > 0 ? lookRight(reader, lexicon, span.end, nearer) : undefined;
  const winner = right ?? left;
  return winner === undefined ? "none" : winner.weight > 0 ? "for" : "against";
}
