import { expect, test } from "bun:test";
import { viewOf } from "../../../src/providers/transport/piece.ts";
import { createResponseParser, finishResponse, parseResponse } from "../../../src/providers/transport/response-parser.ts";
import { TransportError } from "../../../src/providers/transport/transport.ts";

type Read = {
  status?: number;
  headers?: Record<string, string>;
  body: string;
  isComplete: boolean;
  mayKeepAlive?: boolean;
  failure?: string;
};

/** What is made of these bytes when they come in pieces of this size and the connection is closed after them. */
const read = (text: string | Buffer, pieceSize = Number.POSITIVE_INFINITY): Read => {
  const bytes = Buffer.from(text as string, "latin1");
  const pieces: Uint8Array[] = [];
  const result: Read = { body: "", isComplete: false };
  const parser = createResponseParser({
    onHead(status, headers, mayKeepAlive) {
      const byName: Record<string, string> = {};
      headers.forEach((value, name) => {
        byName[name] = value;
      });
      Object.assign(result, { status, headers: byName, mayKeepAlive });
    },
    onBody: (piece) => void pieces.push(viewOf(piece)),
    onEnd: () => {
      expect(result.isComplete).toBe(false);
      result.isComplete = true;
    },
  });
  try {
    for (let at = 0; at < bytes.length; at += pieceSize) parseResponse(parser, bytes.subarray(at, at + pieceSize));
    finishResponse(parser);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    result.failure = error.code;
  }
  result.body = Buffer.concat(pieces).toString("latin1");
  return result;
};

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

test.each<[string, string, Partial<Read>]>([
  ["a length", `${OK}Content-Length: 5\r\n\r\nhello`, { body: "hello", mayKeepAlive: true }],
  ["a length of nothing", `${OK}Content-Length: 0\r\n\r\n`, { body: "", mayKeepAlive: true }],
  ["a length said twice", `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`, { body: "hello", mayKeepAlive: true }],
  ["its connection's end", `${OK}\r\nhello`, { body: "hello", mayKeepAlive: false }],
  ["chunks", `${CHUNKED}5\r\nhello\r\n0\r\n\r\n`, { body: "hello", mayKeepAlive: true }],
  ["chunks in capitals", `${CHUNKED}A\r\n0123456789\r\n0\r\n\r\n`, { body: "0123456789" }],
  ["chunks with zeros in front", `${CHUNKED}0005\r\nhello\r\n000\r\n\r\n`, { body: "hello" }],
  ["chunks with extensions", `${CHUNKED}5 ; a="b;c"\r\nhello\r\n0;d\r\n\r\n`, { body: "hello" }],
  ["chunks with blanks after the size", `${CHUNKED}5  \r\nhello\r\n0\r\n\r\n`, { body: "hello" }],
  [
    "chunks and lines that end in a line feed alone",
    "HTTP/1.1 200 OK\nTransfer-Encoding: CHUNKED\n\n5\nhello\n0\n\n",
    { body: "hello" },
  ],
  ["chunks and trailers", `${CHUNKED}5\r\nhello\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n`, { body: "hello", mayKeepAlive: true }],
  ["chunks whose bytes look like the end", `${CHUNKED}5\r\n0\r\n\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, { body: "0\r\n\r\nhello" }],
  ["no body at 204", "HTTP/1.1 204 No Content\r\n\r\n", { status: 204, body: "", mayKeepAlive: true }],
  ["no body at 304, whose length is another's", "HTTP/1.1 304\r\nContent-Length: 5\r\n\r\n", { status: 304, body: "" }],
  [
    "an old protocol that keeps the connection",
    "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok",
    { body: "ok", mayKeepAlive: true },
  ],
  ["an old protocol that does not", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", { body: "ok", mayKeepAlive: false }],
  ["a line end too many before it", `\r\n${OK}Content-Length: 2\r\n\r\nok`, { body: "ok" }],
])("an answer with %s is read, wherever its bytes are cut", (_, text, expected) => {
  for (const size of [Number.POSITIVE_INFINITY, 1, 2, 3, 7, 30])
    expect(read(text, size)).toMatchObject({ status: 200, isComplete: true, ...expected });
});

test.each([
  ["a length and chunks", `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
  ["a length where there is no body", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"],
  ["chunks where there is no body", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ["chunks over an old protocol", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
])("a connection whose answer says %s is not used again", (_, text) => {
  expect(read(text)).toMatchObject({ isComplete: true, mayKeepAlive: false });
});

test.each([
  ["lengths that differ", `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
  ["lengths that differ in one line", `${OK}Content-Length: 5, 6\r\n\r\nhello!`],
  ["an empty length", `${OK}Content-Length:\r\n\r\n`],
  ["a length in another notation", `${OK}Content-Length: 0x5\r\n\r\nhello`],
  ["a length with a sign", `${OK}Content-Length: +5\r\n\r\nhello`],
  ["a length with a fraction", `${OK}Content-Length: 5.0\r\n\r\nhello`],
  ["a length beyond all bounds", `${OK}Content-Length: 9999999999999999\r\n\r\nhello`],
  ["a coding it does not know", `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ["chunks of chunks", `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["a blank before the colon", `${OK}Content-Length : 5\r\n\r\nhello`],
  ["a line without a colon", `${OK}Content-Length\r\n\r\n`],
  ["a header without a name", `${OK}: 5\r\n\r\n`],
  ["a header of the line before the first", `${OK} Content-Length: 5\r\n\r\nhello`],
  ["a return within a line", `${OK}X: a\rContent-Length: 5\r\n\r\nhello`],
  ["a zero byte in a header", `${OK}X: a\0b\r\nContent-Length: 0\r\n\r\n`],
  ["another version", "HTTP/2.0 200 OK\r\n\r\n"],
  ["a status that is none", "HTTP/1.1 20 OK\r\n\r\n"],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
])("an answer with %s is no answer", (_, text) => {
  for (const size of [Number.POSITIVE_INFINITY, 1, 3])
    expect(read(text, size)).toMatchObject({ failure: "MALFORMED", isComplete: false });
});

test.each(["", " 5", "-5", "+5", "0x5", "5 5", "5,", "g", "5\r", "1000000000000000", "00000000000000005"])(
  "a chunk of size `%s` ends neither the body nor the reading",
  (size) => {
    for (const cut of [Number.POSITIVE_INFINITY, 1])
      expect(read(`${CHUNKED}2\r\nok\r\n${size}\r\nhello\r\n0\r\n\r\n`, cut)).toEqual(
        expect.objectContaining({ failure: "MALFORMED", body: "ok", isComplete: false }),
      );
  },
);

test("a chunk that goes on behind its end is no chunk", () => {
  for (const more of ["ay\r", "a", ""])
    expect(read(`${CHUNKED}2\r\nok${more}x\n0\r\n\r\n`)).toMatchObject({ failure: "MALFORMED", body: "ok", isComplete: false });
  expect(read(`${CHUNKED}2\r\nokay\r\n0\r\n\r\n`)).toMatchObject({ failure: "MALFORMED", body: "ok", isComplete: false });
});

test("what comes after an answer belongs to none", () => {
  expect(read(`${OK}Content-Length: 2\r\n\r\nok${OK}`)).toMatchObject({ isComplete: true, body: "ok", failure: "MALFORMED" });
  expect(read(`${CHUNKED}2\r\nok\r\n0\r\n\r\nX`)).toMatchObject({ isComplete: true, body: "ok", failure: "MALFORMED" });
});

test.each([
  ["in its head", `${OK}Content-Le`],
  ["in a body with a length", `${OK}Content-Length: 5\r\n\r\nhell`],
  ["in a chunk", `${CHUNKED}5\r\nhell`],
  ["after a chunk", `${CHUNKED}5\r\nhello\r\n`],
  ["before its trailers end", `${CHUNKED}5\r\nhello\r\n0\r\n`],
])("an answer that breaks off %s is not complete", (_, text) => {
  expect(read(text)).toMatchObject({ isComplete: false });
});

test("headers keep their bytes, lines that go on, and every one of a name", () => {
  const { headers } = read(`${OK}X-Long: a\r\n\t b\r\nX-Name: \xc3\xa0\r\nX-Two: 1\r\nX-Two: 2\r\nContent-Length: 0\r\n\r\n`);
  expect(headers).toMatchObject({ "x-long": "a  b", "x-name": "\xc3\xa0", "x-two": "1, 2" });
});

test("a blank line ends a head however its lines end, and one in the body does not", () => {
  for (const end of ["\n", "\r\n"])
    expect(read(`HTTP/1.1 200 OK${end}Content-Length: 10${end}${end}ab\r\n\r\nX: y`)).toMatchObject({
      ...{ body: "ab\r\n\r\nX: y", isComplete: true, headers: { "content-length": "10" } },
    });
});

test("heads, chunk lines and trailers without end are not collected", () => {
  const endless = "x".repeat(200_000);
  for (const text of [endless, `${OK}X: ${endless}`, `${CHUNKED}5;${endless}`, `${CHUNKED}0\r\nX: ${endless}`])
    for (const size of [Number.POSITIVE_INFINITY, 1_000]) expect(read(text, size).failure).toBe("MALFORMED");
  expect(read(`${CHUNKED}0\r\n${"X: 1\r\n".repeat(50_000)}`, 1_000).failure).toBe("MALFORMED");
  expect(read("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(10_000), 1_000).failure).toBe("MALFORMED");
});
