/** What the provider itself calls declined is a refusal, whatever words are left of the answer (rule 3). */

import { expect, test } from "bun:test";
import { checkOutput } from "../../src/chat/check-output.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { type ChatResult, noUsage } from "../../src/providers/provider.ts";

const encoder = await loadEncoder();
const check = (result: Partial<ChatResult>) =>
  checkOutput(encoder, {
    request: { messages: [] },
    result: {
      text: "Trains run on rails.",
      toolCalls: [],
      finishReason: "stop",
      usage: noUsage(),
      usageSource: "provider",
      ...result,
    },
    task: "writing",
    prompt: "Tell me about trains.",
  });

test("an answer that a filter cut off, or that is marked as refused", () => {
  expect(check({}).passed).toBe(true);
  for (const declined of [{ finishReason: "content_filter" }, { refusal: "Trains run on rails." }] as const) {
    expect(check(declined)).toMatchObject({ passed: false, failureMode: "refusal", checks: { noRefusal: false } });
  }
});
