/** What tools take, as every vendor takes it. */

import { expect, test } from "bun:test";
import { buildAnthropicRequest } from "../../../src/providers/anthropic/build-request.ts";
import { toToolSchema } from "../../../src/providers/dialect/tool-schema.ts";
import { buildGoogleRequest } from "../../../src/providers/google/build-request.ts";
import { buildOllamaRequest } from "../../../src/providers/ollama/build-request.ts";
import { buildOpenAiRequest } from "../../../src/providers/openai/build-request.ts";
import { buildResponsesRequest } from "../../../src/providers/openai-responses/build-request.ts";
import type { ChatRequest } from "../../../src/providers/provider.ts";

const TEXT = { type: "string" };

test("a tool's schema has an object with fields at its root, and what is one already stays as it is", () => {
  for (const nothing of [
    undefined,
    {},
    { $schema: "x" },
    { type: "object" },
    { type: ["object", "null"] },
    { properties: [], required: null },
  ])
    expect(toToolSchema(nothing)).toEqual({ type: "object", properties: {} });
  const plain = {
    type: "object",
    properties: { a: { anyOf: [TEXT, { type: "null" }] } },
    required: ["a"],
    additionalProperties: false,
  };
  expect(JSON.stringify(toToolSchema(plain))).toBe(JSON.stringify(plain));
});

test("of several objects at the root one is made, with what is required in each; the choice is said in words", () => {
  for (const name of ["anyOf", "oneOf"]) {
    const choice = [
      { type: "object", properties: { kind: { const: "file" }, path: TEXT, depth: TEXT }, required: ["kind", "path"] },
      { type: "object", properties: { kind: { const: "web" }, path: TEXT }, required: ["kind"] },
      { $ref: "#/$defs/third" },
      { type: "null" },
    ];
    const $defs = { third: { properties: { kind: { const: "web" } }, required: ["kind"] } };
    const { description, ...schema }: any = toToolSchema({ [name]: choice, $defs, description: "Where." });
    expect(schema).toEqual({
      type: "object",
      properties: { kind: { anyOf: [{ const: "file" }, { const: "web" }] }, path: TEXT, depth: TEXT },
      required: ["kind"],
      $defs,
    });
    expect(description).toBe(`Where. (${name}: ${JSON.stringify(choice)})`);
  }
});

test("a choice of which fields are given, beside an object's own, leaves these as they are", () => {
  const own = { type: "object", properties: { id: TEXT, route: TEXT, file: TEXT }, required: ["id"] };
  const anyOf = [{ required: ["route"] }, { required: ["file"] }];
  const not = { required: ["route", "file"] };
  expect(toToolSchema({ ...own, anyOf, not })).toEqual({
    ...own,
    description: `(anyOf: ${JSON.stringify(anyOf)}, not: ${JSON.stringify(not)})`,
  });
});

test("parts at the root are put together, and a root that is kept among the definitions is brought there", () => {
  const base = { type: "object", properties: { a: TEXT }, required: ["a"] };
  const $defs = { base };
  expect(toToolSchema({ $ref: "#/$defs/base", $defs })).toEqual({ ...base, $defs });
  expect(toToolSchema({ allOf: [{ $ref: "#/$defs/base" }, { properties: { b: TEXT }, required: ["b"] }], $defs })).toEqual({
    type: "object",
    properties: { a: TEXT, b: TEXT },
    required: ["a", "b"],
    $defs,
  });
  // Generators percent-encode names such as those of generic types, as a URI has to.
  const generic = { "Page<Item>": base };
  expect(toToolSchema({ $ref: "#/$defs/Page%3CItem%3E", $defs: generic })).toEqual({ ...base, $defs: generic });
  expect(toToolSchema({ $ref: "#" })).toMatchObject({ type: "object", properties: {} });
});

test("an array says what it holds, wherever it stands; data that looks like one is left alone", () => {
  const list = { type: "array" };
  const properties = {
    paths: list,
    more: { type: ["array", "null"] },
    rows: { type: "array", items: list },
    kind: { enum: [list] },
  };
  expect(toToolSchema({ type: "object", properties }).properties).toEqual({
    paths: { type: "array", items: {} },
    more: { type: ["array", "null"], items: {} },
    rows: { type: "array", items: { type: "array", items: {} } },
    kind: { enum: [list] },
  });
});

test("a field of any kind, written as true, is one with an empty schema; where a boolean is data or a bound it is left alone", () => {
  const parameters = {
    type: "object",
    properties: {
      any: true,
      rows: { type: "array", items: true },
      either: { anyOf: [TEXT, true] },
      open: { type: "object", additionalProperties: true },
      flag: { type: "boolean", default: true, enum: [true] },
      ofDefinition: { $ref: "#/$defs/any" },
    },
    $defs: { any: true },
    additionalProperties: false,
  };
  expect(toToolSchema(parameters)).toEqual({
    ...parameters,
    properties: {
      ...parameters.properties,
      any: {},
      rows: { type: "array", items: {} },
      either: { anyOf: [TEXT, {}] },
    },
    $defs: { any: {} },
  });
});

test("no vendor is shown a choice at the root", () => {
  const parameters = { anyOf: [{ type: "object", properties: { a: TEXT } }] };
  const request: ChatRequest = { messages: [{ role: "user", content: "hi" }], tools: [{ name: "t", parameters }] };
  const tools = [buildOpenAiRequest, buildResponsesRequest, buildAnthropicRequest, buildGoogleRequest, buildOllamaRequest].map(
    (build) => build("m", request, { stream: false, quirks: {} })["tools"],
  );
  for (const [tool] of tools as any[]) {
    const { parameters: sent = tool.input_schema } = tool.function ?? tool.functionDeclarations?.[0] ?? tool;
    expect(sent ?? tool.functionDeclarations[0].parametersJsonSchema).toMatchObject({ type: "object", properties: { a: TEXT } });
    expect(JSON.stringify(tool)).not.toContain('"anyOf":');
  }
});

test("a large definition is read as often for a thousand references as for ten", () => {
  const readsFor = (references: number, choice: string): number => {
    let reads = 0;
    const counting = <Value extends object>(value: Value): Value =>
      new Proxy(value, {
        ownKeys(target) {
          reads += 1;
          return Reflect.ownKeys(target);
        },
        get(target, name, receiver) {
          if (name === Symbol.iterator) reads += 1;
          return Reflect.get(target, name, receiver);
        },
      });
    const place = { type: "object", properties: counting({ city: { type: "string" } }), required: counting(["city"]) };
    const parts = Array.from({ length: references }, (_, part) => ({ $ref: "#/$defs/Place", title: `Place ${part}` }));
    const { properties, required } = toToolSchema({ $defs: { Place: place }, [choice]: parts });
    expect([properties, required]).toEqual([{ city: { type: "string" } }, ["city"]]);
    return reads;
  };
  for (const choice of ["anyOf", "oneOf", "allOf"]) expect(readsFor(1_000, choice)).toBe(readsFor(10, choice));
});
