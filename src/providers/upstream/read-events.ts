/** Splits an upstream's byte stream into frames: the `data` of server-sent events, or lines of NDJSON. Independent of vendors. */

import { isJson } from "../../lib/is-json.ts";
import { type Piece, viewOf } from "../transport/piece.ts";
import { tooLong } from "./upstream-failure.ts";

export type Framing = "sse" | "ndjson";

/** No honest frame is longer, also with a large picture; without a bound a line could grow in memory for ever. */
const MAX_FRAME_CHARACTERS = 16 * 1024 * 1024;

const LF = 10;
const SPACE = 32;

/** What is kept between chunks, so that nothing is scanned twice. */
export type FrameParser = {
  framing: Framing;
  /** Set once a piece was cut within a character: it keeps the first part. */
  decoder: TextDecoder | undefined;
  hasBegun: boolean;
  /** An incomplete line; a rope that is flattened once. */
  unfinished: string;
  /** The last chunk ended in CR; a line feed at the beginning of the next one belongs to it. */
  skipLineFeed: boolean;
  /** The data of an event whose blank line has not come. */
  data: string | undefined;
  /** Lines that are no part of an event, from the first that begins JSON: Gemini and proxies write an error so. */
  unframed: string;
  /** That data has several lines, the first of which is not a whole frame. */
  isSplit: boolean;
};

const finishLine = (parser: FrameParser, rest: string, frames: string[]): void => {
  const line = parser.unfinished === "" ? rest : parser.unfinished + rest;
  parser.unfinished = "";
  TAKE_LINE[parser.framing](parser, line, frames);
};

const keep = (parser: FrameParser, rest: string): void => {
  if (parser.unfinished.length + rest.length > MAX_FRAME_CHARACTERS) throw tooLong("a stream frame");
  parser.unfinished += rest;
};

/**
 * Splits text into lines ended by LF, CRLF or CR, in time linear in the text: only new text is searched,
 * and the unfinished line grows as a rope that is flattened once, when its end arrives.
 */
const readLines = (parser: FrameParser, text: string, frames: string[]): void => {
  if (text === "") return;
  let start = parser.skipLineFeed && text.charCodeAt(0) === LF ? 1 : 0;
  parser.skipLineFeed = false;
  let lf = text.indexOf("\n", start);
  let cr = text.indexOf("\r", start);
  while (lf !== -1 || cr !== -1) {
    const endsInCr = cr !== -1 && (lf === -1 || cr < lf);
    const end = endsInCr ? cr : lf;
    finishLine(parser, text.slice(start, end), frames);
    start = end + 1;
    if (lf === start) start++;
    else if (endsInCr && start === text.length) parser.skipLineFeed = true;
    if (lf !== -1 && lf < start) lf = text.indexOf("\n", start);
    if (cr !== -1 && cr < start) cr = text.indexOf("\r", start);
  }
  if (start < text.length) keep(parser, text.slice(start));
};

/** The value of a `data` field, or undefined for comments and every other field. */
const dataOf = (line: string): string | undefined => {
  if (line.startsWith("data:")) return line.slice(line.charCodeAt(5) === SPACE ? 6 : 5);
  return line === "data" ? "" : undefined;
};

const dispatch = (parser: FrameParser, frames: string[]): void => {
  // An event without data does not count; some servers send them as keep-alives.
  if (parser.data) frames.push(parser.data);
  parser.data = undefined;
  parser.isSplit = false;
};

/** Whether a line of data begins a new frame although no blank line ended the one before, as some servers of GLM and Kimi write. */
const beginsFrame = ({ data, isSplit }: FrameParser, value: string): boolean =>
  data !== undefined && !isSplit && (value.startsWith("{") || value === "[DONE]") && isJson(data);

const beginsJson = (line: string): boolean => line.startsWith("{") || line.startsWith("[");

const keepUnframed = (parser: FrameParser, line: string): void => {
  parser.unframed += `${line}\n`;
  if (parser.unframed.length > MAX_FRAME_CHARACTERS) throw tooLong("a stream frame");
};

const TAKE_LINE: Record<Framing, (parser: FrameParser, line: string, frames: string[]) => void> = {
  sse(parser, line, frames) {
    if (line === "") {
      dispatch(parser, frames);
      return;
    }
    const value = dataOf(line);
    if (value === undefined) {
      if (parser.unframed !== "" || beginsJson(line)) keepUnframed(parser, line);
      return;
    }
    if (beginsFrame(parser, value)) dispatch(parser, frames);
    parser.isSplit = parser.data !== undefined;
    parser.data = parser.data === undefined ? value : `${parser.data}\n${value}`;
    if (parser.data.length > MAX_FRAME_CHARACTERS) throw tooLong("a stream frame");
  },
  ndjson(_, line, frames) {
    if (line.trim() !== "") frames.push(line);
  },
};

/** Fast path: the data of a text that is exactly one event with one line, as nearly all chunks of a stream are. */
const onlyDataOf = ({ framing, data, unfinished, skipLineFeed }: FrameParser, text: string): string | undefined =>
  framing === "sse" &&
  data === undefined &&
  unfinished === "" &&
  !skipLineFeed &&
  text.startsWith("data: ") &&
  text.endsWith("\n\n") &&
  text.indexOf("\n") === text.length - 2 &&
  !text.includes("\r")
    ? text.slice(6, -2)
    : undefined;

const MORE_FOLLOWS = { stream: true };

export const createFrameParser = (framing: Framing): FrameParser => ({
  framing,
  decoder: undefined,
  hasBegun: false,
  unfinished: "",
  skipLineFeed: false,
  data: undefined,
  unframed: "",
  isSplit: false,
});

const ASCII_END = 0x80;
const BYTE_ORDER_MARK = 0xef;

/** The text of whole characters; the mark that may open a stream is no part of it. */
const textOf = (parser: FrameParser, piece: Piece): string => {
  const { bytes, from, to } = piece;
  const { hasBegun } = parser;
  parser.hasBegun = true;
  const isWhole = bytes[to - 1]! < ASCII_END && (hasBegun || bytes[from] !== BYTE_ORDER_MARK);
  if (parser.decoder === undefined && isWhole) return bytes.toString("utf8", from, to);
  parser.decoder ??= new TextDecoder("utf-8", { ignoreBOM: hasBegun });
  return parser.decoder.decode(viewOf(piece), MORE_FOLLOWS);
};

/**
 * Appends every frame that `chunk` completes to `frames`. Throws UpstreamError `server` for one that is too long. Invalid UTF-8 becomes
 * U+FFFD, as the SSE standard demands.
 */
export const parseFrames = (parser: FrameParser, chunk: Piece, frames: string[]): void => {
  const text = textOf(parser, chunk);
  const onlyData = onlyDataOf(parser, text);
  if (onlyData && onlyData.length <= MAX_FRAME_CHARACTERS) frames.push(onlyData);
  else readLines(parser, text, frames);
};

/** Call it at the end of the stream: an event without its closing blank line still counts, and JSON that stands outside of events. */
export const endFrames = (parser: FrameParser, frames: string[]): void => {
  if (parser.decoder !== undefined) readLines(parser, parser.decoder.decode(), frames);
  if (parser.unfinished !== "") finishLine(parser, "", frames);
  dispatch(parser, frames);
  if (parser.unframed !== "" && isJson(parser.unframed)) frames.push(parser.unframed);
};
