/** Reads text that comes in pieces. Each character is read once, however the text is cut, so the time is linear in its length. */

export type Pieces = {
  /** What has come and is not read from `at` on. */
  text: string;
  at: number;
  isEnded: boolean;
  /** What was read and may have to be given back as text. */
  taken: string;
  /** Longer text is no call. */
  mostTaken: number;
};

/** Yields while it waits for the next piece. */
export type Reading<Result> = Generator<undefined, Result, undefined>;

/** Thrown where the text turns out to be none of a call's. */
export const NO_CALL = new Error("This text is no call of a tool.");

export const newPieces = (mostTaken: number): Pieces => ({ text: "", at: 0, isEnded: false, taken: "", mostTaken });

export const addPiece = (pieces: Pieces, piece: string): void => {
  pieces.text = pieces.text.slice(pieces.at) + piece;
  pieces.at = 0;
};

/** Reads that many characters. */
const takeNext = (pieces: Pieces, wanted: number): string => {
  const length = Math.min(wanted, pieces.mostTaken - pieces.taken.length);
  const text = pieces.text.slice(pieces.at, pieces.at + length);
  pieces.at += length;
  pieces.taken += text;
  if (length < wanted) throw NO_CALL;
  return text;
};

/** A pattern of any of the words. */
export const anyOf = (words: readonly string[]): RegExp => new RegExp(words.map((each) => RegExp.escape(each)).join("|"), "g");

/** False at the end of the text. */
function* waitForMore(pieces: Pieces): Reading<boolean> {
  if (pieces.isEnded) return false;
  yield;
  return true;
}

/** The next character, which stays unread; empty at the end. */
export function* peek(pieces: Pieces): Reading<string> {
  while (pieces.at === pieces.text.length) if (!(yield* waitForMore(pieces))) return "";
  return pieces.text[pieces.at]!;
}

/** Reads the longest of the words that stands here; undefined, and nothing is read, if none does. */
export function* word(pieces: Pieces, words: readonly string[]): Reading<string | undefined> {
  for (;;) {
    const { text, at } = pieces;
    const rest = text.length - at;
    const isLonger = (each: string): boolean => each.length > rest && each.startsWith(text.slice(at));
    if (words.some(isLonger) && (yield* waitForMore(pieces))) continue;
    const found = words.filter((each) => text.startsWith(each, at));
    if (found.length === 0) return undefined;
    return takeNext(pieces, Math.max(...found.map(({ length }) => length)));
  }
}

/** Throws if none of the words stands here. */
export function* requireWord(pieces: Pieces, ...words: string[]): Reading<string> {
  const found = yield* word(pieces, words);
  if (found === undefined) throw NO_CALL;
  return found;
}

/** Reads all characters that match. `pattern`: of one character. */
export function* skip(pieces: Pieces, pattern: RegExp = /\s/): Reading<string> {
  let skipped = "";
  for (let next = yield* peek(pieces); next !== "" && pattern.test(next); next = yield* peek(pieces))
    skipped += takeNext(pieces, 1);
  return skipped;
}

/** Reads up to and including the first of the ends. Throws if none comes. */
export function* upTo(pieces: Pieces, ends: readonly string[]): Reading<{ text: string; end: string }> {
  const end = anyOf(ends);
  const longest = Math.max(...ends.map(({ length }) => length));
  let before = "";
  for (;;) {
    end.lastIndex = pieces.at;
    const found = end.exec(pieces.text);
    if (found !== null) {
      before += takeNext(pieces, found.index - pieces.at);
      return { text: before, end: takeNext(pieces, found[0].length) };
    }
    before += takeNext(pieces, Math.max(0, pieces.text.length - pieces.at - longest + 1));
    if (!(yield* waitForMore(pieces))) throw NO_CALL;
  }
}

/** Deeper values are no arguments. */
export const MOST_LEVELS = 128;

/** Reads a JSON object or string, as it is written; throws if none begins here, or if it does not end. */
export function* jsonSpan(pieces: Pieces): Reading<string> {
  if (!'{"'.includes(yield* peek(pieces))) throw NO_CALL;
  let span = "";
  let levels = 0;
  let isInString = false;
  let isEscaped = false;
  /** Whether the value ends with this character, or is nested too deep. */
  const ends = (character: string): boolean => {
    if (isEscaped) isEscaped = false;
    else if (isInString && character === "\\") isEscaped = true;
    else if (character === '"') isInString = !isInString;
    else if (isInString) return false;
    else if (character === "{" || character === "[") levels++;
    else if (character === "}" || character === "]") levels--;
    return levels > MOST_LEVELS || (levels === 0 && !isInString && '"}]'.includes(character));
  };
  for (;;) {
    const { text, at } = pieces;
    let end = at;
    while (end < text.length && !ends(text[end]!)) end++;
    span += takeNext(pieces, Math.min(end + 1, text.length) - at);
    if (levels > MOST_LEVELS) throw NO_CALL;
    if (end < text.length) return span;
    if (!(yield* waitForMore(pieces))) throw NO_CALL;
  }
}
