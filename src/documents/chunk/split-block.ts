/** Cuts a block that is too large into pieces: table rows, lines of code or of records, sentences, and words only if nothing else ends in time. */
import type { Block } from "./find-blocks.ts";
import { kindOfLines } from "./kind-of-lines.ts";
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

function* linePieces(text: string, start: number, end: number): Generator<Piece> {
  for (let at = start; at < end; ) {
    const found = text.indexOf("\n", at);
    const stop = found < 0 || found > end ? end : found;
    if (stop > at) yield { start: at, end: stop };
    at = stop + 1;
  }
}

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

function* sentencePieces(text: string, { start, end }: Piece, segmenter: Intl.Segmenter): Generator<Piece> {
  let last: Piece | undefined;
  for (let from = start; from < end; ) {
    const isLast = end - from <= SEGMENT_WINDOW;
    const to = isLast ? end : placeToCut(text, from, from + SEGMENT_WINDOW);
    // Within a paragraph, lines end where the page was full; the segmenter would take that for the end of a sentence.
    const segments = [...segmenter.segment(text.slice(from, to).replaceAll("\n", " "))];
    // The window may have cut its last sentence, which is read again with what follows.
    if (!isLast && segments.length > 1) segments.pop();
    for (const { index, segment } of segments) {
      const piece = { start: from + index, end: from + index + segment.length };
      if (last !== undefined && piece.end - last.start < LONGEST_JOINED && ABBREVIATED.test(text.slice(last.start, last.end)))
        last.end = piece.end;
      else {
        if (last !== undefined) yield last;
        last = piece;
      }
    }
    from = last!.end;
  }
  if (last !== undefined) yield last;
}

/** The piece itself if it is small enough, otherwise as many as needed. */
function* smallPieces(text: string, { start, end }: Piece): Generator<Piece> {
  for (let at = start; at < end; ) {
    const limit = endWithin(text, at, end, TARGET_SIZE);
    const stop = limit < end ? placeToCut(text, at, limit) : end;
    yield { start: at, end: stop };
    at = stop;
  }
}

/** The head with the first line after it, then line by line. */
function* linesUnderHead(text: string, { start, end }: Piece, headLines: number): Generator<Piece> {
  const first = linePieces(text, start, end)
    .take(headLines + 1)
    .toArray();
  const head = first.slice(0, headLines).map((line) => `${text.slice(line.start, line.end)}\n`);
  const lead = head.join("");
  const from = first.at(-1)!.end;
  yield* smallPieces(text, { start, end: from });
  for (const line of linePieces(text, from, end))
    for (const piece of smallPieces(text, line)) yield lead.length < TARGET_SIZE / 2 ? { ...piece, lead } : piece;
}

/** A line of at most this size is not cut after a sentence. */
const LARGEST_LINE = TARGET_SIZE / 2;

function* wholeLines(text: string, { start, end }: Piece, segmenter: Intl.Segmenter): Generator<Piece> {
  for (const line of linePieces(text, start, end)) {
    if (sizeOf(text, line.start, line.end) <= LARGEST_LINE) yield line;
    else for (const sentence of sentencePieces(text, line, segmenter)) yield* smallPieces(text, sentence);
  }
}

const staysWhole = (text: string, { kind, start, end }: Block): boolean =>
  (kind === "code" && end - start <= LARGEST_CODE) || sizeOf(text, start, end) <= TARGET_SIZE;

/** `fills`: the pieces fill up a chunk, for which prose may be cut after any sentence; a block of another kind is cut only if too large. */
export function* splitBlock(text: string, block: Block, segmenter: Intl.Segmenter, fills: boolean): Generator<Piece> {
  const whole: Piece = { start: block.start, end: block.end };
  const kind = block.kind === "paragraph" ? kindOfLines(text, block.start, block.end) : block.kind;
  if (staysWhole(text, block) && !(fills && kind === "prose")) yield whole;
  else if (kind === "code" || kind === "rows") yield* linesUnderHead(text, whole, 1);
  else if (kind === "table") yield* linesUnderHead(text, whole, 2);
  else if (kind === "lines") yield* wholeLines(text, whole, segmenter);
  else for (const sentence of sentencePieces(text, whole, segmenter)) yield* smallPieces(text, sentence);
}
