/** Turns a document's text into chunks with their pages, and these into rows of the index. Pure; runs off the serving thread. */
import { lastUpTo } from "../lib/last-up-to.ts";
import { type Chunk, chunkText } from "./chunk/chunk-text.ts";
import { CHARACTERS_PER_PAGE } from "./document.ts";
import { type DocumentType, hasPages } from "./document-type.ts";
import type { Page } from "./extract/extraction.ts";
import { keyOf } from "./index/read-store.ts";
import type { ChunkRow } from "./index/store.ts";
import type { Tokenizer } from "./index/tokenize.ts";

export type PagedChunk = Chunk & Pick<ChunkRow, "pageFrom" | "pageTo">;

/** A document as one text, and the page of an offset in it. */
type WholeText = { text: string; pageAt(offset: number): number };

const ENDS_SENTENCE = /[.!?:;。！？…»"”)\]|]\s*$/u;

/** The end of a page ends a paragraph only if a sentence ends there. */
const joinPages = (pages: readonly Page[]): WholeText => {
  const parts: string[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const { text } of pages) {
    const before = parts.at(-1);
    const gap = before === undefined ? "" : ENDS_SENTENCE.test(before.slice(-20)) ? "\n\n" : "\n";
    parts.push(gap + text);
    starts.push(length + gap.length);
    length += gap.length + text.length;
  }
  return { text: parts.join(""), pageAt: (offset) => pages[lastUpTo(starts, offset)]!.page };
};

const joinPieces = (pieces: readonly Page[]): WholeText => ({
  text: pieces.map(({ text }) => text).join(""),
  pageAt: (offset) => 1 + Math.floor(offset / CHARACTERS_PER_PAGE),
});

export const chunkDocument = (pages: readonly Page[], type: DocumentType): PagedChunk[] => {
  const { text, pageAt } = hasPages(type) ? joinPages(pages) : joinPieces(pages);
  return chunkText(text).map((chunk) => ({
    ...chunk,
    pageFrom: pageAt(chunk.start),
    pageTo: pageAt(Math.max(chunk.start, chunk.end - 1)),
  }));
};

/** The text that a chunk is indexed by: its document's name, its headings, its content. The first two often name what the text is about. */
export const indexedText = (name: string, chunk: Pick<Chunk, "headings" | "content">): string =>
  `${[name, ...chunk.headings].join(" > ")}\n${chunk.content}`;

export const toChunkRow = (tokenize: Tokenizer, project: number, name: string, chunk: PagedChunk): ChunkRow => {
  const { terms, joined } = tokenize(indexedText(name, chunk));
  const keys = [...terms, ...joined.map(({ term }) => term)].map((term) => keyOf(project, term));
  // Joined terms repeat others, so they do not make the text longer.
  return { ...chunk, terms: keys.join(" "), termCount: terms.length };
};
