/** A block that is too large → pieces that are not: table rows, code lines, lines, sentences, and words only where nothing else ends. */
import type { Block } from "./find-blocks.ts";
import { endWithin, sizeOf, TARGET_SIZE } from "./text-size.ts";

export type Piece = {
  start: number;
  end: number;
  /** Put before the text when the piece does not begin its block: a table's head, a fence's opening line. */
  lead?: string;
};

/** Code is cut only beyond this: half a function helps nobody. */
const LARGEST_CODE = TARGET_SIZE * 3;
/** Intl.Segmenter is given at most this much at once, so that its cost stays linear. */
const SEGMENT_WINDOW = 10_000;

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

const sentencePieces = (text: string, start: number, end: number, segmenter: Intl.Segmenter): Piece[] => {
  const pieces: Piece[] = [];
  for (let from = start; from < end; from += SEGMENT_WINDOW) {
    const to = Math.min(end, from + SEGMENT_WINDOW);
    // A line end inside a paragraph is only where the page was full; to the segmenter it would be a sentence's end.
    const window = text.slice(from, to).replaceAll("\n", " ");
    for (const { index, segment } of segmenter.segment(window))
      pieces.push({ start: from + index, end: from + index + segment.length });
  }
  return pieces;
};

const hardPieces = (text: string, { start, end }: Piece): Piece[] => {
  const pieces: Piece[] = [];
  for (let at = start; at < end; ) {
    let stop = endWithin(text, at, end, TARGET_SIZE);
    const space = stop < end ? text.lastIndexOf(" ", stop) : -1;
    if (space > at + (stop - at) / 2) stop = space + 1;
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
