/** What counts towards the bound of a streamed attempt. */

import { expect, test } from "bun:test";
import { count, isFlood, newReceived } from "../../../src/chat/attempts/received.ts";
import type { ChatEvent } from "../../../src/providers/provider.ts";

const LONG = "x".repeat(1_000);

test.each<ChatEvent>([
  { type: "text", text: LONG },
  { type: "refusal", text: LONG },
  { type: "reasoning", text: LONG },
  { type: "thinking", text: LONG },
  { type: "thought", thought: { redacted: LONG } },
  { type: "tool-start", index: 0, id: "c1", name: LONG },
  { type: "tool-arguments", index: 0, text: LONG },
])("$type in endless numbers is a flood, a few of them are not", (event) => {
  const sent = { promptTokens: 1, mostOutputTokens: 100 };
  const received = newReceived();
  count(received, event);
  expect(isFlood(received, sent)).toBe(false);
  for (let times = 0; times < 20; times++) count(received, event);
  expect(isFlood(received, sent)).toBe(true);
});

test.each<[string, ChatEvent]>([
  ["text", { type: "text", text: LONG }],
  ["arguments", { type: "tool-arguments", index: 0, text: LONG }],
  ["calls", { type: "tool-start", index: 0, id: "c1", name: "f" }],
])("%s without end are a flood even where no ceiling bounds the answer", (_, event) => {
  const sent = { promptTokens: 1, mostOutputTokens: Number.MAX_SAFE_INTEGER };
  const received = newReceived();
  for (let times = 0; times < 10_000; times++) count(received, event);
  expect(isFlood(received, sent)).toBe(false);
  for (let times = 0; times < 200_000; times++) count(received, event);
  expect(isFlood(received, sent)).toBe(true);
});
