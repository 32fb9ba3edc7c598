import { expect, test } from "bun:test";
import { toAnthropicSchema } from "../../../src/providers/anthropic/native-schema.ts";
import { toGoogleSchema } from "../../../src/providers/google/google-schema.ts";
import { toStrictSchema } from "../../../src/providers/openai/strict-schema.ts";

const object = (properties: object, required = Object.keys(properties)) => ({ type: "object", properties, required });

test("strict: every object is closed, also nested ones and those behind references", () => {
  const strict: any = toStrictSchema({
    ...object({ a: object({ b: { type: "array", items: object({}) } }), r: { $ref: "#/$defs/d" } }),
    $defs: { d: object({ x: { type: "null" } }) },
  });
  expect([
    strict.additionalProperties,
    strict.properties.a.additionalProperties,
    strict.properties.a.properties.b.items.additionalProperties,
    strict.$defs.d.additionalProperties,
  ]).toEqual([false, false, false, false]);
});

test("strict: what has no equivalent there is not bent into one", () => {
  const texts = { type: "array", items: { type: "string" } };
  const outside = [
    object({ a: {} }, []),
    { ...object({}), additionalProperties: true },
    { ...object({}), additionalProperties: { type: "string" } },
    { anyOf: [object({})] },
    { type: "array", items: {} },
    object({ a: { oneOf: [{ type: "string" }] } }),
    object({ a: { type: "object", patternProperties: { x: {} } } }),
    object({ a: {} }),
    object({ a: { type: "array" } }),
    { type: "object" },
    object({ a: { type: ["object", "null"] } }),
    { ...object({ a: { type: "string" } }), anyOf: [{ required: ["a"] }] },
    texts,
    { ...object({}), minProperties: 1 },
    ...["not", "if", "then", "else", "contains"].map((name) => object({ a: { ...texts, [name]: { type: "string" } } })),
    ...["allOf", "oneOf", "prefixItems"].map((name) => object({ a: { ...texts, [name]: [{ type: "string" }] } })),
  ];
  for (const schema of outside) expect(toStrictSchema(schema)).toBeUndefined();
});

test("an object whose properties are named in several places is not closed in each of them", () => {
  const named = object({ a: { type: "string" } });
  const other = object({ b: { type: "string" } });
  const combined = [
    { allOf: [named, other] },
    { ...named, allOf: [other] },
    { ...named, anyOf: [other, { type: "object", properties: { c: { type: "string" } } }] },
    { ...named, $ref: "#/$defs/other", $defs: { other } },
    object({ inner: { allOf: [{ $ref: "#/$defs/other" }, named] } }),
  ];
  for (const schema of combined) expect([toStrictSchema(schema), toAnthropicSchema(schema)]).toEqual([undefined, undefined]);
  expect(toAnthropicSchema(object({ a: { allOf: [{ $ref: "#/$defs/other" }], description: "One" } }))).toBeDefined();
  expect(toAnthropicSchema(object({ a: { anyOf: [named, { type: "null" }], required: ["a"] } }))).toBeDefined();
});

test("strict: keywords that are not part of it stay out", () => {
  const annotated = object({ a: { type: "string", $comment: "c", example: "x", "x-order": 1, deprecated: true, minLength: 2 } });
  expect(toStrictSchema({ ...annotated, $anchor: "top", "x-parts": {} })).toEqual({
    ...object({ a: { type: "string", description: "(minLength: 2)" } }),
    additionalProperties: false,
  });
  expect(toStrictSchema({ ...object({ a: { $ref: "#/x-parts/p" } }), "x-parts": { p: { type: "string" } } })).toBeUndefined();
});

test("google: references into definitions within definitions and lists of items are renamed like them", () => {
  const inner = {
    definitions: { b: { type: "string" } },
    type: "object",
    properties: { v: { $ref: "#/definitions/a/definitions/b" } },
  };
  const google: any = toGoogleSchema({ type: "array", items: [{ $ref: "#/definitions/a" }], definitions: { a: inner } });
  expect(google.items).toEqual([{ $ref: "#/$defs/a" }]);
  expect(google.$defs.a.properties.v).toEqual({ $ref: "#/$defs/a/$defs/b" });
  expect(google.$defs.a.$defs.b).toEqual({ type: "string" });
});

test("strict: an object without fields says so", () => {
  const empty = { type: "object", properties: {}, required: [], additionalProperties: false };
  expect(toStrictSchema({ type: "object", properties: {} })).toEqual(empty);
  expect(toStrictSchema({ type: "object", additionalProperties: false })).toEqual(empty);
});

test("strict: nothing stands beside a reference, and what the vendor does not know is said in words", () => {
  const strict: any = toStrictSchema({
    ...object({
      r: { $ref: "#/$defs/d", description: "A d." },
      u: { type: "string", format: "uri" },
      t: { type: "string", format: "date" },
      p: { type: "string", pattern: "^(?!x)" },
      q: { type: "string", pattern: "^x" },
      v: { type: "string", default: "a" },
    }),
    $defs: { d: { enum: ["a", "b"] } },
  });
  expect(strict.properties).toEqual({
    r: { $ref: "#/$defs/d" },
    u: { type: "string", description: '(format: "uri")' },
    t: { type: "string", format: "date" },
    p: { type: "string", description: '(pattern: "^(?!x)")' },
    q: { type: "string", pattern: "^x" },
    v: { type: "string", description: '(default: "a")' },
  });
});

test("property names that look like keywords are names", () => {
  const schema = object({ items: { type: "string" }, minLength: { type: "number" }, oneOf: { type: "boolean" } });
  expect(toStrictSchema(schema)).toEqual({ ...schema, additionalProperties: false });
  expect(toAnthropicSchema(schema)).toEqual({ ...schema, additionalProperties: false });
});

test("values of enum, const and default are data, whatever they look like", () => {
  const schema = object({ a: { enum: [{ oneOf: 1, minimum: 2 }] } });
  expect((toStrictSchema(schema) as any).properties.a.enum).toEqual([{ oneOf: 1, minimum: 2 }]);
});

test("Anthropic: bounds are said in words, unknown formats too", () => {
  const schema: any = toAnthropicSchema(
    object(
      {
        n: { type: "integer", minimum: 1, maximum: 9, description: "Count." },
        f: { type: "string", format: "phone" },
        g: { type: "string", format: "date" },
      },
      [],
    ),
  );
  expect(schema.properties).toEqual({
    n: { type: "integer", description: "Count. (minimum: 1, maximum: 9)" },
    f: { type: "string", description: '(format: "phone")' },
    g: { type: "string", format: "date" },
  });
});

test("Anthropic: recursion and open objects have no native form; a definition used twice has", () => {
  const node = object({ next: { $ref: "#/$defs/node" } }, []);
  expect(toAnthropicSchema({ ...node, $defs: { node } })).toBeUndefined();
  expect(toAnthropicSchema(object({ next: { $ref: "#" } }))).toBeUndefined();
  expect(toAnthropicSchema({ type: "object", additionalProperties: { type: "string" } })).toBeUndefined();
  expect(toAnthropicSchema(object({ anything: { type: "object" } }))).toBeUndefined();
  const twice = { ...object({ a: { $ref: "#/$defs/d" }, b: { $ref: "#/$defs/d" } }), $defs: { d: object({}) } };
  expect(toAnthropicSchema(twice)).toMatchObject(twice);
});

test("a schema whose references fan out without end is judged in no time", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, level) => [
      `d${level}`,
      { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
    ]),
  );
  const schema = { ...object({ a: { $ref: "#/$defs/d0" } }), $defs: { ...$defs, d60: { type: "string" } } };
  expect(toAnthropicSchema(schema)).toMatchObject(schema);
});

test("Gemini: allOf is merged, constants become enums, unknown keywords go", () => {
  const merged: any = toGoogleSchema({
    $schema: "x",
    allOf: [object({ a: { type: "string" } }), object({ b: { const: "k" } })],
    if: {},
    examples: [],
  });
  expect(merged).toEqual({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string", enum: ["k"], description: '(const: "k")' } },
    required: ["a", "b"],
  });
});

test("Gemini: nothing stands beside a reference, old definitions get their new name, unknown formats are said in words", () => {
  const schema: any = toGoogleSchema({
    ...object({
      r: { $ref: "#/definitions/d", description: "A d." },
      s: { allOf: [{ $ref: "#/definitions/d" }], title: "S" },
      u: { type: "string", format: "uri" },
      t: { type: "string", format: "date-time" },
    }),
    definitions: { d: { type: "string" } },
  });
  expect([schema.properties, schema.$defs, schema.definitions]).toEqual([
    {
      r: { $ref: "#/$defs/d" },
      s: { $ref: "#/$defs/d" },
      u: { type: "string", description: '(format: "uri")' },
      t: { type: "string", format: "date-time" },
    },
    { d: { type: "string" } },
    undefined,
  ]);
});
