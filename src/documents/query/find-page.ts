/** Which page a passage is cited by, where it runs over several: the one that answers the question. */
import type { Db } from "../../database/database.ts";
import { type FoundChunk, listPages } from "../content-store.ts";
import type { Page } from "../extract/extraction.ts";
import type { Tokenizer } from "../index/tokenize.ts";

type Place = Pick<FoundChunk, "documentNumber" | "contentType" | "pageFrom" | "pageTo" | "content">;

/** As much of a page's beginning as tells it from others. */
const HEAD_LENGTH = 40;

/** The passage cut where its pages begin; one whose beginning is not in it counts to the page before, a blank one to none. */
const partsOf = (content: string, pages: readonly Page[]): { page: number; text: string }[] => {
  const starts: { page: number; at: number }[] = [];
  for (const { page, text } of pages) {
    const head = text.trimStart().slice(0, HEAD_LENGTH);
    const after = starts.at(-1)?.at ?? -1;
    const at = starts.length === 0 ? 0 : content.indexOf(head, after + 1);
    if (head !== "" && at > after) starts.push({ page, at });
  }
  return starts.map(({ page, at }, place) => ({ page, text: content.slice(at, starts[place + 1]?.at) }));
};

/** The page that has most of the question's words; a word says the less, the more of the passage's pages have it. */
export const createPageFinder = (db: Db, tokenize: Tokenizer, question: string): ((passage: Place) => Promise<number>) => {
  const asked = new Set(tokenize(question).terms);
  return async ({ documentNumber, contentType, pageFrom, pageTo, content }) => {
    // Text has no pages of its own: what is stored of it are longer pieces.
    if (pageFrom === pageTo || contentType !== "application/pdf") return pageFrom;
    const parts = partsOf(content, await listPages(db, documentNumber, pageFrom, pageTo));
    const pages = parts.map(({ page, text }) => ({ page, terms: asked.intersection(new Set(tokenize(text).terms)) }));
    let found = { page: pageFrom, weight: 0 };
    for (const { page, terms } of pages) {
      let weight = 0;
      for (const term of terms) weight += 1 / pages.filter((other) => other.terms.has(term)).length;
      if (weight > found.weight) found = { page, weight };
    }
    return found.page;
  };
};
