/** Cuts a block that is too large into pieces: table rows, lines of code, sentences, and words only if nothing else ends in time. */
import type { Block } from "./find-blocks.ts";
import { endWithin, sizeOf, TARGET_SIZE } from "./text-size.ts";

export type Piece = {
  start: number;
  end: number;
  /** Put before the text of a piece that does not begin its block: the head of a table, the opening line of a fence. */
  lead?: string;
};

/** Code up to this length is not cut: half a function is of no use. */
const LARGEST_CODE = TARGET_SIZE * 3;
/** Intl.Segmenter is given at most this much at once, so that its cost stays linear. */
const SEGMENT_WINDOW = 10_000;
/** What is seen as one character may consist of several: a letter with its marks, an emoji of a family. In UTF-16 code units. */
const LONGEST_CHARACTER = 64;

const linePieces = (text: string, start: number, end: number): Piece[] => {
  const pieces: Piece[] = [];
  for (let at = start; at < end; ) {
    const found = text.indexOf("\n", at);
    const stop = found < 0 || found > end ? end : found;
    if (stop > at) pieces.push({ start: at, end: stop });
    at = stop + 1;
  }
  return pieces;
};

/** The last end of a line, of a word, and of a clause in languages without blanks. */
const ENDS = [/\n(?=[^\n]*$)/, /\s(?=\S*$)/, /[，、；：،؛](?=[^，、；：،؛]*$)/];

/** The last such end before `stop` in the second half; otherwise the last boundary between characters as they are seen. */
const placeToCut = (text: string, start: number, stop: number): number => {
  const half = start + Math.ceil((stop - start) / 2);
  for (const ending of ENDS) {
    const at = text.slice(half, stop).search(ending);
    if (at >= 0) return half + at + 1;
  }
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const { index } = graphemes.segment(text.slice(start, stop + LONGEST_CHARACTER)).containing(stop - start)!;
  return index > 0 ? start + index : stop;
};

/** «Dr. Jones», «No. 5», «e.g. this»: after so short a word, a full stop rarely ends a sentence. */
const ABBREVIATED = /(?:^|[^\p{L}\p{N}])\p{L}{1,3}\.\s*$/u;
/** Longer pieces are not joined, so that a chunk can still be filled. */
const LONGEST_JOINED = TARGET_SIZE / 4;

export const sentencePieces = (text: string, start: number, end: number, segmenter: Intl.Segmenter): Piece[] => {
  const pieces: Piece[] = [];
  for (let from = start; from < end; ) {
    const isLast = end - from <= SEGMENT_WINDOW;
    const to = isLast ? end : placeToCut(text, from, from + SEGMENT_WINDOW);
    // Within a paragraph, lines end where the page was full; the segmenter would take that for the end of a sentence.
    const segments = [...segmenter.segment(text.slice(from, to).replaceAll("\n", " "))];
    // The window may have cut its last sentence, which is read again with what follows.
    if (!isLast && segments.length > 1) segments.pop();
    for (const { index, segment } of segments) {
      const last = pieces.at(-1);
      const piece = { start: from + index, end: from + index + segment.length };
      if (last !== undefined && piece.end - last.start < LONGEST_JOINED && ABBREVIATED.test(text.slice(last.start, last.end)))
        last.end = piece.end;
      else pieces.push(piece);
    }
    from = pieces.at(-1)!.end;
  }
  return pieces;
};

const hardPieces = (text: string, { start, end }: Piece): Piece[] => {
  const pieces: Piece[] = [];
  for (let at = start; at < end; ) {
    const limit = endWithin(text, at, end, TARGET_SIZE);
    const stop = limit < end ? placeToCut(text, at, limit) : end;
    pieces.push({ start: at, end: stop });
    at = stop;
  }
  return pieces;
};

const fits = (text: string, piece: Piece): boolean => sizeOf(text, piece.start, piece.end) <= TARGET_SIZE;

export const splitBlock = (text: string, block: Block, segmenter: Intl.Segmenter): Piece[] => {
  const whole: Piece = { start: block.start, end: block.end };
  if (fits(text, whole) || (block.kind === "code" && block.end - block.start <= LARGEST_CODE)) return [whole];
  if (block.kind === "code" || block.kind === "table") {
    const lines = linePieces(text, block.start, block.end);
    const leadLines = block.kind === "table" ? 2 : 1;
    const head = lines.slice(0, leadLines).map(({ start, end }) => text.slice(start, end));
    const lead = `${head.join("\n")}\n`;
    const first = { start: block.start, end: lines[Math.min(leadLines, lines.length - 1)]!.end };
    const rest = lines.slice(leadLines + 1).flatMap((line) => (fits(text, line) ? [line] : hardPieces(text, line)));
    return [
      ...(fits(text, first) ? [first] : hardPieces(text, first)),
      ...rest.map((line) => (lead.length < TARGET_SIZE / 2 ? { ...line, lead } : line)),
    ];
  }
  return sentencePieces(text, block.start, block.end, segmenter).flatMap((piece) =>
    fits(text, piece) ? [piece] : hardPieces(text, piece),
  );
};
