/** Tools' parameters in the few terms that all servers know. */

import { expect, test } from "bun:test";
import { toNarrowParameters } from "../../../src/providers/dialect/narrow-parameters.ts";

const field = (schema: unknown): unknown =>
  (toNarrowParameters({ type: "object", properties: { a: schema } })["properties"] as any).a;

const TEXT = { type: "string" };
const ANY = [
  { type: "string" },
  { type: "number" },
  { type: "boolean" },
  { type: "object" },
  { type: "array", items: { type: "string" } },
];

test.each([
  [{ type: ["string", "null"], description: "A" }, { anyOf: [{ type: "string", description: "A" }, { type: "null" }] }],
  [
    { anyOf: [{ type: "integer", exclusiveMinimum: 0 }, { type: "null" }], default: null, description: "A" },
    { anyOf: [{ type: "integer", description: "A (default: null) (exclusiveMinimum: 0)" }, { type: "null" }] },
  ],
  [
    { type: "object", anyOf: [{ const: "x" }, { type: "array", items: TEXT, minItems: 1 }] },
    {
      anyOf: [
        { type: "string", enum: ["x"] },
        { type: "array", items: TEXT, description: "(minItems: 1)" },
      ],
    },
  ],
  [
    { anyOf: [{ anyOf: [{ type: "string" }, { type: "number" }] }, { type: "null" }], description: "A" },
    { anyOf: [{ type: "string", description: "A" }, { type: "number" }, { type: "null" }] },
  ],
  [{ enum: ["x", "y", null] }, { anyOf: [{ type: "string", enum: ["x", "y"] }, { type: "null" }] }],
  [
    { type: "integer", enum: [0, 1] },
    { type: "integer", description: "(enum: [0,1])" },
  ],
  [
    { type: "string", enum: ["x", ""], description: "A" },
    { type: "string", description: 'A (enum: ["x",""])' },
  ],
  [{ const: true }, { type: "boolean", description: "(enum: [true])" }],
  [
    { type: "string", pattern: "\\d$", not: {} },
    { type: "string", description: '(pattern: "\\\\d$")' },
  ],
  [{ type: "null" }, { type: "null" }],
  [{ type: "any" }, { anyOf: ANY }],
  [
    { type: "integer", minimum: 0, exclusiveMinimum: true, required: true },
    { type: "integer", description: "(minimum: 0, exclusiveMinimum: true)" },
  ],
  [
    { type: "array", items: [{ type: "number" }, { type: "string" }] },
    { type: "array", items: { type: "number" } },
  ],
  [{ items: { type: "number" } }, { type: "array", items: { type: "number" } }],
  [{ type: "array" }, { type: "array", items: { anyOf: ANY } }],
  [{ description: "A" }, { anyOf: [{ type: "string", description: "A" }, ...ANY.slice(1)] }],
  [true, { anyOf: ANY }],
  [{ type: "object", properties: {}, additionalProperties: { type: "string" } }, { type: "object" }],
  [
    { properties: { type: { format: "uri", type: "string" } }, required: ["type", "lost"], additionalProperties: false },
    { type: "object", properties: { type: { type: "string", description: '(format: "uri")' } }, required: ["type"] },
  ],
])("a field in few terms: %j", (schema, expected) => expect(field(schema)).toEqual(expected));

test("references are replaced by what they refer to, and what contains itself ends as an object", () => {
  const tree = { type: "object", properties: { next: { $ref: "#/$defs/tree" }, at: { $ref: "#/$defs/place" } } };
  const { $defs, properties }: any = toNarrowParameters({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { root: { $ref: "#/$defs/tree" } },
    $defs: { tree, place: { type: "number", minimum: 1 } },
  });
  expect($defs).toBeUndefined();
  expect(properties.root.properties.at).toEqual({ type: "number", description: "(minimum: 1)" });
  expect(properties.root.properties.next).toEqual({ type: "object" });
  expect(toNarrowParameters({})).toEqual({ type: "object", properties: {} });
  const lost = { $ref: "#/$defs/lost", properties: { a: true } };
  expect(toNarrowParameters(lost)).toEqual({ type: "object", properties: { a: { anyOf: ANY } } });
});
