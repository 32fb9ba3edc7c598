/** A schema that a model has refused is not sent to it again, as an agent's or a pipeline's would be with each call; others are. */

import { expect, test } from "bun:test";
import type { ChatRequest } from "../../../src/providers/provider.ts";
import { bodiesAfter, GOOD, withOtherSchemas } from "../../support/bodies-after.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../../support/chat-provider.ts";
import { json, sse, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const schema = { type: "object", properties: { a: { type: "integer", enum: [1, 2] } }, required: ["a"] };
const tools = [{ name: "f", parameters: schema }];
const outputFormat = { type: "schema" as const, name: "s", schema, strict: false };

const google = (message: string) => ({ error: { code: 400, status: "INVALID_ARGUMENT", message } });
const openai = (message: string) => ({ error: { message, type: "invalid_request_error" } });
const REFUSALS = [
  [
    "google",
    { tools },
    google("* tools[0].function_declarations[0].parameters.properties[a].enum: only allowed for STRING type"),
  ],
  ["google", { outputFormat }, google("The specified schema produces a constraint that has too many states for serving.")],
  ["anthropic", { tools }, openai("tools.0.custom.input_schema: JSON schema is invalid.")],
  ["anthropic", { outputFormat }, openai("Schema is too complex for compilation.")],
  ["openai", { tools }, openai("Invalid schema for function 'f': enum is not a list of texts")],
  ["openai", { outputFormat }, openai("Invalid schema for response_format 's'")],
  ["openai-responses", { tools }, openai("Invalid schema for function 'f': enum is not a list of texts")],
] as const;

for (const [dialect, request, refusal] of REFUSALS)
  test(`${dialect}, ${Object.keys(request)}`, async () => {
    const other = withOtherSchemas(request);
    const requests = [request, other, { ...request, temperature: 0.5 }, other];
    const sent = await bodiesAfter(stub, json(refusal, 400), requests, { dialect, schemaBy: "native" });
    // Without what is told of an enum in words, nothing of it is left in a schema that was changed.
    const isAsGiven = sent.map(
      (body) => JSON.stringify(body).includes('"enum":[1,2]') && !JSON.stringify(body).includes("JSON Schema"),
    );
    expect(isAsGiven).toEqual([true, false, true, false, true]);
  });

test("what a stream is refused says nothing of whole answers", async () => {
  const provider = providerFor("openai", stub.url);
  const request: ChatRequest = { ...askFor("hi"), outputFormat };
  const refusal = json(openai("response_format is not supported with stream"), 400);
  const good = sse([{ choices: [{ index: 0, delta: { content: "{}" }, finish_reason: "stop" }] }, "[DONE]"]);
  stub.seen.length = 0;
  stub.answer(refusal, good, GOOD, good);
  const stream = () => collect(listsOf((take) => provider.streamChat!("m", request, contextWith(), take)));
  await stream();
  await provider.chat!("m", request, contextWith());
  await stream();
  expect(stub.seen.map(({ body }) => "response_format" in body)).toEqual([true, false, true, false]);
});
