/** What a form holds, field by field. */

import { expect, test } from "bun:test";
import { parseMultipart } from "../../src/http/read-multipart.ts";

const part = (disposition: string, text: string): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
const parse = (...parts: string[]) =>
  parseMultipart(new TextEncoder().encode(`${parts.join("")}--b--\r\n`), "multipart/form-data; boundary=b");

test("of a repeated field the last counts; a second file under one name is refused, else one would be lost", () => {
  const file = (name: string) => part(`name="file"; filename="${name}"`, name);
  const form = parse(part('name="model"', "one"), file("a.txt"), part('name="model"', "two"));
  expect([form.fields, form.files["file"]?.name]).toEqual([{ model: "two" }, "a.txt"]);
  expect(parse(part('name="of[]"', "word"), part('name="of[]"', "segment")).fields).toEqual({ "of[]": "word,segment" });
  const listed = parse(part('name="of[]"; filename="a"', "one"), part('name="of[]"; filename="b"', "two"));
  expect([listed.lists["of[]"]?.map(({ name }) => name), listed.files["of[]"]]).toEqual([["a", "b"], undefined]);
  expect(() => parse(file("a.txt"), file("b.txt"))).toThrow("`file` holds two files, where there may be one.");
});
