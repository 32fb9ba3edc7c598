/** Tools in the few terms that all servers know, for those that refuse a schema. */

import { expect, test } from "bun:test";
import { withNarrowParameters } from "../../../src/providers/openai/narrow-tools.ts";
import { askFor, contextWith, providerFor } from "../../support/chat-provider.ts";
import { stubOpenAi } from "../../support/openai-stub.ts";
import { json } from "../../support/upstream-stub.ts";

const { stub } = stubOpenAi();

const narrowed = (parameters?: Record<string, unknown>): any => {
  const [tool] = withNarrowParameters([{ type: "function", function: { name: "f", parameters } }]);
  return (tool!["function"] as any).parameters;
};

const field = (schema: unknown) => narrowed({ type: "object", properties: { a: schema } }).properties.a;

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
  [{ enum: ["x", "y", null] }, { anyOf: [{ type: "string", enum: ["x", "y"] }, { type: "null" }] }],
  [
    { type: "integer", enum: [0, 1] },
    { type: "integer", description: "(enum: [0,1])" },
  ],
  [{ const: true }, { type: "boolean", description: "(enum: [true])" }],
  [
    { type: "string", pattern: "\\d$", not: {} },
    { type: "string", description: '(pattern: "\\\\d$")' },
  ],
  [{ type: "null" }, { type: "null" }],
  [
    { type: "array", items: [{ type: "number" }, { type: "string" }] },
    { type: "array", items: { type: "number" } },
  ],
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
  const { $defs, properties } = narrowed({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { root: { $ref: "#/$defs/tree" } },
    $defs: { tree, place: { type: "number", minimum: 1 } },
  });
  expect($defs).toBeUndefined();
  expect(properties.root.properties.at).toEqual({ type: "number", description: "(minimum: 1)" });
  expect(properties.root.properties.next).toEqual({ type: "object" });
  for (const nothing of [undefined, {}]) expect(narrowed(nothing)).toEqual({ type: "object" });
});

const ok = json({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] });
const OF_GEMINI =
  "Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Proto field is not repeating, cannot start list.";
const MFJS =
  "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.a': type is not defined>";
const OF_LLAMA = "JSON schema conversion failed:\nUnrecognized schema: {}";
const OF_FIREWORKS = "JSON Schema not supported: could not understand the instance `{}`.";

test.each([
  ["Gemini", 400, { error: { code: 400, message: OF_GEMINI, status: "INVALID_ARGUMENT" } }, true],
  ["a relay to Gemini", 400, { error: { message: `Error from provider: ${OF_GEMINI}`, type: "upstream_error" } }, true],
  ["OpenRouter", 400, { error: { message: "Provider returned error", code: 400, metadata: { raw: OF_GEMINI } } }, false],
  ["Moonshot", 400, { error: { message: `Invalid request: ${MFJS}`, type: "invalid_request_error" } }, true],
  ["llama.cpp", 400, { error: { code: 400, message: OF_LLAMA, type: "invalid_request_error" } }, false],
  ["llama.cpp's own failure", 500, { error: { code: 500, message: OF_LLAMA, type: "server_error" } }, false],
  ["Fireworks", 400, { error: { message: OF_FIREWORKS, type: "invalid_request_error" } }, false],
])("schemas of tools are narrowed once they are refused (%s)", async (_of, status, refusal, isLearned) => {
  const tools = [{ name: "f", parameters: { type: "object", properties: { a: { type: ["string", "null"] } } } }];
  const provider = providerFor("openai", stub.url);
  stub.seen.length = 0;
  stub.answer(json(refusal, status), ok);
  for (let turn = 0; turn < 2; turn++) await provider.chat!("m", { ...askFor("hi"), tools }, contextWith());
  const sent = stub.seen.map(({ body }) => body.tools[0].function.parameters.properties.a);
  const asGiven = tools[0]!.parameters.properties.a;
  const narrow = { anyOf: [{ type: "string" }, { type: "null" }] };
  expect(sent).toEqual([asGiven, narrow, isLearned ? narrow : asGiven]);
});

test("an answer's schema that no grammar can be made of is asked for in the prompt, and the next one is not", async () => {
  const provider = providerFor("openai", stub.url);
  const format = {
    type: "schema",
    name: "x",
    schema: { type: "object", properties: { a: { not: {} } } },
    strict: false,
  } as const;
  stub.seen.length = 0;
  stub.answer(json({ error: { code: 400, message: OF_LLAMA, type: "invalid_request_error" } }, 400), ok);
  for (let turn = 0; turn < 2; turn++) await provider.chat!("m", { ...askFor("hi"), outputFormat: format }, contextWith());
  expect(stub.seen.map(({ body }) => [body.response_format !== undefined, body.messages.length])).toEqual([
    [true, 1],
    [false, 2],
    [true, 1],
  ]);
});
