/** Turns a document's pages into chunk rows, with the text that each is embedded by. Pure; runs off the serving thread. */
import { lastUpTo } from "../lib/last-up-to.ts";
import { type Chunk, chunkText } from "./chunk/chunk-text.ts";
import type { Page } from "./extract/extraction.ts";
import { indexTerms } from "./index/index-terms.ts";
import type { ChunkRow } from "./index/store.ts";
import type { Tokenizer } from "./index/tokenize.ts";

export type JoinedPages = {
  text: string;
  /** Where each page begins in the text, ascending. */
  starts: { page: number; at: number }[];
};

const ENDS_SENTENCE = /[.!?:;。！？…»"”)\]|]\s*$/u;

/** The end of a page ends a paragraph only if a sentence ends there. */
export const joinPages = (pages: readonly Page[]): JoinedPages => {
  const starts: JoinedPages["starts"] = [];
  const parts: string[] = [];
  let at = 0;
  for (const { page, text } of pages) {
    const previous = parts.at(-1);
    const gap = previous === undefined ? "" : ENDS_SENTENCE.test(previous.slice(-20)) ? "\n\n" : "\n";
    if (gap !== "") parts.push(gap);
    at += gap.length;
    starts.push({ page, at });
    parts.push(text);
    at += text.length;
  }
  return { text: parts.join(""), starts };
};

const pageAt = (starts: JoinedPages["starts"], offset: number): number => starts[lastUpTo(starts, offset, ({ at }) => at)]!.page;

/** The text that a chunk is indexed by: its document's name, its headings, its content. The first two often name what the text is about. */
export const indexedText = (name: string, chunk: Pick<Chunk, "headings" | "content">): string =>
  `${[name, ...chunk.headings].join(" > ")}\n${chunk.content}`;

export const toChunkRow = (
  tokenize: Tokenizer,
  project: number,
  name: string,
  chunk: Chunk,
  starts: JoinedPages["starts"],
): ChunkRow => {
  const terms = indexTerms(tokenize, project, indexedText(name, chunk));
  return {
    content: chunk.content,
    headings: chunk.headings,
    pageFrom: pageAt(starts, chunk.start),
    pageTo: pageAt(starts, Math.max(chunk.start, chunk.end - 1)),
    start: chunk.start,
    end: chunk.end,
    terms: terms.text,
    termCount: terms.count,
  };
};

export const chunkPages = (pages: readonly Page[]): { chunks: Chunk[]; starts: JoinedPages["starts"] } => {
  const { text, starts } = joinPages(pages);
  return { chunks: chunkText(text), starts };
};
