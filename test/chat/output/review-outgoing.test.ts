/** What of a streamed answer may be sent once it is complete. */

import { expect, test } from "bun:test";
import { createKeptText } from "../../../src/chat/output/kept-text.ts";
import { createOutgoing } from "../../../src/chat/output/review-outgoing.ts";
import type { StreamPart } from "../../../src/chat/response/outlet.ts";
import { compileContentPolicies } from "../../../src/policies/content/content-rules.ts";
import { contentPolicy } from "../../policies/policy-of.ts";

test("other calls are served while the arguments of a long tool call are reviewed", async () => {
  const rules = compileContentPolicies([contentPolicy({ pii_detection: { enabled: true, action: "redact" } })]);
  const filler = "The harbour was quiet. ".repeat(20_000);
  const call = { id: "c", name: "write", arguments: JSON.stringify({ file: `${filler} ann@example.com` }) };
  const received = { text: createKeptText(), toolCalls: [call] };
  const outgoing = createOutgoing(rules, received, { shows: undefined, mayFlow: () => true });
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const parts = await outgoing.end();
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(8);
  expect(parts).toEqual([
    { type: "tool-start", index: 0, id: "c", name: "write" },
    { type: "tool-arguments", index: 0, text: JSON.stringify({ file: `${filler} [REDACTED]` }) },
  ]);
});

type Shows = Parameters<typeof createOutgoing>[2]["shows"];

/** What is sent after each of two pieces of thinking and of one piece of text, and whether content has been sent by then. */
const sentAfterEach = (shows: Shows, mayFlow = () => false) => {
  const outgoing = createOutgoing(undefined, { text: createKeptText(), toolCalls: [] }, { shows, mayFlow });
  const events = [
    { type: "reasoning" as const, text: "Hm, " },
    { type: "reasoning" as const, text: "yes." },
    { type: "text" as const, text: "Yes." },
  ];
  return events.map((event) => {
    const parts: StreamPart[] = [];
    outgoing.push(event, parts);
    return [...parts.map((part) => "text" in part && `${part.type}: ${part.text}`), outgoing.hasSent()];
  });
};

test("thinking is content where the caller asked for it; else it comes with the content it led to, or not at all", () => {
  const text = ["text: Yes.", true];
  expect(sentAfterEach("as-content")).toEqual([["thinking: Hm, ", true], ["thinking: yes.", true], text]);
  expect(sentAfterEach("before-content")).toEqual([[false], [false], ["thinking: Hm, yes.", ...text]]);
  expect(sentAfterEach(undefined)).toEqual([[false], [false], text]);
});

test("when a stream's headers have gone, thinking waits no longer, and is no content yet", () => {
  let asked = 0;
  const afterFirst = () => ++asked > 1;
  expect(sentAfterEach("before-content", afterFirst)).toEqual([
    [false],
    ["thinking: Hm, ", "thinking: yes.", false],
    ["text: Yes.", true],
  ]);
});
