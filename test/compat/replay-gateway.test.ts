/** Every recording of a chat answer, through the whole gateway: what the caller gets is what the provider said. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";
import { readSse } from "../support/read-sse.ts";
import { DIALECTS, type Expected, expectedOf, isChatAnswer, WIRE } from "../support/recordings.ts";
import { json, sseBody, startUpstreamStub, stream } from "../support/upstream-stub.ts";

const MODELS: Record<string, string> = {
  openai: "gpt-4o",
  groq: "gpt-oss-120b",
  mistral: "mistral-small-2603",
  deepseek: "deepseek-flash",
  xai: "grok-4.7",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3.8-flash",
};

let stub: ReturnType<typeof startUpstreamStub>;
let gateway: Gateway;
let key: TestKey;

const ask = (vendor: string, streamed: boolean) =>
  gateway.send(key, "POST", "/v1/chat/completions", {
    model: MODELS[vendor],
    messages: [{ role: "user", content: "hi" }],
    stream: streamed,
    ...(streamed && { stream_options: { include_usage: true } }),
  });

const check = (message: { content: string | null; tool_calls?: any[] }, finish: string, usage: any, expected: Expected) => {
  expect(message.content ?? "").toBe(expected.text);
  expect(
    (message.tool_calls ?? []).map(({ function: f }) => ({ name: f.name, arguments: JSON.parse(f.arguments || "{}") })),
  ).toEqual(expected.tools);
  expect(finish).toBe(expected.finish);
  expect(usage).toMatchObject({
    prompt_tokens: expected.prompt,
    completion_tokens: expected.completion,
    total_tokens: expected.prompt + expected.completion,
  });
};

describe.skipIf(!existsSync(WIRE))("recorded traffic through the gateway (skipped where ../shared/data is absent)", () => {
  beforeAll(async () => {
    stub = startUpstreamStub();
    const environment: Record<string, string> = { SIGNALBOX_COOLDOWN_MS: "1" };
    for (const name of ["OPENAI", "GROQ", "MISTRAL", "DEEPSEEK", "XAI"]) {
      environment[`${name}_API_KEY`] = "k";
      environment[`${name}_BASE_URL`] = `${stub.url}/v1`;
    }
    for (const name of ["ANTHROPIC", "GEMINI"]) {
      environment[`${name}_API_KEY`] = "k";
      environment[`${name}_BASE_URL`] = stub.url;
    }
    gateway = await startGateway({ environment });
    key = await gateway.key({ mode: "live" });
  });
  afterAll(async () => {
    await gateway?.stop();
    stub?.stop();
  });

  for (const [vendor, dialect] of Object.entries(DIALECTS)) {
    const files = existsSync(join(WIRE, vendor)) ? readdirSync(join(WIRE, vendor)) : [];
    for (const file of files) {
      const text = readFileSync(join(WIRE, vendor, file), "utf8");
      if (file.endsWith(".json")) {
        const body = JSON.parse(text);
        if (!isChatAnswer(body)) continue;
        test(`${file} is answered as it was recorded`, async () => {
          stub.answer(json(body));
          const response = await ask(vendor, false);
          const answer = (await response.json()) as any;
          expect(response.status).toBe(200);
          check(answer.choices[0].message, answer.choices[0].finish_reason, answer.usage, expectedOf(dialect, [body], file));
        });
      } else {
        const frames = text.split("\n").filter(Boolean);
        test(`${file} streams as it was recorded`, async () => {
          stub.answer(stream([sseBody(frames, { done: dialect === "openai", eventNames: dialect === "anthropic" })]));
          const events = await readSse(await ask(vendor, true));
          const deltas = events.map(({ data }) => data?.choices?.[0]?.delta ?? {});
          const calls: any[] = [];
          for (const call of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
            if (call.id) calls[call.index] = { id: call.id, function: { name: call.function.name, arguments: "" } };
            calls[call.index].function.arguments += call.function.arguments;
          }
          const message = { content: deltas.map((delta) => delta.content ?? "").join(""), tool_calls: calls };
          const final = events.find(({ data }) => data?.choices?.[0]?.finish_reason)?.data;
          const usage = events.find(({ data }) => data?.choices?.length === 0)?.data.usage;
          const parsed = frames.map((frame) => JSON.parse(frame));
          check(message, final?.choices[0].finish_reason, usage, expectedOf(dialect, parsed, file));
          expect(events.at(-1)!.data).toBe("[DONE]");
        });
      }
    }
  }
});
