/**
 * Terms as they stand in the full-text index and as queries ask for them, namespaced by project. A query asks for each word and, for
 * less, for all words that begin alike: they stand side by side in the index, so that a beginning needs no entry of its own.
 */
import type { Tokenizer } from "./tokenize.ts";

/** Words share a beginning across inflections that no stemmer here knows (German, Russian, Turkish, Hindi). */
const BEGINNING_LENGTH = 5;
const NUMERIC = /^[\p{N}·]+$/u;
const ASCII = /^[\x00-\x7f]+$/;
/** Scripts that leave out vowels: fewer letters tell as much. */
const CONSONANTAL = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u;

const beginningLength = (term: string): number => {
  if (ASCII.test(term)) return BEGINNING_LENGTH;
  // The last of five letters is often an ending: «книга», «книги».
  return CONSONANTAL.test(term) ? BEGINNING_LENGTH - 1 : Math.min(BEGINNING_LENGTH, Math.max(4, term.length - 1));
};

/** Undefined for a number or a word so short that only itself begins like it. */
const beginningOf = (term: string): string | undefined => {
  const length = beginningLength(term);
  if (term.length < length || NUMERIC.test(term)) return undefined;
  const beginning = term.slice(0, length);
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1);
};

const keyOf = (project: number, term: string): string => `${project}x${term}`;

type IndexedTerms = {
  /** For the `terms` column: separated by spaces. */
  text: string;
  /** How many words: the length that BM25 counts with. */
  count: number;
};

export const indexTerms = (tokenize: Tokenizer, project: number, text: string): IndexedTerms => {
  const { terms, joined } = tokenize(text);
  const all = [...terms, ...joined.map(({ term }) => term)];
  // The joined terms repeat others, and do not make the text longer.
  return { text: all.map((term) => keyOf(project, term)).join(" "), count: terms.length };
};

export type QueryTerm = {
  /** As they stand in the index; any of them will do. With a `*` at its end one asks for all that begin with it. */
  keys: string[];
  weight: number;
  /** Left out of the score if the project does not know it. */
  optional?: boolean;
  /** Asked for in its place if the project does not know it. */
  instead?: QueryTerm[];
};

/** More terms would cost time and change little. */
const MOST_TERMS = 64;
/** What a shared beginning counts against a shared word; chosen on SciFact's training claims and XQuAD. */
export const BEGINNING_WEIGHT = 0.7;

const FUNCTION_WORD_WEIGHT = 0.3;
/** What the whole of «Wi-Fi» or «6204-2RS» counts besides its parts. */
const WHOLE_WEIGHT = 0.5;

/** Letters and digits in one word: «DIN933», «v2», «470uF». */
const MIXED = /\p{L}\p{N}|\p{N}\p{L}/u;
const EVENLY = /\p{L}+|[\p{N}·]+/gu;
/** How German is written where there are no umlauts. */
const WRITTEN_OUT = /([aou])e/g;

/** The term, or others that stand for it; then, for less, its beginning. */
const spell = (project: number, term: string, weight: number, others: readonly string[] = []): [QueryTerm, ...QueryTerm[]] => {
  const keys = [term, ...others].map((each) => keyOf(project, each));
  const beginning = beginningOf(term);
  if (beginning === undefined) return [{ keys, weight: weight * (1 + BEGINNING_WEIGHT) }];
  return [
    { keys, weight },
    { keys: [`${keyOf(project, beginning)}*`], weight: weight * BEGINNING_WEIGHT },
  ];
};

/** Other ways to write a word that the project does not know. */
const alternativesOf = (term: string): string[] => {
  if (MIXED.test(term)) return term.match(EVENLY)!;
  const folded = term.replace(WRITTEN_OUT, "$1");
  return folded === term ? [] : [folded];
};

/** A long query without its function words; of what is left, the beginning and the end, where people say what they want. */
const withinMost = (words: string[], lesser: ReadonlySet<string>): string[] => {
  if (words.length <= MOST_TERMS) return words;
  const telling = words.filter((word) => !lesser.has(word));
  if (telling.length <= MOST_TERMS) return telling;
  return [...telling.slice(0, MOST_TERMS / 2), ...telling.slice(-MOST_TERMS / 2)];
};

/** Words of the project that a mistyped word may mean (correct-spelling.ts). `keys`: its own. Empty if it is known or none is near. */
export type SpellingCorrection = (word: string, keys: readonly string[]) => string[];

/** Words of the project that a compound is made of (split-compound.ts). `key`: its own. Empty if it is known or cannot be split. */
export type CompoundSplitter = (word: string, key: string) => string[];

/** `lesser`: function-words.ts. A query of nothing else is taken at its word. `correct`: correct-spelling.ts, `split`: split-compound.ts. */
export const queryTerms = (
  tokenize: Tokenizer,
  project: number,
  text: string,
  lesser: ReadonlySet<string>,
  correct: SpellingCorrection = () => [],
  split: CompoundSplitter = () => [],
): QueryTerm[] => {
  const { terms, joined } = tokenize(text, { sideBySide: true });
  const words = withinMost([...new Set(terms)], lesser);
  const saysSomething = words.some((word) => !lesser.has(word));
  const pieces = joined
    .filter(({ from, to, connected }) => connected || !terms.slice(from, to).some((term) => lesser.has(term)))
    .slice(0, MOST_TERMS);
  const orElse = (term: string, weight: number, parts: string[] = []): Pick<QueryTerm, "instead"> => {
    const alternatives = parts.length > 0 ? parts : alternativesOf(term);
    if (alternatives.length === 0) return {};
    return { instead: alternatives.flatMap((each) => spell(project, each, weight / alternatives.length)) };
  };
  const asked = words.flatMap((word) => {
    const weight = saysSomething && lesser.has(word) ? FUNCTION_WORD_WEIGHT : 1;
    const others = pieces.filter(({ from, to }) => terms.slice(from, to).includes(word)).map(({ term }) => term);
    const [exact, ...beginning] = spell(project, word, weight, [...new Set(others)]);
    const [meant, ...alsoMeant] = correct(word, [...exact.keys, ...beginning.flatMap(({ keys }) => keys)]);
    if (meant !== undefined) return spell(project, meant, weight, alsoMeant);
    return [{ ...exact, ...orElse(word, weight, split(word, exact.keys[0]!)) }, ...beginning];
  });
  const whole = new Set(pieces.filter(({ connected }) => connected).map(({ term }) => term));
  return [
    ...asked,
    ...[...whole].map((term) => ({
      keys: [keyOf(project, term)],
      weight: WHOLE_WEIGHT,
      optional: true,
      ...orElse(term, WHOLE_WEIGHT),
    })),
  ];
};
