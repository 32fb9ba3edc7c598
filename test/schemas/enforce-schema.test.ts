/** What passes as fitting a schema, what is mended on the way, and what the model is told when it is not. */
import { expect, test } from "bun:test";
import { compileSchema } from "../../src/schemas/compile/compile-schema.ts";
import { enforceSchema, retryMessage } from "../../src/schemas/enforce-schema.ts";

/** How answers are read by a schema; `taken` are those of several that pass. What is no text is sent as JSON. */
const answersTo = (source: object | boolean) => {
  const schema = compileSchema(source);
  const by = (options: { strict: boolean; cutOff?: boolean }) => (answer: unknown) =>
    enforceSchema(schema, typeof answer === "string" ? answer : JSON.stringify(answer), options);
  const lax = by({ strict: false });
  return {
    lax,
    strict: by({ strict: true }),
    cutOff: by({ strict: false, cutOff: true }),
    strictlyCutOff: by({ strict: true, cutOff: true }),
    taken: (answers: readonly unknown[]) => answers.filter((answer) => lax(answer).passed),
  };
};

const named = answersTo({
  type: "object",
  properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["name"],
});
const PERSON = {
  type: "object",
  properties: { full_name: { type: "string" }, age: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
  required: ["full_name", "age"],
  additionalProperties: false,
};
const person = answersTo(PERSON);
const ada = { full_name: "Ada", age: 36 };

test("an answer that fits passes with the model's own text", () => {
  const enforced = named.strict(' {"name": "Ada",  "tags": []}\n');
  expect(enforced).toEqual({
    passed: true,
    value: { name: "Ada", tags: [] },
    text: '{"name": "Ada",  "tags": []}',
    repaired: [],
    errors: [],
  });
});

test("a number too large for JavaScript stays as the model wrote it, and so does JSON that only stood in prose or a fence", () => {
  const post = answersTo({ type: "object", properties: { id: { type: "integer" } } });
  for (const [answer, text] of [
    [
      '```json\n{"id": 1234567890123456789, "reply_to": 1234567890123456790}\n```',
      '{"id": 1234567890123456789, "reply_to": 1234567890123456790}',
    ],
    ['Here: {"id": 1234567890123456789, "score": 1.50}', '{"id": 1234567890123456789, "score": 1.50}'],
    ['{"id": 1234567890123456789,}', '{"id":1234567890123456789}'],
    ["{'id': -9007199254740993}", '{"id":-9007199254740993}'],
  ])
    expect([answer, post.lax(answer!)]).toMatchObject([answer, { passed: true, text }]);
});

test("an answer that can be mended passes with canonical JSON and says what was mended", () => {
  const enforced = named.lax("Sure!\n```json\n{'name': 'Ada',}\n```");
  expect(enforced).toMatchObject({ passed: true, text: '{"name":"Ada"}', repaired: ["code_fence", "extra_comma", "quotes"] });
});

test("strict mends nothing", () => {
  const fenced = named.strict('```json\n{"name": "Ada"}\n```');
  expect(fenced).toEqual({ passed: false, repaired: [], errors: [{ path: "", message: "must be JSON, and holds none" }] });
  expect(named.strict('{"name": 5}').errors).toEqual([{ path: "/name", message: "must be string" }]);
});

test("what does not fit says where, also when the text had to be mended to be read", () => {
  expect(named.lax('{"tags": ["a", true]}').errors).toContainEqual({
    path: "/tags/1",
    message: "must be string",
  });
  expect(named.lax("{'name': true}").errors).toEqual([{ path: "/name", message: "must be string" }]);
  expect(named.lax("I can't do that.").errors).toEqual([{ path: "", message: "must be JSON, and holds none" }]);
});

test("numbers and truth values come out of their quotes where the schema wants no text", () => {
  const { lax, strict, taken } = answersTo({
    type: "object",
    properties: {
      name: { type: "string" },
      age: { type: "integer", minimum: 18 },
      ok: { type: ["boolean", "null"] },
      sizes: { type: "array", items: { type: "number" } },
    },
    required: ["name", "age"],
  });
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
  expect(
    taken([
      '{"name":"Ada","age":"12"}',
      '{"name":"Ada","age":"36.5"}',
      '{"name":"Ada","age":"thirty"}',
      '{"name":true,"age":36}',
    ]),
  ).toEqual([]);
  expect(strict('{"name":"Ada","age":"36"}').passed).toBe(false);
});

test("a word is looked for in short answers only: a flood of marks is no word, at once", () => {
  const words = answersTo({ enum: ["positive", "negative"] });
  expect(words.lax("**Positive**.")).toMatchObject({ passed: true, value: "positive" });
  expect(words.lax(`positive${"*".repeat(300_000)}x`).passed).toBe(false);
});

test("a word of an enum is meant in any case, unless two differ in that alone", () => {
  const { lax, strict, taken } = answersTo({
    type: "object",
    properties: {
      state: { enum: ["in progress", "done"] },
      mood: { enum: ["Sad", "SAD", "glad"] },
      kind: { const: "note" },
      text: { type: "string" },
    },
    additionalProperties: false,
  });
  expect(lax('{"state":"In_Progress","kind":" NOTE ","text":"Done"}')).toMatchObject({
    passed: true,
    value: { state: "in progress", kind: "note", text: "Done" },
    repaired: ["enum_spelling"],
  });
  expect(lax('{"mood":"SAD"}')).toMatchObject({ passed: true, repaired: [] });
  expect(taken(['{"mood":"sad"}', '{"state":"almost done"}', '{"state":"note"}', '{"state":""}'])).toEqual([]);
  expect(strict('{"state":"Done"}').passed).toBe(false);
});

test("a number or truth value is meant as the word of a list that it is", () => {
  const { lax, strict, taken } = answersTo({
    type: "object",
    properties: { stars: { type: "string", enum: ["1", "2", "3"] }, sure: { const: "true" }, name: { type: "string" } },
    required: ["stars"],
  });
  expect(lax('{"stars": 2, "sure": true}')).toMatchObject({
    passed: true,
    value: { stars: "2", sure: "true" },
    repaired: ["unquoted"],
  });
  expect(taken(['{"stars": 4}', '{"stars": null}', '{"stars": "1", "name": true}'])).toEqual([]);
  expect(strict('{"stars": 2}').passed).toBe(false);
});

test("an answer of words alone is data only where it is a word that the schema lists", () => {
  const { lax, strict, taken } = answersTo({ type: "string", enum: ["positive", "very negative"] });
  expect(lax("positive")).toMatchObject({ passed: true, value: "positive", text: '"positive"', repaired: ["unquoted"] });
  expect(lax("**Very Negative.**\n")).toMatchObject({
    passed: true,
    value: "very negative",
    repaired: ["enum_spelling", "unquoted"],
  });
  expect(taken(["It is positive", "neutral", "", "positive ".repeat(100)])).toEqual([]);
  expect(strict("positive").passed).toBe(false);
  expect(answersTo({ type: "string" }).lax("positive").passed).toBe(false);
  const inside = answersTo({ type: "object", properties: { mood: { enum: ["positive"] } }, required: ["mood"] });
  expect(inside.lax("Positive.")).toMatchObject({ value: { mood: "positive" } });
  expect(inside.lax("It is positive").passed).toBe(false);
});

test("the one thing that an object must hold may come without the object", () => {
  const { lax, taken } = answersTo({
    type: "object",
    properties: {
      items: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
      note: {},
    },
    required: ["items"],
  });
  expect(lax('```json\n[{"n": "2"}, {"n": 3}]\n```')).toMatchObject({ passed: true, value: { items: [{ n: 2 }, { n: 3 }] } });
  expect(lax("[]")).toMatchObject({ value: { items: [] }, repaired: ["missing_braces"] });
  expect(taken(['[{"m": 2}]', '{"n": 2}', "[1]"])).toEqual([]);
  expect(person.lax([["Ada"]]).passed).toBe(false);
  const scores = answersTo({
    type: "object",
    properties: { scores: { type: "array", items: { type: "number" } } },
    required: ["scores"],
  });
  expect(scores.lax("Here they are: [1, 2]")).toMatchObject({ value: { scores: [1, 2] } });
  expect(scores.lax("See [1], [2].").passed).toBe(false);
});

test("a number or boolean may come without the object that must hold it, as it is", () => {
  const holding = (type: object) => answersTo({ type: "object", properties: { it: type, note: {} }, required: ["it"] });
  expect(holding({ type: "integer" }).lax("7")).toMatchObject({
    value: { it: 7 },
    text: '{"it":7}',
    repaired: ["missing_braces"],
  });
  expect(holding({ type: "boolean" }).lax("```json\ntrue\n```")).toMatchObject({ value: { it: true } });
  for (const type of [{ type: "string" }, { type: "boolean" }, { type: "array", items: { type: "integer" } }])
    expect([type, holding(type).lax("7").passed]).toEqual([type, false]);
  expect(holding({ type: "integer" }).lax("It is 7.").passed).toBe(false);
  expect(holding({ type: "integer" }).cutOff("7").passed).toBe(false);
});

test("lines of a name and its value are an object where the schema knows each name", () => {
  for (const text of [
    "Full name: Ada\nAge: 36",
    '- **full_name**: "Ada"\n- **Age:** 36\n',
    "full_name: Ada\n\nage:   36",
    "Here:\n```yaml\nfull_name: Ada\nage: 36\n```\nDone.",
    "<think>A name.</think>\nFull name: Ada\nAge: 36",
  ])
    expect([text, person.lax(text)]).toMatchObject([text, { passed: true, value: ada }]);
  expect(
    person.taken([
      "Name: Ada\nAge: 36",
      "Here it is.\nFull name: Ada\nAge: 36",
      "Age: 36\nAge: 36\nFull name: Ada",
      "Full name: Ada",
    ]),
  ).toEqual([]);
  expect(person.strict("full_name: Ada\nage: 36").passed).toBe(false);
  for (const [written, name] of [
    ['"Ada" and "Eve"', '"Ada" and "Eve"'],
    ['"Ada \\"the\\" first"', 'Ada "the" first'],
    ["'Ada'", "Ada"],
  ])
    expect(person.lax(`full_name: ${written}\nage: 36`)).toMatchObject({ value: { full_name: name } });
});

test("lines of items are a list where the schema wants one", () => {
  const { lax, taken } = answersTo({
    type: "object",
    properties: { items: { type: "array", items: { type: "string" } } },
    required: ["items"],
  });
  for (const text of ["- tea\n- milk, fresh", '1. "tea"\n2. milk, fresh\n', "```\n* tea\n* milk, fresh\n```"])
    expect([text, lax(text)]).toMatchObject([text, { passed: true, value: { items: ["tea", "milk, fresh"] } }]);
  expect(taken(["- tea", "To buy:\n- tea\n- milk", "tea\nmilk", "-tea\n-milk"])).toEqual([]);
  expect(person.lax("- tea\n- milk").passed).toBe(false);
});

test("a number is text as it was written where the schema wants text, if it was written in one way", () => {
  const { lax, strict, taken } = answersTo({
    type: "object",
    properties: { zip: { type: "string" }, floor: { type: ["string", "null"] } },
  });
  expect(lax('{"zip": 12345, "floor": -1}')).toMatchObject({ value: { zip: "12345", floor: "-1" }, repaired: ["unquoted"] });
  for (const number of ["1.50", "2.0", "1e5", "+15551234", "12345678901234567890"])
    expect([number, lax(`{"zip": ${number}}`)]).toMatchObject([number, { value: { zip: number } }]);
  expect(lax('{"zip": 2.0, "floor": 2}')).toMatchObject({ value: { zip: "2", floor: "2" } });
  expect(lax('{"zip": 2.0, "note": "2 rooms, \\"5\\" beds"}')).toMatchObject({ value: { zip: "2.0" } });
  expect(taken(['{"zip": 1.50, "floor": 1.5}', '{"zip": 1,234}', '{"zip": true}', '{"zip": [1, 2]}'])).toEqual([]);
  expect(strict('{"zip": 12345}').passed).toBe(false);
});

test("null for a property that may not be null is its absence, where it may be absent", () => {
  const { lax, strict } = answersTo({
    properties: { name: { type: "string" }, nick: { type: "string" } },
    required: ["name"],
  });
  expect(lax('{"name": "Ada", "nick": null}')).toMatchObject({ value: { name: "Ada" }, repaired: ["extra_property"] });
  expect(lax('{"name": null, "nick": "A"}').passed).toBe(false);
  expect(strict('{"name": "Ada", "nick": null}').passed).toBe(false);
});

test("what people write where there is nothing is null where that fits, and a price its number", () => {
  const { lax } = answersTo({ properties: { price: { type: ["number", "null"] } } });
  for (const said of ["", "N/A", "n/a", "-"])
    expect([said, lax({ price: said })]).toMatchObject([said, { value: { price: null } }]);
  for (const said of ["12.50 EUR", "12.50€", "€12.50", "EUR 12.50", "+12.5"])
    expect([said, lax({ price: said })]).toMatchObject([said, { value: { price: 12.5 } }]);
  for (const said of ["5 kg", "12.50 or 13", "012.5", "unknown"])
    expect([said, lax({ price: said }).passed]).toEqual([said, false]);
});

test("an object may come without the one that must hold it, where it has that one's properties", () => {
  const { lax, taken } = answersTo({
    type: "object",
    properties: { person: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    required: ["person"],
  });
  expect(lax('{"name": "Ada"}')).toMatchObject({ value: { person: { name: "Ada" } }, repaired: ["missing_braces"] });
  const referred = answersTo({
    type: "object",
    properties: { person: { $ref: "#/$defs/person" } },
    required: ["person"],
    $defs: { person: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
  });
  expect(referred.lax('{"name": 7}')).toMatchObject({ value: { person: { name: "7" } } });
  expect(taken(['{"name": "Ada", "note": "x"}', '{"error": "none"}', "{}"])).toEqual([]);
});

test("what a map holds is corrected and not left out", () => {
  const { lax, taken } = answersTo({
    type: "object",
    properties: { votes: { type: "object", additionalProperties: { type: "number" } } },
    required: ["votes"],
  });
  expect(lax('{"votes": {"Ada": "12", "Bo": 3}}')).toMatchObject({
    value: { votes: { Ada: 12, Bo: 3 } },
    repaired: ["quoted_literal"],
  });
  expect(
    taken([
      '{"votes": {"Ada": "12", "Bo": "many"}}',
      '{"votes": {"key": "Ada", "value": 12}}',
      '{"votes": {"Ada": 12, "Bo": null}}',
    ]),
  ).toEqual([]);
});

test("words of the schema in one string are a list of them", () => {
  const { lax } = answersTo({
    properties: { colours: { type: "array", items: { enum: ["red", "light blue"] } } },
  });
  expect(lax('{"colours": "Red, light blue"}')).toMatchObject({
    value: { colours: ["red", "light blue"] },
    repaired: ["one_item_list"],
  });
  expect(lax('{"colours": "red, green"}').passed).toBe(false);
});

test("JSON written as a string, and null in quotes, are read where the schema wants no text", () => {
  const nested = answersTo({
    type: "object",
    properties: {
      items: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
      raw: { type: "string" },
      end: { type: ["number", "null"] },
    },
  });
  const text = JSON.stringify({ items: JSON.stringify([{ n: "2" }]), raw: "[1]", end: "null" });
  expect(nested.lax(text)).toMatchObject({
    passed: true,
    value: { items: [{ n: 2 }], raw: "[1]", end: null },
    repaired: ["json_in_string", "quoted_literal"],
  });
  for (const items of ["[1", "see [1]", "[x]"]) expect(nested.lax({ items }).passed).toBe(false);
});

test("a part of an answer is not taken for the answer, even where the schema requires nothing", () => {
  const { lax } = answersTo({
    type: "object",
    properties: {
      name: { type: "string" },
      home: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  });
  expect(lax('{"home": {"city": null}}').passed).toBe(false);
  expect(lax('{"home": "unknown", "notes": {"a": 1}}').passed).toBe(false);
  const numbered = answersTo({ type: "object", additionalProperties: { type: "number" } });
  expect(numbered.lax('{"votes": {"Ada": 3}}')).toMatchObject({ value: { Ada: 3 } });
});

test("an answer in a wrapper is taken out of it, unless two parts of the wrapper fit", () => {
  for (const wrapped of [
    { result: ada },
    { person: { details: ada } },
    { status: "ok", response: ada, usage: { tokens: 3 } },
    { name: "save_person", arguments: JSON.stringify(ada) },
    [ada],
  ])
    expect(person.lax(wrapped)).toMatchObject({ passed: true, value: ada });
  expect(
    person.taken([{ draft: ada, final: { ...ada, age: 37 } }, [ada, ada], { a: { b: { c: ada } } }, { error: "no person" }]),
  ).toEqual([]);
  expect(person.lax({ result: { ...ada, age: "36" } })).toMatchObject({ value: ada, repaired: ["quoted_literal", "wrapper"] });
  expect(person.strict(JSON.stringify({ result: ada })).passed).toBe(false);
});

test("one item is put in a list, or taken out of one, where the schema wants it so", () => {
  expect(person.lax({ ...ada, tags: "new" })).toMatchObject({ value: { ...ada, tags: ["new"] }, repaired: ["one_item_list"] });
  expect(person.lax({ full_name: ["Ada"], age: [36] })).toMatchObject({ value: ada });
  const people = answersTo({ type: "array", items: PERSON });
  expect(people.lax(ada)).toMatchObject({ passed: true, value: [ada] });
  for (const tags of ["new, old", "a; b", "one\ntwo", "[1", true])
    expect([tags, person.lax({ ...ada, tags }).passed]).toEqual([tags, false]);
  expect(person.lax({ full_name: ["Ada", "Bo"], age: 36 }).passed).toBe(false);
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
  const page = answersTo({ $defs: { block: { anyOf: [text, table, group] } }, ...closed({ blocks }) });
  const nested = (block: object) => ({ blocks: [{ type: "group", blocks: [{ type: "group", blocks: [block] }] }] });
  const read = (block: object) => page.lax(nested(block));
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
    const owner = answersTo(closed({ pet: { [union]: [cat, dog] } }, ["pet"]));
    const read = (pet: object) => owner.lax({ pet });
    expect(read({ kind: "dog", note: "good" })).toMatchObject({ value: { pet: { kind: "dog" } }, repaired: ["extra_property"] });
    expect(read({ kind: "Cat", lives: "9", note: 1 })).toMatchObject({ value: { pet: { kind: "cat", lives: 9 } } });
    expect(read({ kind: "cat", note: "none" }).passed).toBe(false);
  }
});

test("properties go by the schema's own names, and those it does not allow are left out", () => {
  expect(person.lax({ fullName: "Ada", Age: 36 })).toMatchObject({ value: ada, repaired: ["property_spelling"] });
  expect(person.lax({ ...ada, comment: "sure" })).toMatchObject({ value: ada, repaired: ["extra_property"] });
  expect(person.lax({ ...ada, fullName: "Bo" }).passed).toBe(false);
  expect(person.lax({ fullName: "Ada", "Full Name": "Bo", age: 36 }).passed).toBe(false);
  expect(person.lax({ name: "Ada", age: 36 }).passed).toBe(false);
});

test("amounts and yes or no are read where the schema wants a number or a truth value", () => {
  const { lax, taken } = answersTo({
    type: "object",
    properties: { total: { type: "number" }, paid: { type: "boolean" } },
  });
  expect(lax({ total: "$1,299.50", paid: "Yes" })).toMatchObject({ value: { total: 1299.5, paid: true } });
  expect(lax({ total: "€ 20", paid: "TRUE" })).toMatchObject({ value: { total: 20, paid: true } });
  expect(
    taken([
      { total: "12,50" },
      { total: "1.299,50" },
      { total: "5 kg" },
      { total: "yes" },
      { paid: "maybe" },
      { paid: "constructor" },
    ]),
  ).toEqual([]);
});

test("of several values in a row the first that fits is taken", () => {
  expect(named.lax('{"tags": []}\n{"name": "Ada"}')).toMatchObject({
    passed: true,
    value: { name: "Ada" },
  });
});

test("objects one after the other in prose are a list where the schema asks for one", () => {
  const people = answersTo({ type: "array", items: PERSON });
  const bo = { full_name: "Bo", age: 7 };
  const text = `1. ${JSON.stringify(ada)}\n2. ${JSON.stringify(bo)}`;
  expect(people.lax(text)).toMatchObject({ passed: true, value: [ada, bo] });
  expect(person.lax(text)).toMatchObject({ passed: true, value: ada });
});

test("JSON in a string is no way around the bound on nesting", () => {
  const lists = answersTo({ type: "array" });
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  expect(lists.lax(JSON.stringify(deep)).passed).toBe(false);
  expect(answersTo({ type: "object" }).lax({ a: deep }).passed).toBe(true);
  const inside = answersTo({ type: "object", properties: { a: { type: "array" } } });
  expect(inside.lax({ a: deep }).passed).toBe(false);
});

test("an answer cut off by the token limit never passes by closing its brackets", () => {
  const cut = '{"name": "Ada", "tags": ["a", "b';
  for (const by of [named.cutOff, named.strictlyCutOff])
    expect(by(cut)).toMatchObject({ passed: false, errors: [{ message: "breaks off before its end" }] });
  expect(named.lax(cut)).toMatchObject({ passed: true, repaired: ["truncated"] });
  const lines = "full_name: Ada\nage: 3";
  expect(person.cutOff(lines)).toMatchObject({ passed: false });
  expect(person.lax(lines)).toMatchObject({ passed: true });
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
  const choices = answersTo({ type: "array", items: { enum: Array.from({ length: 3_000 }, (_, number) => ({ number })) } });
  const list = (last: number) => JSON.stringify([...Array.from({ length: 200 }, () => ({ number: 2_999 })), { number: last }]);
  const enforced = choices.lax(`Some lists:\n${`${list(-1)}\n\n`.repeat(20)}${list(0)}`);
  expect(enforced.errors).toEqual([{ path: "", message: "takes too much work to check" }]);
  expect(choices.lax(`A list:\n${list(0)}`).passed).toBe(true);
});

test("escaped quotes without end are read once", () => {
  const required = answersTo({ type: "object", required: ["a"] });
  expect(required.lax('\\"'.repeat(500_000)).passed).toBe(false);
});
