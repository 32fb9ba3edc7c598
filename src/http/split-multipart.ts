/**
 * Splits a multipart/form-data body (RFC 7578) into its parts, in one pass and without copying; tolerates the variants that clients write.
 */

import { asBuffer } from "../lib/as-buffer.ts";

type Part = { name: string; filename: string | undefined; type: string | undefined; bytes: Uint8Array };

const LONGEST_HEAD = 8_192;
const MOST_PARTS = 1_000;

const CRLF = "\r\n";

/** Undefined for a malformed body: no boundary, no end, a part without a head, or absurdly many parts. */
export const splitMultipart = (bytes: Uint8Array, contentType: string): Part[] | undefined => {
  const boundary = parametersOf(contentType).get("boundary");
  if (!boundary) return undefined;
  const body = asBuffer(bytes);
  const mark = Buffer.from(`${CRLF}--${boundary}`, "latin1");
  const parts: Part[] = [];
  let delimiter = findDelimiter(body, mark, 0);
  for (let count = 0; delimiter !== undefined && !delimiter.isLast; count++) {
    if (count === MOST_PARTS) return undefined;
    const next = findDelimiter(body, mark, delimiter.end);
    const headEnd = endOfHead(body, delimiter.end);
    if (next === undefined || headEnd === undefined || headEnd > next.start) return undefined;
    const head = body.toString("utf8", delimiter.end, headEnd);
    const part = describePart(head);
    if (part !== undefined) parts.push({ ...part, bytes: bytes.subarray(headEnd + 4, Math.max(headEnd + 4, next.start)) });
    delimiter = next;
  }
  return delimiter && parts;
};

type Delimiter = { start: number; end: number; isLast: boolean };

/**
 * Finds the next delimiter line: dashes and the boundary, then only blanks. `start` is where the part before it ends, `end` where the next
 * begins. The line break before it belongs to it; there is none at the body's start, and after an empty part it also ends the head.
 */
const findDelimiter = (body: Buffer, mark: Buffer, from: number): Delimiter | undefined => {
  const opens = from === 0 && body.subarray(0, mark.length - CRLF.length).equals(mark.subarray(CRLF.length));
  let start = opens ? 0 : body.indexOf(mark, Math.max(0, from - CRLF.length));
  for (let isFirst = opens; start >= 0; isFirst = false) {
    let end = start + mark.length - (isFirst ? CRLF.length : 0);
    if (body[end] === 0x2d && body[end + 1] === 0x2d) return { start, end: end + 2, isLast: true };
    while (body[end] === 0x20 || body[end] === 0x09) end++;
    if (body[end] === 0x0d && body[end + 1] === 0x0a) return { start, end: end + 2, isLast: false };
    start = body.indexOf(mark, end);
  }
  return undefined;
};

const endOfHead = (body: Buffer, from: number): number | undefined => {
  const end = body.subarray(from, from + LONGEST_HEAD).indexOf(CRLF + CRLF);
  return end < 0 ? undefined : from + end;
};

/** Undefined for a part that is not a form field. */
const describePart = (head: string): Omit<Part, "bytes"> | undefined => {
  const lines = head.replace(/\r\n[ \t]+/g, " ").split(CRLF);
  const header = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const disposition = parametersOf(header("content-disposition") ?? "");
  const name = disposition.get("name");
  return name === undefined ? undefined : { name, filename: filenameOf(disposition), type: header("content-type") };
};

/** The parameters of a header by lower-case name; quoted or, as .NET writes them, unquoted. The first of a name counts. */
const parametersOf = (header: string): Map<string, string> => {
  const parameters = new Map<string, string>();
  for (let at = header.indexOf(";"); at >= 0; ) {
    const equals = header.indexOf("=", at);
    if (equals < 0) break;
    const name = header
      .slice(at + 1, equals)
      .split(";")
      .at(-1)!
      .trim()
      .toLowerCase();
    let from = equals + 1;
    while (header[from] === " " || header[from] === "\t") from++;
    const end = header[from] === '"' ? endOfQuoted(header, from + 1) : from;
    at = header.indexOf(";", end);
    const value =
      end > from ? header.slice(from + 1, end).replace(/\\(["\\])/g, "$1") : header.slice(from, at < 0 ? undefined : at).trim();
    if (!parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
};

const endOfQuoted = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" && /["\\]/.test(text[at + 1] ?? "") ? 2 : 1;
  return at;
};

const filenameOf = (disposition: ReadonlyMap<string, string>): string | undefined => {
  const extended = /^utf-8'[^']*'(.*)$/i.exec(disposition.get("filename*") ?? "")?.[1];
  const plain = disposition.get("filename");
  return (extended === undefined ? undefined : decoded(extended)) ?? (plain === undefined ? undefined : written(plain));
};

const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Browsers and curl write a quote as `%22`; RFC 7578 allows names that are not ASCII to be percent-encoded. */
const written = (filename: string): string => {
  const whole = BEYOND_ASCII.test(filename) ? undefined : decoded(filename);
  return whole !== undefined && BEYOND_ASCII.test(whole) ? whole : filename.replaceAll("%22", '"');
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
