/** The terms of a text as they stand in the full-text index, which all projects share: each begins with its project's number. */
import type { Tokenizer } from "./tokenize.ts";

export const keyOf = (project: number, term: string): string => `${project}x${term}`;

type IndexedTerms = {
  /** For the `terms` column: keys separated by spaces. */
  text: string;
  /** The number of words: the length that BM25 uses. */
  count: number;
};

export const indexTerms = (tokenize: Tokenizer, project: number, text: string): IndexedTerms => {
  const { terms, joined } = tokenize(text);
  const all = [...terms, ...joined.map(({ term }) => term)];
  // Joined terms repeat others, so they do not make the text longer.
  return { text: all.map((term) => keyOf(project, term)).join(" "), count: terms.length };
};
