/** The terms of a text as they stand in the full-text index, which all projects share: each begins with its project's number. */
import type { ChunkRow } from "./store.ts";
import type { Tokenizer } from "./tokenize.ts";

export const keyOf = (project: number, term: string): string => `${project}x${term}`;

export const indexTerms = (tokenize: Tokenizer, project: number, text: string): Pick<ChunkRow, "terms" | "termCount"> => {
  const { terms, joined } = tokenize(text);
  const all = [...terms, ...joined.map(({ term }) => term)];
  // Joined terms repeat others, so they do not make the text longer.
  return { terms: all.map((term) => keyOf(project, term)).join(" "), termCount: terms.length };
};
