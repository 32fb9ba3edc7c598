/**
 * Parses the head and body of one HTTP/1.1 response. Where two parsers could disagree about its end (conflicting lengths, unknown transfer
 * codings, malformed lines), it is rejected.
 */

import { type AnswerHeaders, answerHeaders } from "./answer-headers.ts";
import type { Piece } from "./piece.ts";
import { HEADER_NAME, TransportError } from "./transport.ts";

type ResponseHandlers = {
  onHead(status: number, headers: AnswerHeaders, mayKeepAlive: boolean): void;
  onBody(piece: Piece): void;
  /** The response is complete; bytes after it are an error of `parseResponse`. */
  onEnd(): void;
};

/** What the next bytes are, unless `left` says that they are body. */
type Phase = "status" | "header" | "chunk-size" | "chunk-end" | "trailer" | "ended";

type ResponseParser = ResponseHandlers & {
  phase: Phase;
  /** An incomplete line. */
  unfinished: string;
  status: number;
  minorVersion: number;
  /** Names and values, alternating. */
  headers: string[];
  /** Bytes of the body or the chunk still to come; Infinity if the body ends with the connection. */
  left: number;
  isChunked: boolean;
  bytesSinceBody: number;
};

/** Bound for heads, chunk lines and trailers between two pieces of body, which an upstream could send without end. */
const MAX_BYTES_WITHOUT_BODY = 128 * 1024;

const CR = 13;
const LF = 10;
const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const LENGTH = /^\d{1,15}$/;
/** A chunk's size; extensions are ignored. */
const CHUNK_LINE = /^([\da-f]{1,12})[ \t]{0,16}(?:;|$)/i;

const malformed = (): TransportError => new TransportError("MALFORMED");

export const createResponseParser = (handlers: ResponseHandlers): ResponseParser => ({
  ...handlers,
  phase: "status",
  unfinished: "",
  status: 0,
  minorVersion: 1,
  headers: [],
  left: 0,
  isChunked: false,
  bytesSinceBody: 0,
});

/** Throws TransportError `MALFORMED`; what was reported before remains valid. */
export const parseResponse = (parser: ResponseParser, bytes: Buffer): void => {
  for (let at = 0; at < bytes.length; ) {
    if (parser.phase === "ended") throw malformed();
    if (parser.left > 0) at = readBody(parser, bytes, at);
    else if (parser.phase === "chunk-size" && parser.unfinished === "") at = readChunkSize(parser, bytes, at);
    else if (parser.phase === "status" && parser.unfinished === "") at = readHead(parser, bytes, at);
    else at = readLine(parser, bytes, at);
  }
};

/** Call it when the connection is closed: ends a body without a length. `onEnd` tells whether the response is complete. */
export const finishResponse = (parser: ResponseParser): void => {
  if (parser.left === Number.POSITIVE_INFINITY) end(parser);
};

const end = (parser: ResponseParser): void => {
  parser.left = 0;
  parser.phase = "ended";
  parser.onEnd();
};

const readBody = (parser: ResponseParser, bytes: Buffer, at: number): number => {
  const to = Math.min(bytes.length, at + parser.left);
  parser.left -= to - at;
  parser.bytesSinceBody = 0;
  parser.onBody({ bytes, from: at, to });
  if (parser.left > 0) return to;
  if (!parser.isChunked) end(parser);
  else if (bytes[to] === CR && bytes[to + 1] === LF) {
    parser.phase = "chunk-size";
    return to + 2;
  } else parser.phase = "chunk-end";
  return to;
};

/** Fast path: a size of digits alone is read from the bytes; anything else is parsed as a line. */
const readChunkSize = (parser: ResponseParser, bytes: Buffer, at: number): number => {
  let size = 0;
  for (let digits = 0; digits < 8; digits++) {
    const digit = hexOf(bytes[at + digits]);
    if (digit >= 0) size = size * 16 + digit;
    else if (size > 0 && bytes[at + digits] === CR && bytes[at + digits + 1] === LF) {
      parser.left = size;
      return at + digits + 2;
    } else break;
  }
  return readLine(parser, bytes, at);
};

const hexOf = (code = 0): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** Fast path: a head that is here to its end is decoded at once, and its lines are parts of that text. */
const readHead = (parser: ResponseParser, bytes: Buffer, at: number): number => {
  const blankLine = bytes.indexOf("\r\n\r\n", at, "latin1");
  if (blankLine < 0) return readLine(parser, bytes, at);
  const text = bytes.toString("latin1", at, blankLine + 4);
  let from = 0;
  // A line break without a carriage return may end it earlier.
  while (from < text.length && (parser.phase === "status" || parser.phase === "header")) {
    const to = text.indexOf("\n", from) + 1;
    count(parser, to - from);
    takeLine(parser, text.slice(from, to));
    from = to;
  }
  return at + from;
};

/** Lines end in CRLF or LF. Decoded as Latin-1, because a header may hold UTF-8 and every byte must survive. */
const readLine = (parser: ResponseParser, bytes: Buffer, at: number): number => {
  const lineFeed = bytes.indexOf(LF, at);
  const to = lineFeed < 0 ? bytes.length : lineFeed + 1;
  count(parser, to - at);
  parser.unfinished += bytes.toString("latin1", at, to);
  if (lineFeed < 0) return to;
  const line = parser.unfinished;
  parser.unfinished = "";
  takeLine(parser, line);
  return to;
};

const count = (parser: ResponseParser, bytes: number): void => {
  parser.bytesSinceBody += bytes;
  if (parser.bytesSinceBody > MAX_BYTES_WITHOUT_BODY) throw malformed();
};

/** With its line break. */
const takeLine = (parser: ResponseParser, whole: string): void => {
  const line = whole.slice(0, whole.endsWith("\r\n") ? -2 : -1);
  if (line.includes("\r") || line.includes("\0")) throw malformed();
  TAKE_LINE[parser.phase](parser, line);
};

const takeStatus = (parser: ResponseParser, line: string): void => {
  // Some servers send an extra line break after the previous answer.
  if (line === "") return;
  const [, minorVersion, status] = STATUS_LINE.exec(line) ?? [];
  // We never ask to switch protocols.
  if (status === undefined || status === "101") throw malformed();
  parser.status = Number(status);
  parser.minorVersion = Number(minorVersion);
  parser.headers = [];
  parser.phase = "header";
};

const takeHeader = (parser: ResponseParser, line: string): void => {
  if (line === "") {
    takeHead(parser);
    return;
  }
  const { headers } = parser;
  if (line.startsWith(" ") || line.startsWith("\t")) {
    // An obsolete folded value, continued from the line before.
    if (headers.length === 0) throw malformed();
    headers[headers.length - 1] += ` ${line.slice(1)}`;
    return;
  }
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon));
  if (!HEADER_NAME.test(name)) throw malformed();
  headers.push(name, line.slice(colon + 1));
};

const takeHead = (parser: ResponseParser): void => {
  const { status } = parser;
  if (status < 200) {
    // 100 Continue and 103 Early Hints precede the actual response.
    parser.phase = "status";
    return;
  }
  const headers = answerHeaders(parser.headers);
  parser.headers = [];
  const isClear = boundBody(parser, headers);
  parser.onHead(status, headers, isClear && asksToKeep(headers, parser.minorVersion));
  if (!parser.isChunked && parser.left === 0) end(parser);
};

/** Determines how the body ends. False if another parser could disagree, so that the connection must not be used again. */
const boundBody = (parser: ResponseParser, headers: AnswerHeaders): boolean => {
  const hasBody = parser.status !== 204 && parser.status !== 304;
  const coding = headers.get("transfer-encoding")?.toLowerCase() ?? "identity";
  if (coding !== "identity" && coding !== "chunked") throw malformed();
  const announced = headers.get("content-length");
  const length = announced === null ? undefined : lengthOf(announced);
  parser.phase = "chunk-size";
  parser.isChunked = hasBody && coding === "chunked";
  if (parser.isChunked) return length === undefined;
  parser.left = hasBody ? (length ?? Number.POSITIVE_INFINITY) : 0;
  return coding === "identity" && (hasBody ? length !== undefined : !length);
};

/** If it is repeated, the values must be equal. */
const lengthOf = (header: string): number => {
  const [first = "", ...others] = header.split(",").map((each) => each.trim());
  if (!LENGTH.test(first) || others.some((other) => other !== first)) throw malformed();
  return Number(first);
};

const asksToKeep = (headers: AnswerHeaders, minorVersion: number): boolean => {
  const connection = headers.get("connection")?.toLowerCase() ?? "";
  return minorVersion === 1 ? !connection.includes("close") : connection.includes("keep-alive");
};

const takeChunkSize = (parser: ResponseParser, line: string): void => {
  const [, digits] = CHUNK_LINE.exec(line) ?? [];
  if (digits === undefined) throw malformed();
  parser.left = Number.parseInt(digits, 16);
  if (parser.left === 0) parser.phase = "trailer";
};

const takeChunkEnd = (parser: ResponseParser, line: string): void => {
  if (line !== "") throw malformed();
  parser.phase = "chunk-size";
};

/** Trailers are ignored. */
const takeTrailer = (parser: ResponseParser, line: string): void => {
  if (line === "") end(parser);
};

const TAKE_LINE: Record<Phase, (parser: ResponseParser, line: string) => void> = {
  status: takeStatus,
  header: takeHeader,
  "chunk-size": takeChunkSize,
  "chunk-end": takeChunkEnd,
  trailer: takeTrailer,
  ended: () => {
    throw malformed();
  },
};
