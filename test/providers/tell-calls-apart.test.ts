/** Calls of one answer that share an id, from every dialect whose vendors give ids. */

import { expect, test } from "bun:test";
import type { Dialect } from "../../src/catalog/model.ts";
import { splitSignature } from "../../src/providers/dialect/tool-call-ids.ts";
import type { ChatEvent } from "../../src/providers/provider.ts";
import { tellCallsApart } from "../../src/providers/tell-calls-apart.ts";
import { askFor, contextWith, providerFor } from "../support/chat-provider.ts";
import { collected, passed } from "../support/stage.ts";
import { json, upstreamStubOfFile } from "../support/upstream-stub.ts";

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
const ANSWERS: Partial<Record<Dialect, object>> = {
  openai: { choices: [{ message: { tool_calls: openAiCalls }, finish_reason: "tool_calls" }] },
  google: geminiFrame,
};

test.each(Object.entries(ANSWERS))("%s: the second call has an id of its own", async (dialect, answer) => {
  stub.answer(json(answer));
  const { toolCalls } = await providerFor(dialect as Dialect, `${stub.url}/v1`).chat!("m", askFor("hi"), contextWith());
  const ids = toolCalls.map(({ id }) => splitSignature(id));
  expect(ids[0]!.id).toBe("c1");
  expect(ids[1]!.id).not.toBe("c1");
  expect(ids.map(({ google }) => google)).toEqual(dialect === "google" ? ["s0", "s1"] : [undefined, undefined]);
  expect(toolCalls.map(({ arguments: text }) => text)).toEqual(['{"n":0}', '{"n":1}']);
});

test("so it has in a stream, whose calls come one after the other", () => {
  const calls = [0, 1].map((index): ChatEvent[] => [{ type: "tool-start", index, id: "c1", name: "look_up" }]);
  const [first, second] = collected(passed(tellCallsApart, calls).told).toolCalls;
  expect(first!.id).toBe("c1");
  expect(second!.id).not.toBe("c1");
});
