/** What a model of Gemini's refuses is left out, and the call goes through. */

import { expect, test } from "bun:test";
import type { ChatMessage, ChatRequest } from "../../../src/providers/provider.ts";
import { bodiesAfter, withOtherSchemas } from "../../support/bodies-after.ts";
import { json, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const bodiesOf = (messages: string[], requests: Partial<ChatRequest>[]): Promise<any[]> =>
  bodiesAfter(
    stub,
    messages.map((message) => json({ error: { code: 400, status: "INVALID_ARGUMENT", message } }, 400)),
    requests,
    { dialect: "google", thinking: "level" },
  );
const refusedWith = (messages: string[], request: Partial<ChatRequest>, times = 1): Promise<any[]> =>
  bodiesOf(messages, Array(times).fill(request));

test("a thinking level the model does not know is left out, and the call goes through", async () => {
  const bodies = await refusedWith(["Thinking level MINIMAL is not supported for this model."], { reasoningEffort: "none" });
  expect(bodies.map(({ generationConfig }) => generationConfig)).toEqual([
    { maxOutputTokens: 100, thinkingConfig: { thinkingLevel: "minimal" } },
    { maxOutputTokens: 100 },
  ]);
});

test("a schema of the answer of which a part is not taken is put into the prompt", async () => {
  const schema = { type: "object", properties: { a: {} } };
  const refusal = "* GenerateContentRequest.generation_config.response_json_schema.properties[a].type: must be specified";
  const bodies = await refusedWith([refusal], { outputFormat: { type: "schema", name: "s", schema, strict: false } });
  expect(bodies.map(({ generationConfig }) => generationConfig.responseMimeType)).toEqual(["application/json", undefined]);
  expect(JSON.stringify(bodies[1].systemInstruction)).toContain("properties");
});

test("a thinking budget beyond the model's range is left out", async () => {
  const refusal = "The thinking budget 50000 is invalid. Please choose a value between 512 and 24576.";
  const bodies = await refusedWith([refusal], { reasoningEffort: "high" });
  expect(bodies.map(({ generationConfig }) => "thinkingConfig" in generationConfig)).toEqual([true, false]);
});

test("penalties that are refused by their family name are left out together", async () => {
  const bodies = await refusedWith(["Penalty is not enabled for models/m"], { presencePenalty: 1, frequencyPenalty: 1 });
  expect(bodies.at(-1).generationConfig).toEqual({ maxOutputTokens: 100 });
});

test("a value beyond the model's range is left out, for that call", async () => {
  const range = "but the supported range is from 1 (inclusive) to 41 (exclusive). Update the value and try again.";
  const refusal = `Unable to submit request because it has a topK value of 100 ${range}`;
  for (const words of [refusal, "Invalid value at 'generation_config.top_k' (TYPE_INT32), 100"]) {
    const bodies = await refusedWith([words], { topK: 100, temperature: 0.5 }, 2);
    expect(bodies.map(({ generationConfig: { topK, temperature } }) => [topK, temperature])).toEqual([
      [100, 0.5],
      [undefined, 0.5],
      [100, 0.5],
    ]);
  }
});

test("a bound beyond what a model can write is lowered to it, in later calls at once", async () => {
  const range = "but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.";
  const refusal = `Unable to submit request because it has a maxOutputTokens value of 20000 ${range}`;
  const bodies = await refusedWith([refusal], { maxOutputTokens: 20_000 }, 2);
  expect(bodies.map(({ generationConfig }) => generationConfig.maxOutputTokens)).toEqual([20_000, 8_192, 8_192]);
});

test("an unknown thinking level says nothing of the next call's", async () => {
  const bodies = await refusedWith(
    ["Thinking level MINIMAL is not supported for this model."],
    { reasoningEffort: "minimal" },
    2,
  );
  expect(bodies.map(({ generationConfig }) => generationConfig.thinkingConfig?.thinkingLevel)).toEqual([
    "minimal",
    undefined,
    "minimal",
  ]);
});

test("a format that is refused beside tools is asked for in the prompt, for that call", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const request = { tools: [{ name: "f" }], outputFormat: { type: "schema" as const, name: "s", schema, strict: true } };
  const message = "Function calling with a response mime type: 'application/json' is unsupported";
  const bodies = await bodiesOf([message], [request, withOtherSchemas(request)]);
  expect(bodies.map(({ generationConfig }) => Object.keys(generationConfig))).toEqual([
    ["maxOutputTokens", "responseMimeType", "responseJsonSchema"],
    ["maxOutputTokens"],
    ["maxOutputTokens", "responseMimeType", "responseJsonSchema"],
  ]);
  expect(bodies[1].systemInstruction.parts[0].text).toContain('{"type":"object"');
});

test("a schema that is too much for a grammar is asked for in the prompt, for that call", async () => {
  const outputFormat = { type: "schema" as const, name: "s", schema: { type: "object" }, strict: true };
  const message = "The specified schema produces a constraint that has too many states for serving.";
  const bodies = await bodiesOf([message], [{ outputFormat }, withOtherSchemas({ outputFormat })]);
  expect(bodies.map(({ generationConfig }) => "responseJsonSchema" in generationConfig)).toEqual([true, false, true]);
});

test.each([
  "Developer instruction is not enabled for models/m",
  `Invalid JSON payload received. Unknown name "systemInstruction": Cannot find field.`,
])(
  "without a system text the model hears it from the user, also what it has to hear because a format was refused (%s)",
  async (refusal) => {
    const messages: ChatMessage[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
    ];
    const bodies = await refusedWith(
      [refusal, "JSON mode is not enabled for this model"],
      { messages, outputFormat: { type: "json" } },
      2,
    );
    for (const { systemInstruction, contents } of bodies.slice(-2)) {
      expect([systemInstruction, contents.length, contents[0].role]).toEqual([undefined, 1, "user"]);
      expect(contents[0].parts.map(({ text }: any) => text)).toEqual(["Be brief.", expect.stringContaining("JSON"), "hi"]);
    }
    expect(bodies.length).toBe(4);
  },
);

test("a tool's schema that is refused is sent in few terms, for that call", async () => {
  const of = "GenerateContentRequest.tools[0].function_declarations[0].parameters";
  const parameters = { type: "object", properties: { a: { type: "integer", enum: [1, 2] } } };
  for (const field of [of, `${of}_json_schema`]) {
    const refusal = `* ${field}.properties[a].enum: only allowed for STRING type`;
    const request = { tools: [{ name: "f", parameters }] };
    const bodies = await bodiesOf([refusal], [request, withOtherSchemas(request)]);
    expect(bodies.map(({ tools }) => tools[0].functionDeclarations[0].parametersJsonSchema.properties.a)).toEqual([
      { type: "integer", enum: [1, 2] },
      { type: "integer", description: "(enum: [1,2])" },
      { type: "integer", enum: [1, 2] },
    ]);
  }
});
