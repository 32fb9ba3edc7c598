/** Terms as they stand in the full-text index and as queries ask for them: namespaced by project, words beside their beginnings. */
import type { Tokenizer } from "./tokenize.ts";

/** Words share a beginning across inflections that no stemmer here knows (German, Russian, Turkish, Hindi). */
const PREFIX_LENGTH = 5;
const NUMERIC = /^\p{N}+$/u;

/** The first letters of a word that has more of them, else undefined: a short word is its own beginning. */
const prefixOf = (term: string): string | undefined =>
  term.length > PREFIX_LENGTH && !NUMERIC.test(term) ? term.slice(0, PREFIX_LENGTH) : undefined;

const wordKey = (project: number, term: string): string => `${project}x${term}`;
const prefixKey = (project: number, prefix: string): string => `${project}p${prefix}`;

export type IndexedTerms = {
  /** For the `terms` column: separated by spaces. */
  text: string;
  /** How many words: the length that BM25 counts with. */
  count: number;
};

export const indexTerms = (tokenize: Tokenizer, project: number, text: string): IndexedTerms => {
  const terms = tokenize(text);
  const keys: string[] = [];
  for (const term of terms) {
    keys.push(wordKey(project, term), prefixKey(project, prefixOf(term) ?? term));
  }
  return { text: keys.join(" "), count: terms.length };
};

export type QueryTerm = { key: string; weight: number };

/** A query of more terms than this is cut: the rest would cost time and change nothing. */
const MOST_TERMS = 64;
/** What a shared beginning counts against a shared word; chosen on SciFact's training claims and XQuAD. */
export const PREFIX_WEIGHT = 0.7;

const FUNCTION_WORD_WEIGHT = 0.3;

/** `lesser`: function-words.ts. A query of nothing else is taken at its word. */
export const queryTerms = (tokenize: Tokenizer, project: number, text: string, lesser: ReadonlySet<string>): QueryTerm[] => {
  const words = [...new Set(tokenize(text))].slice(0, MOST_TERMS);
  const saysSomething = words.some((word) => !lesser.has(word));
  return words.flatMap((word) => {
    const weight = saysSomething && lesser.has(word) ? FUNCTION_WORD_WEIGHT : 1;
    return [
      { key: wordKey(project, word), weight },
      { key: prefixKey(project, prefixOf(word) ?? word), weight: weight * PREFIX_WEIGHT },
    ];
  });
};
