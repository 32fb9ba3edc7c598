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

test("a number too large for JavaScript stays as the model wrote it, and so does JSON that only stood in prose or a fence", () => {
  const post = compileSchema({ type: "object", properties: { id: { type: "integer" } } });
  for (const [answer, text] of [
    [
      '```json\n{"id": 1234567890123456789, "reply_to": 1234567890123456790}\n```',
      '{"id": 1234567890123456789, "reply_to": 1234567890123456790}',
    ],
    ['Here: {"id": 1234567890123456789, "score": 1.50}', '{"id": 1234567890123456789, "score": 1.50}'],
    ['{"id": 1234567890123456789,}', '{"id":1234567890123456789}'],
    ["{'id': -9007199254740993}", '{"id":-9007199254740993}'],
  ])
    expect([answer, enforceSchema(post, answer!, { strict: false })]).toMatchObject([answer, { passed: true, text }]);
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
  expect(enforceSchema(schema, '{"tags": ["a", true]}', { strict: false }).errors).toContainEqual({
    path: "/tags/1",
    message: "must be string",
  });
  expect(enforceSchema(schema, "{'name': true}", { strict: false }).errors).toEqual([
    { path: "/name", message: "must be string" },
  ]);
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
    '{"name":true,"age":36}',
  ])
    expect([text, lax(text).passed]).toEqual([text, false]);
  expect(enforceSchema(counted, '{"name":"Ada","age":"36"}', { strict: true }).passed).toBe(false);
});

test("a word is looked for in short answers only: a flood of marks is no word, at once", () => {
  const words = compileSchema({ enum: ["positive", "negative"] });
  expect(enforceSchema(words, "**Positive**.", { strict: false })).toMatchObject({ passed: true, value: "positive" });
  expect(enforceSchema(words, `positive${"*".repeat(300_000)}x`, { strict: false }).passed).toBe(false);
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

test("a number or truth value is meant as the word of a list that it is", () => {
  const rated = compileSchema({
    type: "object",
    properties: { stars: { type: "string", enum: ["1", "2", "3"] }, sure: { const: "true" }, name: { type: "string" } },
    required: ["stars"],
  });
  const lax = (text: string) => enforceSchema(rated, text, { strict: false });
  expect(lax('{"stars": 2, "sure": true}')).toMatchObject({
    passed: true,
    value: { stars: "2", sure: "true" },
    repaired: ["unquoted"],
  });
  for (const text of ['{"stars": 4}', '{"stars": null}', '{"stars": "1", "name": true}'])
    expect([text, lax(text).passed]).toEqual([text, false]);
  expect(enforceSchema(rated, '{"stars": 2}', { strict: true }).passed).toBe(false);
});

test("an answer of words alone is data only where it is a word that the schema lists", () => {
  const mood = compileSchema({ type: "string", enum: ["positive", "very negative"] });
  const lax = (text: string) => enforceSchema(mood, text, { strict: false });
  expect(lax("positive")).toMatchObject({ passed: true, value: "positive", text: '"positive"', repaired: ["unquoted"] });
  expect(lax("**Very Negative.**\n")).toMatchObject({
    passed: true,
    value: "very negative",
    repaired: ["enum_spelling", "unquoted"],
  });
  for (const text of ["It is positive", "neutral", "", "positive ".repeat(100)])
    expect([text, lax(text).passed]).toEqual([text, false]);
  expect(enforceSchema(mood, "positive", { strict: true }).passed).toBe(false);
  expect(enforceSchema(compileSchema({ type: "string" }), "positive", { strict: false }).passed).toBe(false);
  const inside = compileSchema({ type: "object", properties: { mood: { enum: ["positive"] } }, required: ["mood"] });
  expect(enforceSchema(inside, "Positive.", { strict: false })).toMatchObject({ value: { mood: "positive" } });
  expect(enforceSchema(inside, "It is positive", { strict: false }).passed).toBe(false);
});

test("the one thing that an object must hold may come without the object", () => {
  const order = compileSchema({
    type: "object",
    properties: {
      items: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
      note: {},
    },
    required: ["items"],
  });
  const lax = (text: string) => enforceSchema(order, text, { strict: false });
  expect(lax('```json\n[{"n": "2"}, {"n": 3}]\n```')).toMatchObject({ passed: true, value: { items: [{ n: 2 }, { n: 3 }] } });
  expect(lax("[]")).toMatchObject({ value: { items: [] }, repaired: ["missing_braces"] });
  for (const text of ['[{"m": 2}]', '{"n": 2}', "[1]"]) expect([text, lax(text).passed]).toEqual([text, false]);
  expect(readPerson([["Ada"]]).passed).toBe(false);
  const scores = compileSchema({
    type: "object",
    properties: { scores: { type: "array", items: { type: "number" } } },
    required: ["scores"],
  });
  expect(enforceSchema(scores, "Here they are: [1, 2]", { strict: false })).toMatchObject({ value: { scores: [1, 2] } });
  expect(enforceSchema(scores, "See [1], [2].", { strict: false }).passed).toBe(false);
});

test("a number or boolean may come without the object that must hold it, as it is", () => {
  const holding = (type: object) => compileSchema({ type: "object", properties: { it: type, note: {} }, required: ["it"] });
  const lax = (type: object, text: string) => enforceSchema(holding(type), text, { strict: false });
  expect(lax({ type: "integer" }, "7")).toMatchObject({ value: { it: 7 }, text: '{"it":7}', repaired: ["missing_braces"] });
  expect(lax({ type: "boolean" }, "```json\ntrue\n```")).toMatchObject({ value: { it: true } });
  for (const type of [{ type: "string" }, { type: "boolean" }, { type: "array", items: { type: "integer" } }])
    expect([type, lax(type, "7").passed]).toEqual([type, false]);
  expect(lax({ type: "integer" }, "It is 7.").passed).toBe(false);
  expect(enforceSchema(holding({ type: "integer" }), "7", { strict: false, cutOff: true }).passed).toBe(false);
});

test("lines of a name and its value are an object where the schema knows each name", () => {
  const lax = (text: string) => enforceSchema(person, text, { strict: false });
  for (const text of [
    "Full name: Ada\nAge: 36",
    '- **full_name**: "Ada"\n- **Age:** 36\n',
    "full_name: Ada\n\nage:   36",
    "Here:\n```yaml\nfull_name: Ada\nage: 36\n```\nDone.",
    "<think>A name.</think>\nFull name: Ada\nAge: 36",
  ])
    expect([text, lax(text)]).toMatchObject([text, { passed: true, value: ada }]);
  for (const text of [
    "Name: Ada\nAge: 36",
    "Here it is.\nFull name: Ada\nAge: 36",
    "Age: 36\nAge: 36\nFull name: Ada",
    "Full name: Ada",
  ])
    expect([text, lax(text).passed]).toEqual([text, false]);
  expect(enforceSchema(person, "full_name: Ada\nage: 36", { strict: true }).passed).toBe(false);
  for (const [written, name] of [
    ['"Ada" and "Eve"', '"Ada" and "Eve"'],
    ['"Ada \\"the\\" first"', 'Ada "the" first'],
    ["'Ada'", "Ada"],
  ])
    expect(lax(`full_name: ${written}\nage: 36`)).toMatchObject({ value: { full_name: name } });
});

test("lines of items are a list where the schema wants one", () => {
  const shopping = compileSchema({
    type: "object",
    properties: { items: { type: "array", items: { type: "string" } } },
    required: ["items"],
  });
  const lax = (text: string) => enforceSchema(shopping, text, { strict: false });
  for (const text of ["- tea\n- milk, fresh", '1. "tea"\n2. milk, fresh\n', "```\n* tea\n* milk, fresh\n```"])
    expect([text, lax(text)]).toMatchObject([text, { passed: true, value: { items: ["tea", "milk, fresh"] } }]);
  for (const text of ["- tea", "To buy:\n- tea\n- milk", "tea\nmilk", "-tea\n-milk"])
    expect([text, lax(text).passed]).toEqual([text, false]);
  expect(enforceSchema(person, "- tea\n- milk", { strict: false }).passed).toBe(false);
});

test("a number is text as it was written where the schema wants text, if it was written in one way", () => {
  const address = compileSchema({ type: "object", properties: { zip: { type: "string" }, floor: { type: ["string", "null"] } } });
  const lax = (text: string) => enforceSchema(address, text, { strict: false });
  expect(lax('{"zip": 12345, "floor": -1}')).toMatchObject({ value: { zip: "12345", floor: "-1" }, repaired: ["unquoted"] });
  for (const number of ["1.50", "2.0", "1e5", "+15551234", "12345678901234567890"])
    expect([number, lax(`{"zip": ${number}}`)]).toMatchObject([number, { value: { zip: number } }]);
  expect(lax('{"zip": 2.0, "floor": 2}')).toMatchObject({ value: { zip: "2", floor: "2" } });
  expect(lax('{"zip": 2.0, "note": "2 rooms, \\"5\\" beds"}')).toMatchObject({ value: { zip: "2.0" } });
  for (const text of ['{"zip": 1.50, "floor": 1.5}', '{"zip": 1,234}', '{"zip": true}', '{"zip": [1, 2]}'])
    expect([text, lax(text).passed]).toEqual([text, false]);
  expect(enforceSchema(address, '{"zip": 12345}', { strict: true }).passed).toBe(false);
});

test("null for a property that may not be null is its absence, where it may be absent", () => {
  const named = compileSchema({ properties: { name: { type: "string" }, nick: { type: "string" } }, required: ["name"] });
  const lax = (text: string) => enforceSchema(named, text, { strict: false });
  expect(lax('{"name": "Ada", "nick": null}')).toMatchObject({ value: { name: "Ada" }, repaired: ["extra_property"] });
  expect(lax('{"name": null, "nick": "A"}').passed).toBe(false);
  expect(enforceSchema(named, '{"name": "Ada", "nick": null}', { strict: true }).passed).toBe(false);
});

test("what people write where there is nothing is null where that fits, and a price its number", () => {
  const offer = compileSchema({ properties: { price: { type: ["number", "null"] } } });
  const lax = (text: string) => enforceSchema(offer, text, { strict: false });
  for (const said of ["", "N/A", "n/a", "-"])
    expect([said, lax(JSON.stringify({ price: said }))]).toMatchObject([said, { value: { price: null } }]);
  for (const said of ["12.50 EUR", "12.50€", "€12.50", "EUR 12.50", "+12.5"])
    expect([said, lax(JSON.stringify({ price: said }))]).toMatchObject([said, { value: { price: 12.5 } }]);
  for (const said of ["5 kg", "12.50 or 13", "012.5", "unknown"])
    expect([said, lax(JSON.stringify({ price: said })).passed]).toEqual([said, false]);
});

test("an object may come without the one that must hold it, where it has that one's properties", () => {
  const held = compileSchema({
    type: "object",
    properties: { person: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    required: ["person"],
  });
  const lax = (text: string) => enforceSchema(held, text, { strict: false });
  expect(lax('{"name": "Ada"}')).toMatchObject({ value: { person: { name: "Ada" } }, repaired: ["missing_braces"] });
  const referred = compileSchema({
    type: "object",
    properties: { person: { $ref: "#/$defs/person" } },
    required: ["person"],
    $defs: { person: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
  });
  expect(enforceSchema(referred, '{"name": 7}', { strict: false })).toMatchObject({ value: { person: { name: "7" } } });
  for (const text of ['{"name": "Ada", "note": "x"}', '{"error": "none"}', "{}"])
    expect([text, lax(text).passed]).toEqual([text, false]);
});

test("what a map holds is corrected and not left out", () => {
  const votes = compileSchema({
    type: "object",
    properties: { votes: { type: "object", additionalProperties: { type: "number" } } },
    required: ["votes"],
  });
  const lax = (text: string) => enforceSchema(votes, text, { strict: false });
  expect(lax('{"votes": {"Ada": "12", "Bo": 3}}')).toMatchObject({
    value: { votes: { Ada: 12, Bo: 3 } },
    repaired: ["quoted_literal"],
  });
  for (const text of [
    '{"votes": {"Ada": "12", "Bo": "many"}}',
    '{"votes": {"key": "Ada", "value": 12}}',
    '{"votes": {"Ada": 12, "Bo": null}}',
  ])
    expect([text, lax(text).passed]).toEqual([text, false]);
});

test("words of the schema in one string are a list of them", () => {
  const painted = compileSchema({ properties: { colours: { type: "array", items: { enum: ["red", "light blue"] } } } });
  const lax = (text: string) => enforceSchema(painted, text, { strict: false });
  expect(lax('{"colours": "Red, light blue"}')).toMatchObject({
    value: { colours: ["red", "light blue"] },
    repaired: ["one_item_list"],
  });
  expect(lax('{"colours": "red, green"}').passed).toBe(false);
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

const person = compileSchema({
  type: "object",
  properties: { full_name: { type: "string" }, age: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
  required: ["full_name", "age"],
  additionalProperties: false,
});
const readPerson = (value: unknown) => enforceSchema(person, JSON.stringify(value), { strict: false });
const ada = { full_name: "Ada", age: 36 };

test("a part of an answer is not taken for the answer, even where the schema requires nothing", () => {
  const loose = compileSchema({
    type: "object",
    properties: {
      name: { type: "string" },
      home: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  });
  const lax = (text: string) => enforceSchema(loose, text, { strict: false });
  expect(lax('{"home": {"city": null}}').passed).toBe(false);
  expect(lax('{"home": "unknown", "notes": {"a": 1}}').passed).toBe(false);
  const numbered = compileSchema({ type: "object", additionalProperties: { type: "number" } });
  expect(enforceSchema(numbered, '{"votes": {"Ada": 3}}', { strict: false })).toMatchObject({ value: { Ada: 3 } });
});

test("an answer in a wrapper is taken out of it, unless two parts of the wrapper fit", () => {
  for (const wrapped of [
    { result: ada },
    { person: { details: ada } },
    { status: "ok", response: ada, usage: { tokens: 3 } },
    { name: "save_person", arguments: JSON.stringify(ada) },
    [ada],
  ])
    expect(readPerson(wrapped)).toMatchObject({ passed: true, value: ada });
  for (const unclear of [
    { draft: ada, final: { ...ada, age: 37 } },
    [ada, ada],
    { a: { b: { c: ada } } },
    { error: "no person" },
  ])
    expect([unclear, readPerson(unclear).passed]).toEqual([unclear, false]);
  expect(readPerson({ result: { ...ada, age: "36" } })).toMatchObject({ value: ada, repaired: ["quoted_literal", "wrapper"] });
  expect(enforceSchema(person, JSON.stringify({ result: ada }), { strict: true }).passed).toBe(false);
});

test("one item is put in a list, or taken out of one, where the schema wants it so", () => {
  expect(readPerson({ ...ada, tags: "new" })).toMatchObject({ value: { ...ada, tags: ["new"] }, repaired: ["one_item_list"] });
  expect(readPerson({ full_name: ["Ada"], age: [36] })).toMatchObject({ value: ada });
  const people = compileSchema({ type: "array", items: person.source as object });
  expect(enforceSchema(people, JSON.stringify(ada), { strict: false })).toMatchObject({ passed: true, value: [ada] });
  for (const tags of ["new, old", "a; b", "one\ntwo", "[1", true])
    expect([tags, readPerson({ ...ada, tags }).passed]).toEqual([tags, false]);
  expect(readPerson({ full_name: ["Ada", "Bo"], age: 36 }).passed).toBe(false);
});

test("what is wrong deep inside unions is corrected, and no more than eight errors are told", () => {
  const closed = (properties: object) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const blocks = { type: "array", items: { $ref: "#/$defs/block" } };
  const text = closed({ type: { const: "text" }, content: { type: "string" } });
  const table = closed({ type: { const: "table" }, rows: { type: "integer" } });
  const group = closed({ type: { const: "group" }, blocks });
  const page = compileSchema({ $defs: { block: { anyOf: [text, table, group] } }, ...closed({ blocks }) });
  const nested = (block: object) => ({ blocks: [{ type: "group", blocks: [{ type: "group", blocks: [block] }] }] });
  const read = (block: object) => enforceSchema(page, JSON.stringify(nested(block)), { strict: false });
  expect(read({ type: "TABLE", rows: "5", note: "x" })).toMatchObject({ value: nested({ type: "table", rows: 5 }) });
  expect(read({ type: "table", rows: "many" }).errors.length).toBe(8);
});

test("in a union, what no branch allows is left out, whatever the other branches say of the rest", () => {
  const closed = (properties: object, required: string[]) => ({
    type: "object",
    properties,
    required,
    additionalProperties: false,
  });
  const cat = closed({ kind: { const: "cat" }, lives: { type: "integer" } }, ["kind", "lives"]);
  const dog = closed({ kind: { const: "dog" }, breed: { type: "string" } }, ["kind"]);
  for (const union of ["oneOf", "anyOf"]) {
    const owner = compileSchema(closed({ pet: { [union]: [cat, dog] } }, ["pet"]));
    const read = (pet: object) => enforceSchema(owner, JSON.stringify({ pet }), { strict: false });
    expect(read({ kind: "dog", note: "good" })).toMatchObject({ value: { pet: { kind: "dog" } }, repaired: ["extra_property"] });
    expect(read({ kind: "Cat", lives: "9", note: 1 })).toMatchObject({ value: { pet: { kind: "cat", lives: 9 } } });
    expect(read({ kind: "cat", note: "none" }).passed).toBe(false);
  }
});

test("properties go by the schema's own names, and those it does not allow are left out", () => {
  expect(readPerson({ fullName: "Ada", Age: 36 })).toMatchObject({ value: ada, repaired: ["property_spelling"] });
  expect(readPerson({ ...ada, comment: "sure" })).toMatchObject({ value: ada, repaired: ["extra_property"] });
  expect(readPerson({ ...ada, fullName: "Bo" }).passed).toBe(false);
  expect(readPerson({ fullName: "Ada", "Full Name": "Bo", age: 36 }).passed).toBe(false);
  expect(readPerson({ name: "Ada", age: 36 }).passed).toBe(false);
});

test("amounts and yes or no are read where the schema wants a number or a truth value", () => {
  const bill = compileSchema({ type: "object", properties: { total: { type: "number" }, paid: { type: "boolean" } } });
  const lax = (value: object) => enforceSchema(bill, JSON.stringify(value), { strict: false });
  expect(lax({ total: "$1,299.50", paid: "Yes" })).toMatchObject({ value: { total: 1299.5, paid: true } });
  expect(lax({ total: "€ 20", paid: "TRUE" })).toMatchObject({ value: { total: 20, paid: true } });
  for (const value of [
    { total: "12,50" },
    { total: "1.299,50" },
    { total: "5 kg" },
    { total: "yes" },
    { paid: "maybe" },
    { paid: "constructor" },
  ])
    expect([value, lax(value).passed]).toEqual([value, false]);
});

test("of several values in a row the first that fits is taken", () => {
  expect(enforceSchema(schema, '{"tags": []}\n{"name": "Ada"}', { strict: false })).toMatchObject({
    passed: true,
    value: { name: "Ada" },
  });
});

test("objects one after the other in prose are a list where the schema asks for one", () => {
  const people = compileSchema({ type: "array", items: person.source as object });
  const bo = { full_name: "Bo", age: 7 };
  const text = `1. ${JSON.stringify(ada)}\n2. ${JSON.stringify(bo)}`;
  expect(enforceSchema(people, text, { strict: false })).toMatchObject({ passed: true, value: [ada, bo] });
  expect(enforceSchema(person, text, { strict: false })).toMatchObject({ passed: true, value: ada });
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
  for (const strict of [false, true])
    expect(enforceSchema(schema, cut, { strict, cutOff: true })).toMatchObject({
      passed: false,
      errors: [{ message: "breaks off before its end" }],
    });
  expect(enforceSchema(schema, cut, { strict: false })).toMatchObject({ passed: true, repaired: ["truncated"] });
  const lines = "full_name: Ada\nage: 3";
  expect(enforceSchema(person, lines, { strict: false, cutOff: true })).toMatchObject({ passed: false });
  expect(enforceSchema(person, lines, { strict: false })).toMatchObject({ passed: true });
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

test("escaped quotes without end are read once", () => {
  const schema = compileSchema({ type: "object", required: ["a"] });
  expect(enforceSchema(schema, '\\"'.repeat(500_000), { strict: false }).passed).toBe(false);
});
