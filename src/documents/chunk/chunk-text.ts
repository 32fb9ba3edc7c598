/**
 * Text → chunks of about 400 tokens for the index. A chunk ends where a block or sentence ends, never crosses a heading of level 1 or 2,
 * and has the path of headings that it stands under. Chunks do not overlap, because that lowered every measure (retrieval-notes §4.1).
 */
import { type Block, findBlocks } from "./find-blocks.ts";
import { type Piece, splitBlock } from "./split-block.ts";
import { sizeOf, TARGET_SIZE } from "./text-size.ts";

export type Chunk = {
  /** What is returned and given to models: the text of the span, after the head of a table or the opening of a fence that was cut. */
  content: string;
  /** Span in the text, UTF-16 offsets. */
  start: number;
  end: number;
  headings: string[];
};

/** A smaller chunk takes in the next block, even if the block must be cut for that. */
const SMALL = TARGET_SIZE / 2;
/** A smaller last remainder joins the chunk before it, which may then be this large. */
const CRUMB = 200;
const ROOM_FOR_CRUMB = TARGET_SIZE + CRUMB;

/** A text of at most this size stays in one piece: the two halves of an abstract rank below the whole. */
const WHOLE = 1.5 * TARGET_SIZE;

/** From this chunk on headings end none: a large file of nothing but headings would have millions of chunks. */
const MOST_SECTIONS = 20_000;

type Open = { start: number; end: number; size: number; lead: string; onlyHeadings: boolean; headings: string[] };

const isSection = ({ level }: Block): boolean => level !== undefined && level <= 2;

const underHeading = (path: string[], block: Block): string[] => {
  const kept = path.slice(0, block.level! - 1);
  while (kept.length < block.level! - 1) kept.push("");
  return [...kept, block.title!];
};

export const chunkText = (text: string): Chunk[] => {
  if (sizeOf(text) <= WHOLE) {
    const blocks = [...findBlocks(text)];
    if (blocks.filter(isSection).length <= 1) return wholeText(text, blocks);
  }
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  const chunks: (Chunk & { lead: string; size: number; boundary: boolean })[] = [];
  let path: string[] = [];
  let open: Open | undefined;

  const contentOf = (lead: string, start: number, end: number): string => lead + text.slice(start, end).trimEnd();
  const close = (boundary: boolean) => {
    if (open === undefined) return;
    const { start, end, size, lead, headings } = open;
    const previous = chunks.at(-1);
    if (previous !== undefined && !previous.boundary && size < CRUMB && previous.size + size <= ROOM_FOR_CRUMB) {
      previous.content = contentOf(previous.lead, previous.start, end);
      previous.end = end;
      previous.size += size;
      previous.boundary = boundary;
    } else {
      const content = contentOf(lead, start, end);
      if (content.trim() !== "")
        chunks.push({ content, start, end, headings: headings.filter((title) => title !== ""), lead, size, boundary });
    }
    open = undefined;
  };
  const add = (piece: Piece, heading: boolean) => {
    const size = sizeOf(text, piece.start, piece.end);
    if (open !== undefined && open.size + size > TARGET_SIZE) close(false);
    if (open === undefined) {
      open = { start: piece.start, end: piece.end, size, lead: piece.lead ?? "", onlyHeadings: heading, headings: path };
      return;
    }
    open.size += size + (piece.start > open.end ? 1 : 0);
    open.end = piece.end;
    open.onlyHeadings &&= heading;
    if (open.onlyHeadings) open.headings = path;
  };

  for (const block of findBlocks(text)) {
    if (block.kind === "heading") {
      const isBoundary = isSection(block) && chunks.length < MOST_SECTIONS;
      if (open !== undefined && !open.onlyHeadings && (isBoundary || open.size > SMALL)) close(isBoundary);
      path = underHeading(path, block);
      add(block, true);
      continue;
    }
    const size = sizeOf(text, block.start, block.end);
    const full = open !== undefined && open.size + size > TARGET_SIZE;
    if (full && open!.size >= SMALL) close(false);
    // A small chunk is filled up from the next block; otherwise a block that fits stays whole.
    const pieces = full || size > TARGET_SIZE ? splitBlock(text, block, segmenter, open !== undefined) : [block];
    for (const piece of pieces) add(piece, false);
  }
  close(true);
  return chunks.map(({ content, start, end, headings }) => ({ content, start, end, headings }));
};

const wholeText = (text: string, blocks: Block[]): Chunk[] => {
  const first = blocks[0];
  if (first === undefined) return [];
  const { start } = first;
  const end = blocks.at(-1)!.end;
  return [{ content: text.slice(start, end), start, end, headings: first.title === undefined ? [] : [first.title] }];
};
