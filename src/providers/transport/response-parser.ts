/**
 * Bytes of a connection to the head and the body of one HTTP/1.1 response. Where two readers could disagree about the end of an
 * answer (lengths that differ, codings it does not know, lines that are no lines), there is no answer.
 */

import { TransportError } from "./transport.ts";

type ResponseHandlers = {
  onHead(status: number, headers: Headers, mayKeepAlive: boolean): void;
  onBody(piece: Uint8Array): void;
  /** The response is complete. Bytes after it are an error of `parseResponse`. */
  onEnd(): void;
};

/** What the next bytes are, where `left` does not say that they are body. */
type Phase = "status" | "header" | "chunk-size" | "chunk-end" | "trailer" | "ended";

type ResponseParser = ResponseHandlers & {
  phase: Phase;
  /** Of a line whose end has not come. */
  unfinished: string;
  status: number;
  minorVersion: number;
  /** Names and values in turns. */
  headers: string[];
  /** Bytes of the body, or of the chunk, that are still to come; Infinity where the connection's end is the body's. */
  left: number;
  isChunked: boolean;
  bytesSinceBody: number;
};

/** Heads, chunk lines and trailers between two pieces of body; an upstream could send them without end. */
const MAX_BYTES_WITHOUT_BODY = 128 * 1024;

const CR = 13;
const LF = 10;
const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const LENGTH = /^\d{1,15}$/;
/** Extensions say nothing that is needed. */
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

/** Throws TransportError `MALFORMED`; what was told until then stands. */
export const parseResponse = (parser: ResponseParser, bytes: Buffer): void => {
  for (let at = 0; at < bytes.length; ) {
    if (parser.phase === "ended") throw malformed();
    if (parser.left > 0) at = readBody(parser, bytes, at);
    else if (parser.phase === "chunk-size" && parser.unfinished === "") at = readChunkSize(parser, bytes, at);
    else at = readLine(parser, bytes, at);
  }
};

/** The connection is closed: ends a body without a length. Whether the response is complete shows in `onEnd`. */
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
  parser.onBody(to - at === bytes.length ? bytes : bytes.subarray(at, to));
  if (parser.left > 0) return to;
  if (!parser.isChunked) end(parser);
  else if (bytes[to] === CR && bytes[to + 1] === LF) {
    parser.phase = "chunk-size";
    return to + 2;
  } else parser.phase = "chunk-end";
  return to;
};

/** The common form, digits alone, is read from the bytes; all else as any line. */
const readChunkSize = (parser: ResponseParser, bytes: Buffer, at: number): number => {
  let size = 0;
  for (let digits = 0; digits < 8; digits++) {
    const digit = hexOf(bytes[at + digits]);
    if (digit >= 0) size = size * 16 + digit;
    else if (digits > 0 && size > 0 && bytes[at + digits] === CR && bytes[at + digits + 1] === LF) {
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

/** Lines end in CRLF, or in LF alone. Latin-1: a header may hold UTF-8, and no byte of it may be lost. */
const readLine = (parser: ResponseParser, bytes: Buffer, at: number): number => {
  const lineFeed = bytes.indexOf(LF, at);
  const to = lineFeed < 0 ? bytes.length : lineFeed + 1;
  parser.bytesSinceBody += to - at;
  if (parser.bytesSinceBody > MAX_BYTES_WITHOUT_BODY) throw malformed();
  parser.unfinished += bytes.toString("latin1", at, to);
  if (lineFeed < 0) return to;
  const line = parser.unfinished.slice(0, parser.unfinished.endsWith("\r\n") ? -2 : -1);
  parser.unfinished = "";
  if (line.includes("\r")) throw malformed();
  TAKE_LINE[parser.phase](parser, line);
  return to;
};

const takeStatus = (parser: ResponseParser, line: string): void => {
  // Some servers send a line end too many after the answer before.
  if (line === "") return;
  const [, minorVersion, status] = STATUS_LINE.exec(line) ?? [];
  // Nobody asked for another protocol.
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
    // A value may go on in the next line, as in old times.
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
    // 100 Continue and 103 Early Hints come before the answer itself.
    parser.phase = "status";
    return;
  }
  const headers = toHeaders(parser.headers);
  parser.headers = [];
  const isClear = boundBody(parser, headers);
  parser.onHead(status, headers, isClear && asksToKeep(headers, parser.minorVersion));
  if (!parser.isChunked && parser.left === 0) end(parser);
};

/** Sets how the body ends. False where another reader could see its end elsewhere: the connection is not to be used again. */
const boundBody = (parser: ResponseParser, headers: Headers): boolean => {
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

/** Throws TypeError for a value that no header can have. */
const toHeaders = (pairs: readonly string[]): Headers => {
  const headers = new Headers();
  try {
    for (let index = 0; index < pairs.length; index += 2) headers.append(pairs[index]!, pairs[index + 1]!);
  } catch {
    throw malformed();
  }
  return headers;
};

/** Said twice, it must be the same. */
const lengthOf = (header: string): number => {
  const [first = "", ...others] = header.split(",").map((each) => each.trim());
  if (!LENGTH.test(first) || others.some((other) => other !== first)) throw malformed();
  return Number(first);
};

const asksToKeep = (headers: Headers, minorVersion: number): boolean => {
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

/** Nobody asks for trailers. */
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
