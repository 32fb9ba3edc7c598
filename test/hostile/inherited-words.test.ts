/** Words that every object inherits (`constructor`, `__proto__`), where a table is asked for a word that came from outside (safety-notes T5). */

import { expect, test } from "bun:test";
import { dropGoogleParameter } from "../../src/providers/google/drop-parameter.ts";
import { toLanguageCode } from "../../src/providers/media/read-transcription.ts";
import { signIn } from "../support/dashboard.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { json, upstreamStubOfFile } from "../support/upstream-stub.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: {
    OPENAI_API_KEY: "sk-x",
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    ANTHROPIC_API_KEY: "sk-x",
    ANTHROPIC_BASE_URL: upstream.url,
  },
});
const key = await gateway.key();
const live = await gateway.key({ mode: "live" });
const messages = [{ role: "user", content: "Which trains were late?" }];

const WORDS = ["constructor", "toString", "__proto__"];

test("a schema's format is one of the sandbox's own, or none", async () => {
  for (const format of WORDS) {
    const response = await gateway.send(key, "POST", "/v1/chat", { messages, schema: { type: "string", format } });
    expect([format, response.status]).toEqual([format, 200]);
  }
});

test("a reason for the end that nobody knows is an ordinary end", async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 5, input_tokens: 5, output_tokens: 5 };
  const text = "The 8:15 was late by four minutes.";
  for (const word of WORDS) {
    for (const [model, answer] of [
      ["gpt-5.6-terra", { choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: word }], usage }],
      ["claude-haiku-4-5", { content: [{ type: "text", text }], stop_reason: word, usage }],
    ] as const) {
      upstream.answer(json(answer));
      const response = await gateway.send(live, "POST", "/v1/chat", { messages, model });
      const body = (await response.json()) as any;
      expect([word, model, response.status, body.choices?.[0]?.finish_reason]).toEqual([word, model, 200, "stop"]);
    }
  }
});

test("an error that nobody knows by its code is told by its status", async () => {
  for (const word of WORDS) {
    for (const model of ["gpt-5.6-terra", "claude-haiku-4-5"]) {
      upstream.answer(json({ type: "error", error: { type: word, code: word, message: "No." } }, 400));
      const response = await gateway.send(live, "POST", "/v1/chat", { messages, model });
      expect([word, model, response.status]).toEqual([word, model, 400]);
    }
  }
});

test("a parameter or language that nobody knows goes by its own name", () => {
  for (const word of WORDS) {
    const body = { generationConfig: { temperature: 1 } };
    dropGoogleParameter(body, word);
    expect(body).toEqual({ generationConfig: { temperature: 1 } });
    expect(toLanguageCode(word)).toBe(word.toLowerCase());
  }
});

test("a provider may have any name that the dashboard takes", async () => {
  const { operator } = await signIn(gateway);
  const change = { key: "sk-own", base_url: `${upstream.url}/v1` };
  const set = await operator.send("PUT", "/providers/constructor", change);
  expect(set.status).toBe(200);
  const { providers } = (await set.json()) as any;
  expect(providers).toContainEqual(expect.objectContaining({ id: "constructor", configured: true, base_url: change.base_url }));
  expect((await operator.send("DELETE", "/providers/constructor")).status).toBe(200);
  // Without an address it is refused, and leaves nothing behind that would be in the way of others.
  expect((await operator.send("PUT", "/providers/constructor", { key: "sk-own" })).status).toBe(400);
  expect((await operator.send("PUT", "/providers/other", change)).status).toBe(200);
});
