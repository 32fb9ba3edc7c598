/** What docs/compatibility.md says is ignored: it is taken, and changes nothing. */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

const clientFor = async () => new OpenAI({ apiKey: (await gateway.key()).text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

test("several choices are refused, streamed or not, instead of one being given for them", async () => {
  const client = await clientFor();
  const asked = { model: "auto", n: 2, messages: [{ role: "user" as const, content: "Which planet is the largest?" }] };
  for (const stream of [false, true]) {
    const refusal = await client.chat.completions.create({ ...asked, stream }).catch((error) => error);
    expect(refusal).toBeInstanceOf(OpenAI.BadRequestError);
    expect([refusal.param, refusal.message]).toEqual(["n", expect.stringContaining("`n` must be 1")]);
  }
});

test("log probabilities are not made: the answer is the same as without them", async () => {
  const client = await clientFor();
  const asked = { model: "auto", messages: [{ role: "user" as const, content: "Which planet is the largest?" }] };
  const plain = await client.chat.completions.create(asked);
  const more = await client.chat.completions.create({
    ...asked,
    n: 1,
    logprobs: true,
    top_logprobs: 5,
    logit_bias: { "50256": -100 },
    store: true,
    service_tier: "auto",
  });
  expect(more.choices).toEqual(plain.choices);
  expect(more.choices).toMatchObject([{ index: 0, logprobs: null, finish_reason: "stop" }]);
  expect(more.usage).toEqual(plain.usage!);
});

type Named = { svc: { ignored_parameters?: string[] } };
const namedIn = (answer: unknown) => (answer as Named).svc.ignored_parameters;

test("what has no effect is named, also within a field that has; what asks for nothing is not", async () => {
  const client = await clientFor();
  const chat = { model: "auto", messages: [{ role: "user" as const, content: "Which planet is the largest?" }] };
  const asked = {
    logprobs: true,
    prediction: { type: "content", content: "Jupiter" },
    stream_options: { include_obfuscation: true },
  };
  const nothing = { store: false, service_tier: null, modalities: [], cache_control: { type: "ephemeral" } };
  expect(namedIn(await client.chat.completions.create({ ...chat, ...asked, ...nothing } as never))).toEqual([
    "logprobs",
    "prediction",
    "stream_options.include_obfuscation",
  ]);
  expect(namedIn(await client.chat.completions.create({ ...chat, ...nothing } as never))).toBeUndefined();
  const response = {
    model: "auto",
    input: "Which planet is the largest?",
    reasoning: { effort: "low", generate_summary: "auto" },
  } as const;
  expect(
    namedIn(await client.responses.create({ ...response, text: { format: { type: "text" } }, truncation: "auto", include: [] })),
  ).toEqual(["reasoning.generate_summary", "truncation"]);
});

test("citations that are asked for of a document are named, where it stands", async () => {
  const anthropic = new Anthropic({ apiKey: (await gateway.key()).text, baseURL: gateway.url, maxRetries: 0 });
  const source = { type: "text", media_type: "text/plain", data: "Jupiter is the largest planet." } as const;
  const ask = (enabled: boolean) =>
    anthropic.messages.create({
      model: "auto",
      max_tokens: 50,
      messages: [{ role: "user", content: [{ type: "document", source, citations: { enabled } }] }],
    });
  expect(namedIn(await ask(true))).toEqual(["messages.0.content.0.citations"]);
  expect(namedIn(await ask(false))).toBeUndefined();
});

test("a file that is named by an id is refused with what to do instead, by each API", async () => {
  const key = (await gateway.key()).text;
  const user = (part: object) => [{ role: "user", content: [part] }];
  const asked = [
    ["/v1/chat/completions", { messages: user({ type: "file", file: { file_id: "file-1" } }) }],
    ["/v1/responses", { input: user({ type: "input_file", file_id: "file-1" }) }],
    ["/v1/messages", { max_tokens: 9, messages: user({ type: "image", source: { type: "file", file_id: "file_1" } }) }],
  ] as const;
  for (const [path, body] of asked) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify({ model: "auto", ...body }) };
    const answer = await fetch(`${gateway.url}${path}`, sent);
    const { error } = (await answer.json()) as { error: { message: string; param: string } };
    expect([answer.status, error.param]).toEqual([400, expect.stringMatching(/_data$|source\.data$/)]);
    expect(error.message).toContain("`document_ids`");
  }
});
