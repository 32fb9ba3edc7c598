/**
 * The terms that a query asks for. For each word it asks for the word itself and, with less weight, for all words with the same beginning:
 * those stand side by side in the index, so a beginning needs no entry of its own.
 */
import { correctSpelling } from "./correct-spelling.ts";
import { keyOf } from "./read-store.ts";
import { splitCompound } from "./split-compound.ts";
import type { Tokenizer } from "./tokenize.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { chineseWordsOfOneCharacter, wordsOfOneCharacter } from "./words-of-one-character.ts";

/** Words have the same beginning across inflections that no stemmer here knows (German, Russian, Turkish, Hindi). In letters. */
const BEGINNING_LENGTH = 5;
const NUMERIC = /^[\p{N}·]+$/u;
const ASCII = /^[\x00-\x7f]+$/;
/** Scripts that leave out vowels: fewer letters identify a word. */
const CONSONANTAL = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u;

const beginningLength = (term: string): number => {
  if (ASCII.test(term)) return BEGINNING_LENGTH;
  // The last of five letters is often an ending: «книга», «книги».
  return CONSONANTAL.test(term) ? BEGINNING_LENGTH - 1 : Math.min(BEGINNING_LENGTH, Math.max(4, term.length - 1));
};

/** Undefined for a number, or for a word so short that only the word itself begins like it. */
const beginningOf = (term: string): string | undefined => {
  const length = beginningLength(term);
  if (term.length < length || NUMERIC.test(term)) return undefined;
  const beginning = term.slice(0, length);
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1);
};

export type QueryTerm = {
  /** Any of them will do: keys of the index (see read-store.ts), or with a `*` at the end all keys that begin so. */
  keys: string[];
  weight: number;
  /** Left out of the score if the project does not have it. */
  optional?: boolean;
  /** Asked for instead if the project does not have it. */
  instead?: QueryTerm[];
};

/** More terms would take time and change little. */
const MOST_TERMS = 64;
/** The weight of a shared beginning, where a shared word weighs 1; chosen on SciFact's training claims and XQuAD. */
export const BEGINNING_WEIGHT = 0.7;
const FUNCTION_WORD_WEIGHT = 0.3;
/** The weight of a name as a whole («Wi-Fi», «6204-2RS»), besides its parts. */
const WHOLE_WEIGHT = 0.5;

/** Letters and digits in one word: «DIN933», «v2», «470uF». */
const MIXED = /\p{L}\p{N}|\p{N}\p{L}/u;
const LETTERS_OR_DIGITS = /\p{L}+|[\p{N}·]+/gu;
/** How German umlauts are written on keyboards without them. */
const WRITTEN_OUT = /([aou])e/g;

/** Two letters of hiragana are mostly endings and particles («すか», «から»), which have nothing to do with what is asked. */
const HIRAGANA = /^\p{Script=Hiragana}{2}$/u;
const HIRAGANA_WEIGHT = 0.5;

/** The word, or others that stand for it; then, with less weight, its beginning. The keys are still without their project. */
const spell = (
  word: string,
  weight: number,
  others: readonly string[] = [],
  beginning = beginningOf(word),
): [QueryTerm, ...QueryTerm[]] => {
  const keys = [word, ...others];
  if (beginning === undefined) return [{ keys, weight: weight * (1 + BEGINNING_WEIGHT) }];
  return [
    { keys, weight },
    { keys: [`${beginning}*`], weight: weight * BEGINNING_WEIGHT },
  ];
};

/** Other ways to write a word that the project does not have. */
const alternativesOf = (word: string): string[] => {
  if (MIXED.test(word)) return word.match(LETTERS_OR_DIGITS)!;
  const folded = word.replace(WRITTEN_OUT, "$1");
  return folded === word ? [] : [folded];
};

/** `parts` of the word, or else its other spellings, which share its weight. */
const orElse = (word: string, weight: number, parts: string[] = []): Pick<QueryTerm, "instead"> => {
  const alternatives = parts.length > 0 ? parts : alternativesOf(word);
  if (alternatives.length === 0) return {};
  return { instead: alternatives.flatMap((each) => spell(each, weight / alternatives.length)) };
};

/** Leaves the function words out of a long query, and then its middle: people say what they want at the beginning or the end. */
const withinMost = (words: string[], lesser: ReadonlySet<string>): string[] => {
  if (words.length <= MOST_TERMS) return words;
  const telling = words.filter((word) => !lesser.has(word));
  if (telling.length <= MOST_TERMS) return telling;
  return [...telling.slice(0, MOST_TERMS / 2), ...telling.slice(-MOST_TERMS / 2)];
};

const inProject = (project: number, { keys, instead, ...term }: QueryTerm): QueryTerm => ({
  keys: keys.map((key) => keyOf(project, key)),
  ...term,
  ...(instead && { instead: instead.map((each) => inProject(project, each)) }),
});

/**
 * `lesser`: the function words, which weigh less unless the query has no others. `correcting` and `splitting`: the project's words, for
 * mistyped words and compounds; each has lookups of its own.
 */
export const queryTerms = (
  tokenize: Tokenizer,
  project: number,
  text: string,
  lesser: ReadonlySet<string>,
  { correcting, splitting }: { correcting: Vocabulary; splitting: Vocabulary },
): QueryTerm[] => {
  const { terms, joined } = tokenize(text, { sideBySide: true });
  const words = withinMost([...new Set(terms)], lesser);
  const saysSomething = words.some((word) => !lesser.has(word));
  const pieces = joined
    .filter(({ from, to, connected }) => connected || !terms.slice(from, to).some((term) => lesser.has(term)))
    .slice(0, MOST_TERMS);
  const ofOneCharacter = wordsOfOneCharacter(terms);
  const ofOneInChinese = chineseWordsOfOneCharacter(text, terms, lesser);
  const weightOf = (word: string): number => {
    if (saysSomething && lesser.has(word)) return FUNCTION_WORD_WEIGHT;
    return HIRAGANA.test(word) ? HIRAGANA_WEIGHT : 1;
  };
  const asked = words.flatMap((word) => {
    const weight = weightOf(word);
    const others = pieces.filter(({ from, to }) => terms.slice(from, to).includes(word)).map(({ term }) => term);
    const [exact, ...beginning] = spell(word, weight, [...new Set(others)], ofOneCharacter.get(word));
    const spellings = [exact, ...beginning].flatMap(({ keys }) => keys);
    const [meant, ...alsoMeant] = correctSpelling(word, spellings, correcting);
    if (meant !== undefined) return spell(meant, weight, alsoMeant);
    const character = ofOneInChinese.get(word);
    if (character !== undefined) return [{ ...exact, instead: spell(word, weight, [], character) }];
    return [{ ...exact, ...orElse(word, weight, splitCompound(word, splitting, lesser)) }, ...beginning];
  });
  const whole = new Set(pieces.filter(({ connected }) => connected).map(({ term }) => term));
  const wholes = [...whole].map((term) => ({
    keys: [term],
    weight: WHOLE_WEIGHT,
    optional: true,
    ...orElse(term, WHOLE_WEIGHT),
  }));
  return [...asked, ...wholes].map((term) => inProject(project, term));
};
