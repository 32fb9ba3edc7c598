/** Chooses the page to cite for a passage that spans several pages: the one that answers the question. */
import type { Db } from "../../database/database.ts";
import { type FoundChunk, listPages } from "../content-store.ts";
import { hasPages } from "../document-type.ts";
import type { Page } from "../extract/extraction.ts";
import type { Tokenizer } from "../index/tokenize.ts";

type Place = Pick<FoundChunk, "documentNumber" | "contentType" | "pageFrom" | "pageTo" | "content">;

/** Characters of a page's beginning that identify it. */
const HEAD_LENGTH = 40;

/** Divides the passage where its pages begin. A page whose beginning is not found belongs to the one before; a blank page is left out. */
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

/** The page that has most of the question's words. A word counts less if several of the passage's pages have it. */
export const createPageFinder = (db: Db, tokenize: Tokenizer, question: string): ((passage: Place) => number) => {
  const asked = new Set(tokenize(question).terms);
  return ({ documentNumber, contentType, pageFrom, pageTo, content }) => {
    if (pageFrom === pageTo || !hasPages(contentType)) return pageFrom;
    const parts = partsOf(content, listPages(db, documentNumber, pageFrom, pageTo));
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
