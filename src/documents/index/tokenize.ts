/**
 * Text → index terms, in the same way for documents and queries. Words are folded and stemmed; Han, kana and hangul become overlapping
 * pairs of characters; scripts without spaces are divided by Intl.Segmenter. FTS5's own tokenizer handles only Latin text well, so it is
 * given only these terms.
 */
import { connectNames, inOnePiece, isConnected, withSign } from "./join-words.ts";
import { stemEnglish } from "./stem-english.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;
const HAS_PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** In scripts without blanks a line may end within a word. */
const LINE_END =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\n(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu;
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Scripts whose combining marks are accents or optional vowels. In others (Devanagari, Tamil, …) a mark is part of the word. */
const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u;
const ASCII_WORD = /^[a-z]+$/;
const NON_ASCII = /[^\x00-\x7f]/;

/** Letters that NFD does not decompose, as they are typed on keyboards without them. */
const PLAIN: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ħ: "h", ı: "i", ł: "l", þ: "th" };
const SPECIAL = /[ßæœøđðħıłþ]/g;
/** Those of them that 0.1.0 did not fold, so that its indexes hold them as they were written; and those that it did. */
const ONCE_KEPT = /[æœđðħþ]/;
const ONCE_SPECIAL = /[ßøıł]/g;

/** Longer words are data, not language (base64, hashes); they are cut, so that no index term is a kilobyte long. */
const MAX_TERM_LENGTH = 40;
const MOST_STEMS = 50_000;

type Joined = {
  term: string;
  /** The terms that it joins: from `from` up to, but not including, `to`. */
  from: number;
  to: number;
  /** Whether a sign joins them, as in «Wi-Fi»; otherwise they only stand side by side. */
  connected: boolean;
};

type Tokens = {
  /** In the order of the text, repeated as often as there. */
  terms: string[];
  joined: Joined[];
};

/**
 * `sideBySide`, for queries: also any two words next to each other, as a query may write what the text writes in one piece, and the terms
 * that 0.1.0 made of words.
 */
export type Tokenizer = (text: string, options?: { sideBySide?: boolean }) => Tokens;

const foldArabic = (word: string): string => {
  const folded = word
    .replace(/[أإآٱ]/g, "ا")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .replace(/ـ/g, "");
  const bare = folded.length > 4 ? folded.replace(/^[وف]?(?:بال|كال|لل|ال)/, "") : folded;
  return bare.length > 4 ? bare.replace(/(?:ها|ان|ات|ون|ين|يه|ه|ي)$/, "") : bare;
};

const withoutAccents = (word: string, special: RegExp): string =>
  word
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(special, (letter) => PLAIN[letter]!);

const foldWord = (word: string): string => {
  if (!NON_ASCII.test(word)) return ASCII_WORD.test(word) ? stemEnglish(word) : word;
  if (!ACCENTED.test(word)) return word;
  const bare = withoutAccents(word, SPECIAL);
  if (ASCII_WORD.test(bare)) return stemEnglish(bare);
  return /\p{Script=Arabic}/u.test(bare) ? foldArabic(bare) : bare;
};

const pushPairs = (run: string, into: string[]): void => {
  const characters = [...run];
  if (characters.length === 1) into.push(run);
  for (let at = 0; at + 1 < characters.length; at++) into.push(characters[at]! + characters[at + 1]!);
};

/** A tokenizer with its own bounded memory of stems, so that two threads or tests share nothing. */
export const createTokenizer = (): Tokenizer => {
  const segmenter = new Intl.Segmenter("th", { granularity: "word" });
  const stems = new Map<string, string>();
  const termOf = (word: string): string => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    if (word.length > MAX_TERM_LENGTH) return foldWord(word).slice(0, MAX_TERM_LENGTH);
    // A copy, because a part of a string keeps the whole of it in memory.
    const own = Buffer.from(word).toString();
    const term = foldWord(own).slice(0, MAX_TERM_LENGTH);
    if (stems.size > MOST_STEMS) stems.clear();
    stems.set(own, term);
    return term;
  };
  const pushMixed = (word: string, into: string[]): void => {
    let rest = 0;
    for (const run of word.matchAll(PAIRED)) {
      if (run.index > rest) into.push(termOf(word.slice(rest, run.index)));
      pushPairs(run[0], into);
      rest = run.index + run[0].length;
    }
    if (rest < word.length) into.push(termOf(word.slice(rest)));
  };
  return (text, { sideBySide = false } = {}) => {
    const written = connectNames(text).normalize("NFKC").toLowerCase();
    const isAscii = !NON_ASCII.test(written);
    const folded = isAscii ? written : written.replace(LINE_END, "");
    const terms: string[] = [];
    const joined: Joined[] = [];
    /** The connected words that are being read: where they begin in the text and among the terms, and how many they are. */
    let runStart = 0;
    let runFrom = 0;
    let runParts = 0;
    /** The word before, if it is one term: its place in the text, and its place among the terms. */
    let lastWord = "";
    let lastEnd = -2;
    let lastFrom = 0;
    const endRun = () => {
      const pieces = runParts < 2 ? [] : inOnePiece(folded.slice(runStart, lastEnd), runParts);
      for (const piece of pieces) joined.push({ term: termOf(piece), from: runFrom, to: terms.length, connected: true });
    };
    for (const match of folded.matchAll(WORD)) {
      const word = match[0];
      const start = match.index;
      const isOneTerm = isAscii || !(HAS_PAIRED.test(word) || UNSPACED.test(word));
      const isNext = isOneTerm && start - lastEnd === 1;
      if (isNext && isConnected(lastWord, folded[lastEnd]!, word)) runParts++;
      else {
        endRun();
        runStart = start;
        runFrom = terms.length;
        runParts = 1;
      }
      if (sideBySide && isNext && folded[lastEnd] === " ")
        joined.push({ term: termOf(lastWord + word), from: lastFrom, to: terms.length + 1, connected: false });
      const end = start + word.length;
      lastWord = word;
      lastEnd = isOneTerm ? end : -2;
      lastFrom = terms.length;
      if (isOneTerm) terms.push(termOf(word));
      else if (HAS_PAIRED.test(word)) pushMixed(word, terms);
      else for (const part of segmenter.segment(word)) part.isWordLike && terms.push(part.segment);
      if (sideBySide && ONCE_KEPT.test(word))
        joined.push({
          term: withoutAccents(word, ONCE_SPECIAL).slice(0, MAX_TERM_LENGTH),
          from: lastFrom,
          to: terms.length,
          connected: false,
        });
      const signed = withSign(word, folded, end);
      if (signed !== undefined) joined.push({ term: signed, from: lastFrom, to: terms.length, connected: true });
    }
    endRun();
    return { terms, joined };
  };
};
