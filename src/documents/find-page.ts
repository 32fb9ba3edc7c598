/** Which page a passage is cited by, where it runs over several: the one that answers the question. */
import type { Db } from "../database/database.ts";
import type { Tokenizer } from "./index/tokenize.ts";
import { type FoundChunk, listPages } from "./store.ts";

type Place = Pick<FoundChunk, "documentNumber" | "pageFrom" | "pageTo" | "content">;

/** The page that has most of the question's words that are in the passage; a word says the less, the more of its pages have it. */
export const createPageFinder = (db: Db, tokenize: Tokenizer, question: string): ((passage: Place) => Promise<number>) => {
  const termsOf = (text: string) => new Set(tokenize(text).terms);
  const asked = termsOf(question);
  return async ({ documentNumber, pageFrom, pageTo, content }) => {
    if (pageFrom === pageTo) return pageFrom;
    const shared = asked.intersection(termsOf(content));
    const pages = (await listPages(db, documentNumber, pageFrom, pageTo)).map(({ page, text }) => ({
      page,
      terms: termsOf(text),
    }));
    let found = { page: pageFrom, weight: 0 };
    for (const { page, terms } of pages) {
      let weight = 0;
      for (const term of shared.intersection(terms)) weight += 1 / pages.filter((other) => other.terms.has(term)).length;
      if (weight > found.weight) found = { page, weight };
    }
    return found.page;
  };
};
