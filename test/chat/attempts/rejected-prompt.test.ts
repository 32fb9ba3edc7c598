/** A prompt that a provider's safety system rejects: shown to one other provider, then refused (decisions §4). An answer that was stopped is an answer. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { type Answer, json, sse, upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { completion } from "../../support/vendor-answers.ts";

const google = upstreamStubOfFile();
const openai = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: {
    GEMINI_API_KEY: "AIza-x",
    GEMINI_BASE_URL: google.url,
    OPENAI_API_KEY: "sk-x",
    OPENAI_BASE_URL: `${openai.url}/v1`,
  },
});
const key = await gateway.key({ mode: "live" });

const BLOCKED = {
  promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
  usageMetadata: { promptTokenCount: 1_000, totalTokenCount: 1_000 },
};
const STOPPED = {
  candidates: [{ content: { role: "model", parts: [{ text: "The Elbe" }] }, finishReason: "SAFETY" }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
};
const REJECTED = {
  error: { message: "Your prompt was flagged.", code: "content_policy_violation", type: "invalid_request_error" },
};
const delta = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

/** In the form that was asked for. */
const says =
  (frame: object): Answer =>
  (request) =>
    (request.path.includes("stream") ? sse([frame], { done: false }) : json(frame))(request);

const ask = (stream: boolean, more: object = {}) =>
  gateway.send(key, "POST", "/v1/chat/completions", {
    model: "gemini-2.5-flash",
    messages: [{ role: "user", content: "Name a river in Germany." }],
    stream,
    ...more,
  });
const attemptsOf = async (callId: string | null): Promise<any[]> => {
  const log: any = await (await gateway.send(key, "GET", `/v1/logs/${callId}`)).json();
  return log.execution.attempts;
};

for (const stream of [false, true]) {
  const how = stream ? "streamed" : "whole";

  test(`${how}: a blocked prompt that nobody else may be shown is 400, and what the provider states is billed`, async () => {
    google.answer(says(BLOCKED));
    const response = await ask(stream);
    const { error }: any = await response.json();
    expect([response.status, error.type, error.param]).toEqual([400, "content_policy_violation", "messages"]);
    const [attempt, ...others] = await attemptsOf(response.headers.get("x-svc-request-id"));
    expect(others).toEqual([]);
    // 1,000 tokens at 0.30 USD a million.
    expect([attempt.success, attempt.cost_usd]).toEqual([false, 0.0003]);
  });

  test(`${how}: another provider may answer it`, async () => {
    google.answer(says(BLOCKED));
    openai.answer(
      stream ? sse([delta("The Elbe flows through Dresden."), delta("", "stop")]) : completion("The Elbe flows through Dresden."),
    );
    const response = await ask(stream, { allow_fallback: true });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("The Elbe flows through Dresden.");
    expect(openai.seen.length).toBe(1);
  });

  test(`${how}: what two reject is refused`, async () => {
    google.answer(says(BLOCKED));
    openai.answer(json(REJECTED, 400));
    const response = await ask(stream, { allow_fallback: true });
    expect([response.status, ((await response.json()) as any).error.type]).toEqual([400, "content_policy_violation"]);
    expect(openai.seen.length).toBe(1);
  });

  test(`${how}: an answer that was stopped is an answer that says so`, async () => {
    google.answer(says(STOPPED));
    const response = await ask(stream);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('"finish_reason":"content_filter"');
    expect(text).toContain("The Elbe");
  });
}
