import { expect, test } from "bun:test";
import { pieceOf } from "../../../src/providers/transport/piece.ts";
import { createFrameParser, endFrames, type Framing, parseFrames } from "../../../src/providers/upstream/read-events.ts";
import { UpstreamError } from "../../../src/providers/upstream-error.ts";

const parse = (framing: Framing, chunks: (string | Uint8Array)[]): string[] => {
  const parser = createFrameParser(framing);
  const frames: string[] = [];
  for (const chunk of chunks)
    parseFrames(parser, pieceOf(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk), frames);
  endFrames(parser, frames);
  return frames;
};

test("LF, CRLF and CR all end a line, also mixed", () => {
  expect(parse("sse", ["data: a\n\ndata: b\r\n\r\ndata: c\r\rdata: d\n\r\n"])).toEqual(["a", "b", "c", "d"]);
});

test("a CRLF that is cut in two between chunks is one line end", () => {
  expect(parse("sse", ["data: a\r", "\n\r", "\ndata: b\r", "\r", "data: c"])).toEqual(["a", "b", "c"]);
  expect(parse("sse", ["data: a\r", "\rdata: b", "\n", "\ndata: c"])).toEqual(["a", "b", "c"]);
});

test("several data lines are one event joined by line feeds", () => {
  expect(parse("sse", ["data: {\ndata:  1\ndata\ndata:}\n\n"])).toEqual(["{\n 1\n\n}"]);
});

test("frames of JSON whose blank lines are missing are frames of their own", () => {
  expect(
    parse("sse", ['data: {"a":1}\ndata: {"b":2}\nevent: x\ndata: {"c":\ndata: 3}\n\ndata: {"d":4}\ndata: [DONE]\n']),
  ).toEqual(['{"a":1}', '{"b":2}', '{"c":\n3}', '{"d":4}', "[DONE]"]);
});

test("comments, event names, ids and unknown fields are passed over", () => {
  expect(parse("sse", [": hello\n\nevent: x\nid: 7\nretry: 1\ndatabase: no\ndata: a\n: inside\n\n"])).toEqual(["a"]);
});

test("an event without data is none", () => {
  expect(parse("sse", ["data:\n\ndata: \n\ndata\n\ndata: a\n\n"])).toEqual(["a"]);
});

test("only one space after the colon belongs to the format", () => {
  expect(parse("sse", ["data:a\n\ndata:  b\n\n"])).toEqual(["a", " b"]);
});

test("a byte order mark at the start is no part of the first field", () => {
  expect(parse("sse", ["\uFEFFdata: a\n\n"])).toEqual(["a"]);
});

test("characters cut in the middle of their bytes come out whole at every cut", () => {
  const bytes = new TextEncoder().encode("data: é€😀\n\ndata: ä\n\n");
  for (let cut = 1; cut < bytes.length; cut++)
    expect(parse("sse", [bytes.slice(0, cut), bytes.slice(cut)])).toEqual(["é€😀", "ä"]);
});

test("the last event counts without its closing blank line", () => {
  expect(parse("sse", ["data: a\n\ndata: [DONE]"])).toEqual(["a", "[DONE]"]);
});

test("JSON that stands in a stream of events without being one is its last frame (Gemini's error)", () => {
  const event = 'data: {"a":1}\r\n\r\n';
  expect(parse("sse", [event, '\n\r\n{\n  "error": {\n', '    "code": 503\n\n  }\n}\n'])).toEqual([
    '{"a":1}',
    '{\n  "error": {\n    "code": 503\n  }\n}\n',
  ]);
  expect(parse("sse", ['{"error":"x"}'])).toEqual(['{"error":"x"}\n']);
  expect(parse("sse", ['[{"error":', "1}]\n"])).toEqual(['[{"error":1}]\n']);
  expect(parse("sse", [`{ of nothing\n${event}`])).toEqual(['{"a":1}']);
  expect(parse("sse", [event, '{"error": {"mess'])).toEqual(['{"a":1}']);
});

test("NDJSON frames are the lines that are not blank, the last one with or without its end", () => {
  expect(parse("ndjson", ['{"a":1}\n\r\n  \n{"b"', ":2}\r\n", '{"c":3}'])).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
});

test("a line that grows beyond the limit is refused instead of kept", () => {
  const half = "x".repeat(9_000_000);
  const refuses = (...chunks: string[]) => expect(() => void parse("sse", chunks)).toThrow(UpstreamError);
  refuses("data: ", half, half);
  refuses(`data: ${half}\n`, `data: ${half}\n`);
  refuses(`{${half}\n`, `${half}\n`);
});

test("a long line in many small pieces comes out whole", () => {
  const pieces = Array.from({ length: 50_000 }, () => "0123456789");
  expect(parse("sse", ["data: ", ...pieces, "\n\n"])).toEqual(["0123456789".repeat(50_000)]);
});

test.each(["data: a\n\n", "data: \n\n", "data:  a\n\n", "data: a\r\n\r\n", "data: a\n: b\n\n", "data: a\n\n\n\n", "data: é\n\n"])(
  "a chunk that is all of one event (%j) says what it says in pieces",
  (event) => {
    const bytes = new TextEncoder().encode(event);
    const inPieces = parse(
      "sse",
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
    );
    expect(parse("sse", [event])).toEqual(inPieces);
    expect(parse("sse", ["data: b", `\n${event}`])).toEqual(parse("sse", [`data: b\n${event}`]));
    expect(parse("sse", ["event: c\r", event])).toEqual(inPieces);
    expect(parse("sse", [event, event])).toEqual([...inPieces, ...inPieces]);
  },
);

test("a byte order mark opens a stream; later it is a character, though a piece begins with it", () => {
  const MARK = [0xef, 0xbb, 0xbf];
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
  expect(parse("sse", [bytes(MARK, "data: a\n\n"), bytes("data: b"), bytes(MARK, [0xc3]), bytes([0xa9], "\n\n")])).toEqual([
    "a",
    "b\ufeffé",
  ]);
});
