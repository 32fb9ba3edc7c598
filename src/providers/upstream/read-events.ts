/** Cuts an upstream's byte stream into frames: the `data` of server-sent events, or the lines of NDJSON. Knows no vendor. */

import { UpstreamError } from "../provider.ts";

export type Framing = "sse" | "ndjson";

type FrameParser = {
  /** Appends every frame that `chunk` completes to `frames`. */
  push(chunk: Uint8Array, frames: string[]): void;
  /** The stream is over: an event without its closing blank line still counts. */
  end(frames: string[]): void;
};

/** No honest frame is longer; a line that is would otherwise grow in memory without end. */
const MAX_FRAME_CHARACTERS = 8 * 1024 * 1024;

const LF = 10;
const SPACE = 32;

const tooLong = (): UpstreamError =>
  new UpstreamError("server", "The provider sent a stream frame beyond the size limit.", { accepted: true });

/**
 * Splits text into lines ended by LF, CRLF or CR, in time linear in the text: only new text is searched,
 * and the unfinished line grows as a rope that is flattened once, when its end arrives.
 */
const createLineSplitter = (onLine: (line: string) => void, maxCharacters: number) => {
  let unfinished = "";
  let skipLineFeed = false;

  const finishLine = (rest: string): void => {
    const line = unfinished === "" ? rest : unfinished + rest;
    unfinished = "";
    onLine(line);
  };

  const keep = (rest: string): void => {
    if (unfinished.length + rest.length > maxCharacters) throw tooLong();
    unfinished += rest;
  };

  const push = (text: string): void => {
    if (text === "") return;
    let start = skipLineFeed && text.charCodeAt(0) === LF ? 1 : 0;
    skipLineFeed = false;
    let lf = text.indexOf("\n", start);
    let cr = text.indexOf("\r", start);
    while (lf !== -1 || cr !== -1) {
      const endsInCr = cr !== -1 && (lf === -1 || cr < lf);
      const end = endsInCr ? cr : lf;
      finishLine(text.slice(start, end));
      start = end + 1;
      if (endsInCr && lf === start) start++;
      else if (endsInCr && start === text.length) skipLineFeed = true;
      if (lf !== -1 && lf < start) lf = text.indexOf("\n", start);
      if (cr !== -1 && cr < start) cr = text.indexOf("\r", start);
    }
    if (start < text.length) keep(text.slice(start));
  };

  return {
    push,
    end: () => (unfinished === "" ? undefined : finishLine("")),
    isBetweenLines: () => unfinished === "" && !skipLineFeed,
  };
};

/** The value of a `data` field, or undefined for comments and every other field. */
const dataOf = (line: string): string | undefined => {
  if (line.startsWith("data:")) return line.slice(line.charCodeAt(5) === SPACE ? 6 : 5);
  return line === "data" ? "" : undefined;
};

const createSseAssembler = (maxCharacters: number) => {
  let frames: string[] = [];
  let data: string | undefined;

  const dispatch = (): void => {
    // Without data it is no event: some servers keep a connection alive that way.
    if (data) frames.push(data);
    data = undefined;
  };
  const onLine = (line: string): void => {
    if (line === "") {
      dispatch();
      return;
    }
    const value = dataOf(line);
    if (value === undefined) return;
    data = data === undefined ? value : `${data}\n${value}`;
    if (data.length > maxCharacters) throw tooLong();
  };
  const into = (target: string[]): void => {
    frames = target;
  };
  return { onLine, dispatch, into, isBetweenFrames: () => data === undefined };
};

const createNdjsonAssembler = () => {
  let frames: string[] = [];
  const onLine = (line: string): void => {
    if (line.trim() !== "") frames.push(line);
  };
  const into = (target: string[]): void => {
    frames = target;
  };
  // A line is a frame: there is nothing to shorten.
  return { onLine, dispatch: () => undefined, into, isBetweenFrames: () => false };
};

/** The value of a text that is one event of one line, as nearly all chunks of a stream are. */
const onlyDataOf = (text: string): string | undefined =>
  text.startsWith("data: ") && text.endsWith("\n\n") && text.indexOf("\n") === text.length - 2 && !text.includes("\r")
    ? text.slice(6, -2)
    : undefined;

const MORE_FOLLOWS = { stream: true };

/** Throws UpstreamError `server` for a frame beyond `maxCharacters`. Bytes that are no UTF-8 become U+FFFD, as the SSE standard asks. */
export const createFrameParser = (framing: Framing, maxCharacters = MAX_FRAME_CHARACTERS): FrameParser => {
  const assembler = framing === "sse" ? createSseAssembler(maxCharacters) : createNdjsonAssembler();
  const lines = createLineSplitter(assembler.onLine, maxCharacters);
  const decoder = new TextDecoder();
  return {
    push(chunk, frames) {
      const text = decoder.decode(chunk, MORE_FOLLOWS);
      const onlyData = assembler.isBetweenFrames() && lines.isBetweenLines() ? onlyDataOf(text) : undefined;
      if (onlyData && onlyData.length <= maxCharacters) {
        frames.push(onlyData);
        return;
      }
      assembler.into(frames);
      lines.push(text);
    },
    end(frames) {
      assembler.into(frames);
      lines.push(decoder.decode());
      lines.end();
      assembler.dispatch();
    },
  };
};
