/** What of a streamed answer may be sent once it is complete. */

import { expect, test } from "bun:test";
import { createKeptText } from "../../../src/chat/output/kept-text.ts";
import { createOutgoing } from "../../../src/chat/output/review-outgoing.ts";
import type { StreamPart } from "../../../src/chat/response/outlet.ts";
import { compileContentPolicies } from "../../../src/policies/content/content-rules.ts";
import { contentPolicy } from "../../policies/policy-of.ts";

test("other calls are served while the arguments of a long tool call are reviewed", async () => {
  const rules = compileContentPolicies([contentPolicy({ pii_detection: { enabled: true, action: "redact" } })]);
  const outgoing = createOutgoing(rules, { text: createKeptText(), toolCalls: [] });
  const filler = "The harbour was quiet. ".repeat(20_000);
  outgoing.push({ type: "tool-start", index: 0, id: "c", name: "write" }, []);
  outgoing.push({ type: "tool-arguments", index: 0, text: JSON.stringify({ file: `${filler} ann@example.com` }) }, []);
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

test("thinking that was shown has been sent, and what is not shown has not", () => {
  const thinking = { type: "thinking" as const, text: "Hm." };
  for (const showsThoughts of [true, false]) {
    const outgoing = createOutgoing(undefined, { text: createKeptText(), toolCalls: [] }, showsThoughts);
    const parts: StreamPart[] = [];
    outgoing.push(thinking, parts);
    expect([parts, outgoing.hasSent()]).toEqual([showsThoughts ? [thinking] : [], showsThoughts]);
  }
});
