/** Tools for Gemini behind a server of this format that copies their schemas into Gemini's older field. */

import { expect, test } from "bun:test";
import { withGeminiParameters } from "../../../src/providers/openai/gemini-parameters.ts";
import { askFor, contextWith, providerFor } from "../../support/chat-provider.ts";
import { stubOpenAi } from "../../support/openai-stub.ts";
import { json } from "../../support/upstream-stub.ts";

const { stub } = stubOpenAi();

const narrowed = (parameters?: Record<string, unknown>): any => {
  const [tool] = withGeminiParameters([{ type: "function", function: { name: "f", parameters } }]);
  return (tool!["function"] as any).parameters;
};

const field = (schema: unknown) => narrowed({ type: "object", properties: { a: schema } }).properties.a;

test.each([
  [
    { type: ["string", "null"], description: "A" },
    { type: "string", nullable: true, description: "A" },
  ],
  [
    { type: ["string", "integer"], description: "A" },
    {
      anyOf: [
        { type: "string", description: "A" },
        { type: "integer", description: "A" },
      ],
    },
  ],
  [
    { anyOf: [{ type: "integer", exclusiveMinimum: 0 }, { type: "null" }], default: null },
    { type: "integer", nullable: true, description: "(exclusiveMinimum: 0)" },
  ],
  [
    { oneOf: [{ const: "x" }, { type: "array", minItems: 1 }] },
    {
      anyOf: [
        { type: "string", enum: ["x"] },
        { type: "array", items: { type: "string" }, description: "(minItems: 1)" },
      ],
    },
  ],
  [{ enum: ["x", "y", null] }, { type: "string", enum: ["x", "y"], nullable: true }],
  [
    { type: "integer", enum: [0, 1] },
    { type: "integer", description: "(enum: [0,1])" },
  ],
  [{ const: true }, { type: "boolean", description: "(enum: [true])" }],
  [{ const: "x" }, { type: "string", enum: ["x"] }],
  [{}, { type: "string" }],
  [true, { type: "string" }],
  [{ type: "null" }, { type: "null" }],
  [{ type: "array" }, { type: "array", items: { type: "string" } }],
  [
    { type: "array", items: [{ type: "number" }, { type: "string" }] },
    { type: "array", items: { type: "number" } },
  ],
  [
    { properties: { type: { format: "uri", type: "string" } }, required: ["type", "lost"], additionalProperties: false },
    { type: "object", properties: { type: { type: "string", description: '(format: "uri")' } }, required: ["type"] },
  ],
])("a field in the terms of Gemini's older schemas: %j", (schema, expected) => expect(field(schema)).toEqual(expected));

test("references are replaced by what they refer to, and what contains itself ends as an object", () => {
  const tree = { type: "object", properties: { next: { $ref: "#/$defs/tree" }, at: { $ref: "#/$defs/place" } } };
  const { $defs, properties } = narrowed({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { root: { $ref: "#/$defs/tree" } },
    $defs: { tree, place: { type: "number", minimum: 1 } },
  });
  expect($defs).toBeUndefined();
  expect(properties.root.properties.at).toEqual({ type: "number", description: "(minimum: 1)" });
  expect(properties.root.properties.next).toEqual({ type: "object", properties: {} });
});

test("a tool without parameters has no schema", () => {
  for (const nothing of [undefined, {}, { type: "object", properties: {} }]) expect(narrowed(nothing)).toBeUndefined();
});

const REFUSED =
  "Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Proto field is not repeating, cannot start list.";

test.each([
  ["Google's own words", { error: { code: 400, message: REFUSED, status: "INVALID_ARGUMENT" } }, true],
  ["a relay's", { error: { message: `Error from provider: ${REFUSED}`, type: "upstream_error" } }, true],
  ["OpenRouter's", { error: { message: "Provider returned error", code: 400, metadata: { raw: REFUSED } } }, false],
])(
  "schemas are narrowed once they are refused, and for good unless another server may take the next call (%s)",
  async (_of, refusal, isLearned) => {
    const tools = [{ name: "f", parameters: { type: "object", properties: { a: { type: ["string", "null"] } } } }];
    const provider = providerFor("openai", stub.url);
    stub.seen.length = 0;
    stub.answer(json(refusal, 400), json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }));
    for (let turn = 0; turn < 2; turn++) await provider.chat!("m", { ...askFor("hi"), tools }, contextWith());
    const sent = stub.seen.map(({ body }) => body.tools[0].function.parameters.properties.a);
    const narrow = { type: "string", nullable: true };
    expect(sent).toEqual([tools[0]!.parameters.properties.a, narrow, isLearned ? narrow : tools[0]!.parameters.properties.a]);
  },
);
