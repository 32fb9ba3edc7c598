/** What a stream holds back for a moment, to send less often, is neither lost nor overtaken. */

import { expect, test } from "bun:test";
import type { Svc } from "../../../src/chat/response/completion-schema.ts";
import { createOutlet, type StreamPart } from "../../../src/chat/response/outlet.ts";
import { noUsage } from "../../../src/providers/provider.ts";

const outletFor = (promptTokens: number) =>
  createOutlet(
    {
      requestId: "r",
      createdAtMs: 0,
      model: () => "m",
      promptTokens: () => promptTokens,
      promptUsage: noUsage,
    },
    { part: (part) => (part.type === "text" ? `<${part.text}>` : `<${part.type}>`), failure: () => "<failure>" },
  );
const text = (word: string): StreamPart => ({ type: "text", text: word });
/** Each is a delta of one token. */
const words = (count: number, word = "a"): StreamPart[] => Array.from({ length: count }, () => text(word));
const final: StreamPart = {
  type: "final",
  result: { finishReason: "stop", usage: noUsage() },
  svc: {} as Svc,
};
const read = (outlet: ReturnType<typeof outletFor>) => new Response(outlet.body).text();
const alone = (count: number) => "<a>".repeat(count);

test("after a large prompt sixteen deltas leave as they come, and later ones sixteen at a time", async () => {
  const outlet = outletFor(1_000);
  outlet.send(words(16));
  outlet.send(words(32, "b"));
  outlet.end();
  expect(await read(outlet)).toBe(alone(16) + `<${"b".repeat(16)}>`.repeat(2));
});

test("a delta that is long by itself waits for no others", async () => {
  const outlet = outletFor(1_000);
  const long = "many words at once ".repeat(8);
  outlet.send(words(16));
  outlet.send([text(long), ...words(2, "b")]);
  outlet.end();
  expect(await read(outlet)).toBe(`${alone(16)}<${long}><bb>`);
});

test("after a small prompt five hundred leave as they come", async () => {
  const outlet = outletFor(999);
  outlet.send(words(500));
  outlet.send(words(2, "b"));
  outlet.end();
  expect(await read(outlet)).toBe(`${alone(500)}<bb>`);
});

test("five hundred deltas leave as they come also where the estimate of their letters says more", async () => {
  const outlet = outletFor(999);
  outlet.send(words(500, "tok7 "));
  outlet.send(words(2, "b"));
  outlet.end();
  expect(await read(outlet)).toBe(`${"<tok7 >".repeat(500)}<bb>`);
});

test("what is held leaves before a tool call, before the last part, and before a failure", async () => {
  const called = outletFor(1_000);
  called.send(words(16));
  called.send([...words(3, "b"), { type: "tool-start", index: 0, id: "t", name: "look" }, ...words(2, "c")]);
  called.send([final]);
  called.end();
  expect(await read(called)).toBe(`${alone(16)}<bbb><tool-start><cc><final>`);

  const broken = outletFor(1_000);
  broken.send(words(16));
  broken.send(words(3, "b"));
  broken.fail(new Error("broken off"));
  expect(await read(broken)).toBe(`${alone(16)}<bbb><failure>`);
});

test("what is held leaves by itself where nothing more comes", async () => {
  const outlet = outletFor(1_000);
  outlet.send(words(16));
  outlet.send(words(3, "b"));
  const reader = outlet.body.getReader();
  const decoder = new TextDecoder();
  let seen = "";
  while (!seen.includes("<bbb>")) seen += decoder.decode((await reader.read()).value);
  expect(seen).toBe(`${alone(16)}<bbb>`);
  outlet.abandon();
});
