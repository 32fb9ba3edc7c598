/** Splits an upstream's byte stream into frames: the `data` of server-sent events, or lines of NDJSON. Independent of vendors. */

import { isJson } from "../../lib/is-json.ts";
import { UpstreamError } from "../upstream-error.ts";

export type Framing = "sse" | "ndjson";

type FrameParser = {
  /** Appends every frame that `chunk` completes to `frames`. */
  push(chunk: Uint8Array, frames: string[]): void;
  /** Call it at the end of the stream: an event without its closing blank line still counts. */
  end(frames: string[]): void;
};

/** No honest frame is longer; without a bound a line could grow in memory for ever. */
const MAX_FRAME_CHARACTERS = 8 * 1024 * 1024;

const LF = 10;
const SPACE = 32;

const tooLong = (): UpstreamError =>
  new UpstreamError("server", "The provider sent a stream frame beyond the size limit.", { accepted: true });

/** Parser state between chunks, so that nothing is scanned twice. */
type Reading = {
  framing: Framing;
  maxCharacters: number;
  /** An incomplete line; a rope that is flattened once. */
  unfinished: string;
  /** The last chunk ended in CR; a line feed at the beginning of the next one belongs to it. */
  skipLineFeed: boolean;
  /** The data of an event whose blank line has not come. */
  data: string | undefined;
  /** That data has several lines, the first of which is not a whole frame. */
  isSplit: boolean;
};

const finishLine = (reading: Reading, rest: string, frames: string[]): void => {
  const line = reading.unfinished === "" ? rest : reading.unfinished + rest;
  reading.unfinished = "";
  TAKE_LINE[reading.framing](reading, line, frames);
};

const keep = (reading: Reading, rest: string): void => {
  if (reading.unfinished.length + rest.length > reading.maxCharacters) throw tooLong();
  reading.unfinished += rest;
};

/**
 * Splits text into lines ended by LF, CRLF or CR, in time linear in the text: only new text is searched,
 * and the unfinished line grows as a rope that is flattened once, when its end arrives.
 */
const readLines = (reading: Reading, text: string, frames: string[]): void => {
  if (text === "") return;
  let start = reading.skipLineFeed && text.charCodeAt(0) === LF ? 1 : 0;
  reading.skipLineFeed = false;
  let lf = text.indexOf("\n", start);
  let cr = text.indexOf("\r", start);
  while (lf !== -1 || cr !== -1) {
    const endsInCr = cr !== -1 && (lf === -1 || cr < lf);
    const end = endsInCr ? cr : lf;
    finishLine(reading, text.slice(start, end), frames);
    start = end + 1;
    if (lf === start) start++;
    else if (endsInCr && start === text.length) reading.skipLineFeed = true;
    if (lf !== -1 && lf < start) lf = text.indexOf("\n", start);
    if (cr !== -1 && cr < start) cr = text.indexOf("\r", start);
  }
  if (start < text.length) keep(reading, text.slice(start));
};

/** The value of a `data` field, or undefined for comments and every other field. */
const dataOf = (line: string): string | undefined => {
  if (line.startsWith("data:")) return line.slice(line.charCodeAt(5) === SPACE ? 6 : 5);
  return line === "data" ? "" : undefined;
};

const dispatch = (reading: Reading, frames: string[]): void => {
  // An event without data does not count; some servers send them as keep-alives.
  if (reading.data) frames.push(reading.data);
  reading.data = undefined;
  reading.isSplit = false;
};

/** Whether a line of data begins a new frame although no blank line ended the one before, as some servers of GLM and Kimi write. */
const beginsFrame = ({ data, isSplit }: Reading, value: string): boolean =>
  data !== undefined && !isSplit && (value.startsWith("{") || value === "[DONE]") && isJson(data);

const TAKE_LINE: Record<Framing, (reading: Reading, line: string, frames: string[]) => void> = {
  sse(reading, line, frames) {
    if (line === "") {
      dispatch(reading, frames);
      return;
    }
    const value = dataOf(line);
    if (value === undefined) return;
    if (beginsFrame(reading, value)) dispatch(reading, frames);
    reading.isSplit = reading.data !== undefined;
    reading.data = reading.data === undefined ? value : `${reading.data}\n${value}`;
    if (reading.data.length > reading.maxCharacters) throw tooLong();
  },
  ndjson(_, line, frames) {
    if (line.trim() !== "") frames.push(line);
  },
};

/** Fast path: the data of a text that is exactly one event with one line, as nearly all chunks of a stream are. */
const onlyDataOf = ({ framing, data, unfinished, skipLineFeed }: Reading, text: string): string | undefined =>
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

/** Throws UpstreamError `server` for a frame longer than `maxCharacters`. Invalid UTF-8 becomes U+FFFD, as the SSE standard demands. */
export const createFrameParser = (framing: Framing, maxCharacters = MAX_FRAME_CHARACTERS): FrameParser => {
  const reading: Reading = { framing, maxCharacters, unfinished: "", skipLineFeed: false, data: undefined, isSplit: false };
  const decoder = new TextDecoder();
  return {
    push(chunk, frames) {
      const text = decoder.decode(chunk, MORE_FOLLOWS);
      const onlyData = onlyDataOf(reading, text);
      if (onlyData && onlyData.length <= maxCharacters) frames.push(onlyData);
      else readLines(reading, text, frames);
    },
    end(frames) {
      readLines(reading, decoder.decode(), frames);
      if (reading.unfinished !== "") finishLine(reading, "", frames);
      dispatch(reading, frames);
    },
  };
};
