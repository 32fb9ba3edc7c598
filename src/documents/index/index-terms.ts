/**
 * Terms as they stand in the full-text index and as queries ask for them, namespaced by project. A query asks for each word and, for
 * less, for all words that begin alike: they stand side by side in the index, so that a beginning needs no entry of its own.
 */
import type { Tokenizer } from "./tokenize.ts";

/** Words share a beginning across inflections that no stemmer here knows (German, Russian, Turkish, Hindi). */
const BEGINNING_LENGTH = 5;
const NUMERIC = /^\p{N}+$/u;

/** Undefined for a number or a word so short that only itself begins like it. */
const beginningOf = (term: string): string | undefined => {
  if (term.length < BEGINNING_LENGTH || NUMERIC.test(term)) return undefined;
  const beginning = term.slice(0, BEGINNING_LENGTH);
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1);
};

const keyOf = (project: number, term: string): string => `${project}x${term}`;

export type IndexedTerms = {
  /** For the `terms` column: separated by spaces. */
  text: string;
  /** How many words: the length that BM25 counts with. */
  count: number;
};

export const indexTerms = (tokenize: Tokenizer, project: number, text: string): IndexedTerms => {
  const terms = tokenize(text);
  return { text: terms.map((term) => keyOf(project, term)).join(" "), count: terms.length };
};

/** `key` as it stands in the index; with a `*` at its end it asks for all that begin with it. */
export type QueryTerm = { key: string; weight: number };

/** A query of more terms than this is cut: the rest would cost time and change nothing. */
const MOST_TERMS = 64;
/** What a shared beginning counts against a shared word; chosen on SciFact's training claims and XQuAD. */
export const BEGINNING_WEIGHT = 0.7;

const FUNCTION_WORD_WEIGHT = 0.3;

/** `lesser`: function-words.ts. A query of nothing else is taken at its word. */
export const queryTerms = (tokenize: Tokenizer, project: number, text: string, lesser: ReadonlySet<string>): QueryTerm[] => {
  const words = [...new Set(tokenize(text))].slice(0, MOST_TERMS);
  const saysSomething = words.some((word) => !lesser.has(word));
  return words.flatMap((word) => {
    const weight = saysSomething && lesser.has(word) ? FUNCTION_WORD_WEIGHT : 1;
    const key = keyOf(project, word);
    const beginning = beginningOf(word);
    if (beginning === undefined) return [{ key, weight: weight * (1 + BEGINNING_WEIGHT) }];
    return [
      { key, weight },
      { key: `${keyOf(project, beginning)}*`, weight: weight * BEGINNING_WEIGHT },
    ];
  });
};
