/** A schema that a server cannot read is sent again in few terms. */

import { expect, test } from "bun:test";
import { bodiesAfter, withOtherSchemas } from "../../../support/bodies-after.ts";
import { stubOpenAi } from "../../../support/openai-stub.ts";
import { json } from "../../../support/upstream-stub.ts";

const { stub } = stubOpenAi();

const OF_GEMINI =
  "Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Proto field is not repeating, cannot start list.";
const MFJS =
  "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.a': type is not defined>";
const OF_LLAMA = "JSON schema conversion failed:\nUnrecognized schema: {}";
const OF_FIREWORKS = "JSON Schema not supported: could not understand the instance `{}`.";
const OF_XGRAMMAR = "The provided JSON schema contains features not supported by xgrammar.";

test("a schema of the answer of which no grammar can be made is put into the prompt, for that call", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const request = { outputFormat: { type: "schema" as const, name: "s", schema, strict: false } };
  for (const message of [OF_XGRAMMAR, "Failed to convert the grammar from GBNF to Lark: Grammar error: unsupported"]) {
    const bodies = await bodiesAfter(stub, json({ object: "error", message, code: 400 }, 400), [
      request,
      withOtherSchemas(request),
    ]);
    expect(bodies.map((body) => body.response_format?.type)).toEqual(["json_schema", undefined, "json_schema"]);
    expect(bodies[1].messages[0].content).toContain('"properties"');
  }
});

test.each(["openai", "openai-responses"] as const)(
  "%s: an answer's schema that a relay gave to a tool of its own is asked for in the prompt (LiteLLM)",
  async (dialect) => {
    const said = "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12";
    const error = { message: `litellm.BadRequestError: AnthropicException - ${said}`, code: "400" };
    const outputFormat = { type: "schema", name: "s", schema: { type: "any" }, strict: false } as const;
    const bodies = await bodiesAfter(stub, json({ error }, 400), [{ outputFormat }, {}], { dialect });
    const asked = bodies.map((body) => [
      (body.response_format ?? body.text?.format) !== undefined,
      JSON.stringify(body.messages ?? body.input).includes("JSON Schema"),
    ]);
    expect(asked).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  },
);

test.each([
  ["Gemini", 400, { error: { code: 400, message: OF_GEMINI, status: "INVALID_ARGUMENT" } }, true],
  ["a relay to Gemini", 400, { error: { message: `Error from provider: ${OF_GEMINI}`, type: "upstream_error" } }, true],
  ["OpenRouter", 400, { error: { message: "Provider returned error", code: 400, metadata: { raw: OF_GEMINI } } }, false],
  ["Moonshot", 400, { error: { message: `Invalid request: ${MFJS}`, type: "invalid_request_error" } }, true],
  ["llama.cpp", 400, { error: { code: 400, message: OF_LLAMA, type: "invalid_request_error" } }, false],
  ["llama.cpp's own failure", 500, { error: { code: 500, message: OF_LLAMA, type: "server_error" } }, false],
  [
    "DeepSeek",
    400,
    { error: { message: `Invalid schema for function 'f': "^[" is not a "regex"`, code: "invalid_request_error" } },
    false,
  ],
  ["Mistral", 400, { object: "error", message: "Invalid tool schema: {} is not valid under any of the given schemas" }, false],
  ["vLLM", 400, { object: "error", message: OF_XGRAMMAR, type: "BadRequestError", code: 400 }, false],
  ["Fireworks", 400, { error: { message: OF_FIREWORKS, type: "invalid_request_error" } }, false],
])("schemas of tools are narrowed once they are refused (%s)", async (_of, status, refusal, isLearned) => {
  const tools = [{ name: "f", parameters: { type: "object", properties: { a: { type: ["string", "null"] } } } }];
  const bodies = await bodiesAfter(stub, json(refusal, status), [{ tools }, withOtherSchemas({ tools })]);
  const sent = bodies.map((body) => body.tools[0].function.parameters.properties.a);
  const asGiven = tools[0]!.parameters.properties.a;
  const narrow = { anyOf: [{ type: "string" }, { type: "null" }] };
  expect(sent).toEqual([asGiven, narrow, isLearned ? narrow : asGiven]);
});

test("an answer's schema that no grammar can be made of is asked for in the prompt, and the next one is not", async () => {
  const schema = { type: "object", properties: { a: { not: {} } } };
  const outputFormat = { type: "schema", name: "x", schema, strict: false } as const;
  const refusal = json({ error: { code: 400, message: OF_LLAMA, type: "invalid_request_error" } }, 400);
  const sent = await bodiesAfter(stub, refusal, [{ outputFormat }, withOtherSchemas({ outputFormat })]);
  expect(sent.map((body) => [body.response_format !== undefined, body.messages.length])).toEqual([
    [true, 1],
    [false, 2],
    [true, 1],
  ]);
});

test.each(["openai", "openai-responses"] as const)(
  "%s: a strict tool whose schema is refused is sent loose, in few terms",
  async (dialect) => {
    const message = "Invalid schema for function 'f': In context=('properties', 'a'), 'format' is not permitted.";
    const tools = [
      { name: "f", strict: true, parameters: { type: "object", properties: { a: { type: "string", format: "uri" } } } },
    ];
    const error = { message, type: "invalid_request_error", param: "tools[0]", code: "invalid_function_parameters" };
    const bodies = await bodiesAfter(stub, json({ error }, 400), [{ tools }], { dialect });
    const [, again] = bodies.map((body) => body.tools[0].function ?? body.tools[0]);
    expect(again.strict ?? false).toBe(false);
    expect(again.parameters.properties).toEqual({ a: { type: "string", description: '(format: "uri")' } });
  },
);

test.each(["openai", "openai-responses"] as const)(
  "%s: schemas that are too much for Claude's grammar are not enforced, in that call",
  async (dialect) => {
    const message = "Schemas contains too many optional parameters (31), which would make grammar compilation inefficient.";
    const parameters = { type: "object", properties: {}, additionalProperties: false };
    const request = {
      tools: [{ name: "f", strict: true, parameters }],
      outputFormat: { type: "schema", name: "s", schema: parameters, strict: true } as const,
    };
    const refusal = json({ error: { message: "Provider returned error", code: 400, metadata: { raw: message } } }, 400);
    const bodies = await bodiesAfter(stub, refusal, [request, withOtherSchemas(request)], { dialect });
    const enforced = bodies.map((body) => [
      (body.tools[0].function ?? body.tools[0]).strict === true,
      (body.response_format ?? body.text?.format) !== undefined,
      JSON.stringify(body.messages ?? body.input).includes("JSON"),
    ]);
    const asGiven = [true, true, false];
    expect(enforced).toEqual([asGiven, [false, false, true], asGiven]);
  },
);

test("where tools and the answer both have schemas, a grammar that cannot be made of them is asked for in words (llama.cpp, Ollama)", async () => {
  const parameters = { type: "object", properties: { a: { type: "string", maxLength: 100_000 } } };
  const outputFormat = { type: "schema" as const, name: "s", schema: { type: "object" }, strict: true };
  const refused = json(
    { error: { code: 400, message: "Failed to initialize samplers: failed to parse grammar", type: "invalid_request_error" } },
    400,
  );
  const asked = { tools: [{ name: "f", parameters }], outputFormat };
  const sent = await bodiesAfter(stub, refused, [asked, { outputFormat }]);
  const told = sent.map((body) => [body.response_format?.type, body.tools?.[0].function.parameters.properties.a.maxLength]);
  expect(told).toEqual([
    ["json_schema", 100_000],
    [undefined, undefined],
    ["json_schema", undefined],
  ]);
});
