import { describe, expect, test } from "bun:test";
import { splitMultipart } from "../../src/http/split-multipart.ts";

const TYPE = "multipart/form-data; boundary=b";
const split = (body: string | Uint8Array, type = TYPE) =>
  splitMultipart(typeof body === "string" ? Buffer.from(body) : body, type)?.map(({ name, filename, type, bytes }) => ({
    name,
    filename,
    type,
    text: new TextDecoder().decode(bytes),
  }));
const part = (head: string, body = "hello") => `--b\r\n${head}\r\n\r\n${body}\r\n`;
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain';
const read = { name: "file", filename: "a.txt", type: "text/plain", text: "hello" };

/** What the disposition's `filename` parameters come to. */
const filenameOf = (parameters: string) =>
  split(`${part(`Content-Disposition: form-data; name="file"; ${parameters}`)}--b--`)?.[0]?.filename;

describe("a form is read alike, whoever wrote it", () => {
  test("with and without a preamble, an epilogue and a last line end", () => {
    for (const body of [`${part(FILE)}--b--\r\n`, `${part(FILE)}--b--`, `before\r\n${part(FILE)}--b--\r\nafter`])
      expect(split(body)).toEqual([read]);
  });

  test("names without quotes and the boundary in quotes, as .NET writes them", () => {
    const head = "Content-Disposition: form-data; name=file; filename=a.txt; filename*=utf-8''a.txt\r\nContent-Type: text/plain";
    expect(split(`${part(head)}--b--`, 'multipart/form-data; boundary="b"')).toEqual([read]);
  });

  test("headers in any case and order, over more than one line, and the boundary among other parameters", () => {
    const head = 'content-type: text/plain\r\nX-Other: 1\r\ncontent-disposition: form-data;\r\n\tfilename="a.txt"; Name="file"';
    expect(split(`${part(head)}--b--`, "Multipart/Form-Data; charset=utf-8; Boundary=b")).toEqual([read]);
  });

  test("blanks after the boundary", () => {
    expect(split(`${part(FILE).replace("--b\r\n", "--b \t\r\n")}--b--`)).toEqual([read]);
  });

  test("fields, files without a name, and parts without a body", () => {
    const fields = `${part('Content-Disposition: form-data; name="x"', "")}${part('Content-Disposition: form-data; name="y"; filename=""')}`;
    expect(split(`${fields}--b--`)).toEqual([
      { name: "x", filename: undefined, type: undefined, text: "" },
      { name: "y", filename: "", type: undefined, text: "hello" },
    ]);
    expect(split('--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n--b--')).toEqual([
      { name: "x", filename: undefined, type: undefined, text: "" },
    ]);
  });

  test("bytes that look like a boundary, and those that are no text", () => {
    const body = "a\r\n--bc\r\n--b-\r\n--b x\r\n--\r\n b--b\r\n";
    expect(split(`${part(FILE, body)}--b--`)?.[0]?.text).toBe(body);
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128]);
    const whole = Buffer.concat([Buffer.from(part(FILE, "").slice(0, -2)), bytes, Buffer.from("\r\n--b--")]);
    expect(splitMultipart(whole, TYPE)?.[0]?.bytes).toEqual(new Uint8Array(bytes));
  });
});

describe("a file's name", () => {
  test("is what its letters are, in every way that clients write them", () => {
    expect(filenameOf('filename="Überblick – 概要 🎉.txt"')).toBe("Überblick – 概要 🎉.txt");
    expect(filenameOf("filename=\"x.txt\"; filename*=UTF-8''%e2%82%ac%20rates.txt")).toBe("€ rates.txt");
    expect(filenameOf("filename*=utf-8'en'%C3%BC.txt; filename=u.txt")).toBe("ü.txt");
    expect(filenameOf('filename="%C3%BCn%C3%AF%20%22q%22.txt"')).toBe('ünï "q".txt');
  });

  test("keeps its quotes, backslashes and percent signs", () => {
    expect(filenameOf('filename="a\\"b;c=\\\\d.txt"')).toBe('a"b;c=\\d.txt');
    expect(filenameOf('filename="a%22b.txt"')).toBe('a"b.txt');
    expect(filenameOf('filename="C:\\notes\\100%.txt"')).toBe("C:\\notes\\100%.txt");
    expect(filenameOf('filename="50%20off.txt"')).toBe("50%20off.txt");
    expect(filenameOf("filename*=utf-8''%zz; filename=a.txt")).toBe("a.txt");
  });
});

describe("a malformed form is nothing", () => {
  for (const [what, body, type] of [
    ["without a boundary", `${part(FILE)}--b--`, "multipart/form-data"],
    ["with an empty boundary", `${part(FILE)}--b--`, 'multipart/form-data; boundary=""'],
    ["with another boundary", `${part(FILE)}--b--`, "multipart/form-data; boundary=c"],
    ["without an end", part(FILE), TYPE],
    ["with a part that has no head", "--b\r\nhello\r\n--b--", TYPE],
    ["with a part that has no head, before one that has", `--b\r\nhello\r\n${part(FILE)}--b--`, TYPE],
    ["with a head of 100 KB", `${part(`${FILE}\r\nX: ${"x".repeat(100_000)}`)}--b--`, TYPE],
    ["with 20,000 parts", `${part('Content-Disposition: form-data; name="x"').repeat(20_000)}--b--`, TYPE],
    ["that is empty", "", TYPE],
  ] as const)
    test(what, () => expect(split(body, type)).toBeUndefined());

  test("parts that are no fields are passed over", () => {
    expect(split(`${part("Content-Type: text/plain")}${part(FILE)}--b--`)).toEqual([read]);
    expect(split("--b--")).toEqual([]);
  });
});
