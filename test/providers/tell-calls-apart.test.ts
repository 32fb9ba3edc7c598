/** Calls of one answer that share an id, from every dialect whose vendors give ids. */

import { expect, test } from "bun:test";
import type { Dialect } from "../../src/catalog/model.ts";
import { splitSignature } from "../../src/providers/dialect/tool-call-ids.ts";
import { askFor, collect, contextWith, listsOf, providerFor } from "../support/chat-provider.ts";
import { type Answer, json, sse, upstreamStubOfFile } from "../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const openAiCalls = [0, 1].map((index) => ({ index, id: "c1", function: { name: "a", arguments: `{"n":${index}}` } }));
const geminiFrame = {
  candidates: [
    {
      content: {
        parts: [0, 1].map((n) => ({ functionCall: { id: "c1", name: "a", args: { n } }, thoughtSignature: `s${n}` })),
      },
      finishReason: "STOP",
    },
  ],
};
const ANSWERS: Partial<Record<Dialect, { whole: Answer; streamed: Answer }>> = {
  openai: {
    whole: json({ choices: [{ message: { tool_calls: openAiCalls }, finish_reason: "tool_calls" }] }),
    streamed: sse([{ choices: [{ delta: { tool_calls: openAiCalls }, finish_reason: "tool_calls" }] }]),
  },
  google: { whole: json(geminiFrame), streamed: sse([geminiFrame], { done: false }) },
};

test.each(Object.entries(ANSWERS))("%s: the second call has an id of its own, whole and streamed", async (dialect, answers) => {
  const provider = providerFor(dialect as Dialect, `${stub.url}/v1`);
  stub.answer(answers.whole, answers.streamed);
  const whole = await provider.chat!("m", askFor("hi"), contextWith());
  const streamed = await collect(listsOf((take) => provider.streamChat!("m", askFor("hi"), contextWith(), take)));
  for (const { toolCalls } of [whole, streamed]) {
    const ids = toolCalls.map(({ id }) => splitSignature(id));
    expect(ids[0]!.id).toBe("c1");
    expect(ids[1]!.id).not.toBe("c1");
    expect(ids.map(({ google }) => google)).toEqual(dialect === "google" ? ["s0", "s1"] : [undefined, undefined]);
    expect(toolCalls.map(({ arguments: text }) => text)).toEqual(['{"n":0}', '{"n":1}']);
  }
});
