/** What passes as fitting a schema, what is mended on the way, and what the model is told when it is not. */
import { expect, test } from "bun:test";
import { compileSchema } from "../../src/schemas/compile/compile-schema.ts";
import { enforceSchema, retryMessage } from "../../src/schemas/enforce-schema.ts";

const schema = compileSchema({
  type: "object",
  properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["name"],
});

test("an answer that fits passes with the model's own text", () => {
  const enforced = enforceSchema(schema, ' {"name": "Ada",  "tags": []}\n', { strict: true });
  expect(enforced).toEqual({
    passed: true,
    value: { name: "Ada", tags: [] },
    text: '{"name": "Ada",  "tags": []}',
    repaired: [],
    errors: [],
  });
});

test("an answer that can be mended passes with canonical JSON and says what was mended", () => {
  const enforced = enforceSchema(schema, "Sure!\n```json\n{'name': 'Ada',}\n```", { strict: false });
  expect(enforced).toMatchObject({ passed: true, text: '{"name":"Ada"}', repaired: ["code_fence", "extra_comma", "quotes"] });
});

test("strict mends nothing", () => {
  const fenced = enforceSchema(schema, '```json\n{"name": "Ada"}\n```', { strict: true });
  expect(fenced).toEqual({ passed: false, repaired: [], errors: [{ path: "", message: "must be JSON, and holds none" }] });
  expect(enforceSchema(schema, '{"name": 5}', { strict: true }).errors).toEqual([{ path: "/name", message: "must be string" }]);
});

test("what does not fit says where, also when the text had to be mended to be read", () => {
  expect(enforceSchema(schema, '{"tags": ["a", 2]}', { strict: false }).errors).toContainEqual({
    path: "/tags/1",
    message: "must be string",
  });
  expect(enforceSchema(schema, "{'name': 5}", { strict: false }).errors).toEqual([{ path: "/name", message: "must be string" }]);
  expect(enforceSchema(schema, "I can't do that.", { strict: false }).errors).toEqual([
    { path: "", message: "must be JSON, and holds none" },
  ]);
});

test("numbers and truth values come out of their quotes where the schema wants no text", () => {
  const counted = compileSchema({
    type: "object",
    properties: {
      name: { type: "string" },
      age: { type: "integer", minimum: 18 },
      ok: { type: ["boolean", "null"] },
      sizes: { type: "array", items: { type: "number" } },
    },
    required: ["name", "age"],
  });
  const lax = (text: string) => enforceSchema(counted, text, { strict: false });
  expect(lax('{"name":"7","age":"36","ok":"True","sizes":["1.5",2,"-3e2"]}')).toEqual({
    passed: true,
    value: { name: "7", age: 36, ok: true, sizes: [1.5, 2, -300] },
    text: '{"name":"7","age":36,"ok":true,"sizes":[1.5,2,-300]}',
    repaired: ["quoted_literal"],
    errors: [],
  });
  expect(lax("{name: 'Ada', age: '36',}")).toMatchObject({ passed: true, text: '{"name":"Ada","age":36}' });
  expect(lax('{"name":"Ada","age":"\u00a036 "}')).toMatchObject({ passed: true, text: '{"name":"Ada","age":36}' });
  expect(lax(`{"name":"Ada","age":20,"sizes":[${Array(40).fill('"1"').join()}]}`)).toMatchObject({ passed: true });
  for (const text of [
    '{"name":"Ada","age":"12"}',
    '{"name":"Ada","age":"36.5"}',
    '{"name":"Ada","age":"thirty"}',
    '{"name":7,"age":36}',
  ])
    expect([text, lax(text).passed]).toEqual([text, false]);
  expect(enforceSchema(counted, '{"name":"Ada","age":"36"}', { strict: true }).passed).toBe(false);
});

test("a word of an enum is meant in any case, unless two differ in that alone", () => {
  const enums = compileSchema({
    type: "object",
    properties: {
      state: { enum: ["in progress", "done"] },
      mood: { enum: ["Sad", "SAD", "glad"] },
      kind: { const: "note" },
      text: { type: "string" },
    },
    additionalProperties: false,
  });
  const lax = (text: string) => enforceSchema(enums, text, { strict: false });
  expect(lax('{"state":"In_Progress","kind":" NOTE ","text":"Done"}')).toMatchObject({
    passed: true,
    value: { state: "in progress", kind: "note", text: "Done" },
    repaired: ["enum_spelling"],
  });
  expect(lax('{"mood":"SAD"}')).toMatchObject({ passed: true, repaired: [] });
  for (const text of ['{"mood":"sad"}', '{"state":"almost done"}', '{"state":"note"}', '{"state":""}'])
    expect([text, lax(text).passed]).toEqual([text, false]);
  expect(enforceSchema(enums, '{"state":"Done"}', { strict: true }).passed).toBe(false);
});

test("JSON written as a string, and null in quotes, are read where the schema wants no text", () => {
  const nested = compileSchema({
    type: "object",
    properties: {
      items: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
      raw: { type: "string" },
      end: { type: ["number", "null"] },
    },
  });
  const text = JSON.stringify({ items: JSON.stringify([{ n: "2" }]), raw: "[1]", end: "null" });
  expect(enforceSchema(nested, text, { strict: false })).toMatchObject({
    passed: true,
    value: { items: [{ n: 2 }], raw: "[1]", end: null },
    repaired: ["json_in_string", "quoted_literal"],
  });
  for (const items of ["[1", "see [1]", "[x]"])
    expect(enforceSchema(nested, JSON.stringify({ items }), { strict: false }).passed).toBe(false);
});

test("of several values in a row the first that fits is taken", () => {
  expect(enforceSchema(schema, '{"tags": []}\n{"name": "Ada"}', { strict: false })).toMatchObject({
    passed: true,
    value: { name: "Ada" },
  });
});

test("JSON in a string is no way around the bound on nesting", () => {
  const lists = compileSchema({ type: "array" });
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  expect(enforceSchema(lists, JSON.stringify(deep), { strict: false }).passed).toBe(false);
  expect(enforceSchema(compileSchema({ type: "object" }), JSON.stringify({ a: deep }), { strict: false }).passed).toBe(true);
  const inside = compileSchema({ type: "object", properties: { a: { type: "array" } } });
  expect(enforceSchema(inside, JSON.stringify({ a: deep }), { strict: false }).passed).toBe(false);
});

test("an answer cut off by the token limit never passes by closing its brackets", () => {
  const cut = '{"name": "Ada", "tags": ["a", "b';
  expect(enforceSchema(schema, cut, { strict: false, cutOff: true })).toMatchObject({ passed: false });
  expect(enforceSchema(schema, cut, { strict: false })).toMatchObject({ passed: true, repaired: ["truncated"] });
});

test("the message to the model lists the places and asks for JSON alone", () => {
  const message = retryMessage([
    { path: "/tags/1", message: "must be string" },
    { path: "", message: "must have required properties name" },
  ]);
  expect(message).toContain("- /tags/1 must be string");
  expect(message).toContain("- the answer must have required properties name");
  expect(message).toContain("JSON alone");
});

test("the readings of one answer share their work, however many lists it holds", () => {
  const choices = compileSchema({ type: "array", items: { enum: Array.from({ length: 3_000 }, (_, number) => ({ number })) } });
  const list = (last: number) => JSON.stringify([...Array.from({ length: 200 }, () => ({ number: 2_999 })), { number: last }]);
  const enforced = enforceSchema(choices, `Some lists:\n${`${list(-1)}\n\n`.repeat(20)}${list(0)}`, { strict: false });
  expect(enforced.errors).toEqual([{ path: "", message: "takes too much work to check" }]);
  expect(enforceSchema(choices, `A list:\n${list(0)}`, { strict: false }).passed).toBe(true);
});
