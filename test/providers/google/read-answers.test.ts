/** What Gemini's frames say, streamed or whole: each test is a rule of the wire or a lesson somebody paid for. */

import { expect, test } from "bun:test";
import { askFor, collect, contextWith, listsOf, providerFor } from "../../support/chat-provider.ts";
import { json, text, upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { answersOf, calls, end, frame } from "./ask-gemini.ts";

const stub = upstreamStubOfFile();
const { streamed, whole } = answersOf(stub);

test("parallel calls, in one frame and over several, are counted over the stream", async () => {
  const call = (name: string) => ({ functionCall: { name, args: { n: name } } });
  const all = await streamed([frame([call("a"), call("b")]), frame([call("c")]), end]);
  expect(calls(all)).toEqual([
    ["a", '{"n":"a"}'],
    ["b", '{"n":"b"}'],
    ["c", '{"n":"c"}'],
  ]);
  expect(all.finishReason).toBe("tool_calls");
});

test("a call whose last piece never comes is closed by the next call or the end", async () => {
  const open = (name: string) => frame([{ functionCall: { name, willContinue: true } }]);
  const piece = (value: object) => frame([{ functionCall: { partialArgs: [value], willContinue: true } }]);
  const all = await streamed([
    open("a"),
    piece({ jsonPath: "$.x[1].y", numberValue: 2 }),
    open("b"),
    piece({ jsonPath: "$.z", boolValue: false }),
    end,
  ]);
  expect(calls(all)).toEqual([
    ["a", '{"x":[null,{"y":2}]}'],
    ["b", '{"z":false}'],
  ]);
});

test("a call in pieces is whole in an answer, too, which may be a list of frames", async () => {
  const piece = (call: object, more: object = {}) => frame([{ functionCall: call }], more);
  const all = await whole([
    piece({ name: "a", willContinue: true }),
    piece({ partialArgs: [{ jsonPath: "$.x", stringValue: "one ", willContinue: true }], willContinue: true }),
    piece({ partialArgs: [{ jsonPath: "$.x", stringValue: "two" }] }, { finishReason: "STOP" }),
  ]);
  expect(calls(all)).toEqual([["a", '{"x":"one two"}']]);
  expect(all.finishReason).toBe("tool_calls");
});

test("thoughts are reasoning, and their tokens are output beside the candidates'", async () => {
  const usageMetadata = {
    promptTokenCount: 10,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 7,
    toolUsePromptTokenCount: 3,
    totalTokenCount: 25,
  };
  const all = await streamed([frame([{ text: "hm", thought: true }, { text: "ok" }]), { ...end, usageMetadata }]);
  expect([all.reasoning, all.text]).toEqual(["hm", "ok"]);
  expect(all.usage).toEqual({ input: 9, cacheRead: 4, cacheWrite: 0, output: 5, reasoning: 7 });
});

test("thoughts that one variant folds into the candidates' count are not counted twice", async () => {
  const result = await whole({
    ...end,
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 12, thoughtsTokenCount: 7, totalTokenCount: 22 },
  });
  expect([result.usage.output, result.usage.reasoning]).toEqual([5, 7]);
});

test("the total tells the candidates' tokens where they are not counted", async () => {
  const usageMetadata = { promptTokenCount: 10, thoughtsTokenCount: 7, totalTokenCount: 22 };
  expect((await whole({ ...end, usageMetadata })).usage).toMatchObject({ input: 10, output: 5, reasoning: 7 });
});

test("the last running usage counts, and metadata without counts is no usage", async () => {
  const all = await streamed([
    { ...frame([{ text: "a" }]), usageMetadata: { trafficType: "X" } },
    { ...frame([{ text: "b" }]), usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 } },
    { ...end, usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 } },
  ]);
  expect(all.events.filter(({ type }) => type === "usage").length).toBe(2);
  expect(all.usage?.output).toBe(2);
});

test("a blocked prompt is no answer: a rejection that is billed as stated, streamed or not", async () => {
  const blocked = {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
  };
  const rejection = {
    kind: "content_filter",
    details: { accepted: true, usage: { input: 9, output: 0 }, upstreamMessage: "PROHIBITED_CONTENT" },
  };
  await expect(whole(blocked)).rejects.toMatchObject(rejection);
  await expect(streamed([blocked])).rejects.toMatchObject(rejection);
});

test("an answer that is blocked once it has begun is a filtered answer", async () => {
  const frames = [frame([{ text: "It " }]), { promptFeedback: { blockReason: "OTHER" } }];
  const all = await streamed(frames);
  expect([all.text, all.finishReason]).toEqual(["It ", "content_filter"]);
  const result = await whole(frames);
  expect([result.text, result.finishReason]).toEqual(["It ", "content_filter"]);
});

for (const reason of [
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "LANGUAGE",
  "IMAGE_SAFETY",
  "MODEL_ARMOR",
  "ESCALATION",
]) {
  test(`${reason} ends as filtered`, async () => {
    expect((await whole(frame([], { finishReason: reason }))).finishReason).toBe("content_filter");
  });
}

test.each(["MALFORMED_FUNCTION_CALL", "MISSING_THOUGHT_SIGNATURE", "IMAGE_OTHER", "PUP_LIMITED_DISABLED"])(
  "%s is a failed attempt that is billed",
  async (finishReason) => {
    const failed = {
      ...frame([], { finishReason }),
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 },
    };
    await expect(whole(failed)).rejects.toMatchObject({
      kind: "server",
      retryable: true,
      details: { accepted: true, usage: { input: 5, output: 2 } },
    });
    await expect(streamed([failed])).rejects.toMatchObject({ kind: "server", details: { usage: { input: 5 } } });
  },
);

test("a candidate without content that ran into its bound is an empty text cut short", async () => {
  const result = await whole({ candidates: [{ finishReason: "MAX_TOKENS" }] });
  expect([result.text, result.finishReason]).toEqual(["", "length"]);
});

test("an answer that the vendor ends at its own bound for one request is cut short", async () => {
  const all = await streamed([frame([{ text: "a" }], { finishReason: "CONTINUATION", continuationToken: "t" })]);
  expect([all.text, all.finishReason]).toEqual(["a", "length"]);
});

test("a block reason that is the default blocks nothing", async () => {
  const promptFeedback = { blockReason: "BLOCK_REASON_UNSPECIFIED" };
  expect((await whole({ ...frame([{ text: "a" }], { finishReason: "STOP" }), promptFeedback })).finishReason).toBe("stop");
  expect((await streamed([{ promptFeedback }, frame([{ text: "a" }]), end])).text).toBe("a");
});

test("a stream without a finish reason is truncated, an answer without candidates a failure", async () => {
  await expect(streamed([frame([{ text: "a" }])])).rejects.toMatchObject({ kind: "truncated" });
  const unspecified = { finishReason: "FINISH_REASON_UNSPECIFIED" };
  await expect(streamed([frame([{ text: "a" }], unspecified)])).rejects.toMatchObject({ kind: "truncated" });
  expect((await streamed([frame([{ text: "a" }], unspecified), end])).finishReason).toBe("stop");
  await expect(whole({ usageMetadata: { promptTokenCount: 1 } })).rejects.toMatchObject({ kind: "server" });
});

test("an error frame after status 200 is a failure", async () => {
  await expect(
    streamed([frame([{ text: "a" }]), { error: { code: 503, status: "UNAVAILABLE", message: "overloaded" } }]),
  ).rejects.toMatchObject({ kind: "overloaded" });
});

test("an error that stands in the stream without being an event is told as what it is", async () => {
  const error = JSON.stringify({ error: { code: 503, status: "UNAVAILABLE", message: "high demand" } }, undefined, 2);
  const asked = (body: string) => {
    stub.answer(text(body, 200, "text/event-stream"));
    return collect(listsOf((take) => providerFor("google", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)));
  };
  const begun = `data: ${JSON.stringify(frame([{ text: "a" }]))}\r\n\r\n`;
  for (const body of [error, `\r\n${error}\n`, `${begun}\r\n${error}\n`])
    await expect(asked(body)).rejects.toMatchObject({ kind: "overloaded" });
});

test("counts without the prompt's are usage all the same, and later frames that leave it out do not take it back", async () => {
  const counted = { ...end, usageMetadata: { candidatesTokenCount: 18, thoughtsTokenCount: 58 } };
  stub.answer(json(counted));
  const result = await providerFor("google", stub.url).chat!("m", askFor("hi"), contextWith());
  expect(result.usage).toEqual({ input: 0, cacheRead: 0, cacheWrite: 0, output: 18, reasoning: 58 });
  const all = await streamed([{ ...end, usageMetadata: { promptTokenCount: 7 } }, counted]);
  expect(all.usage).toMatchObject({ input: 7, output: 18, reasoning: 58 });
});

test("a second candidate that nobody asked for is not mixed into the first", async () => {
  const second = { index: 1, content: { parts: [{ text: "b" }] }, finishReason: "MAX_TOKENS" };
  const first = (text: string, finishReason?: string) => ({
    content: { parts: [{ text }] },
    ...(finishReason && { finishReason }),
  });
  const all = await streamed([
    { candidates: [second, first("a")] },
    { candidates: [second] },
    { candidates: [first("c", "STOP")] },
  ]);
  expect([all.text, all.finishReason]).toEqual(["ac", "stop"]);
  expect((await whole({ candidates: [second, first("a", "STOP")] })).text).toBe("a");
});

test("frames that come as one JSON list are one answer", async () => {
  const part = (text: string) => ({ candidates: [{ content: { parts: [{ text }] } }] });
  stub.answer(json([part("a"), part("b"), end]));
  const all = await collect(
    listsOf((take) => providerFor("google", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)),
  );
  expect([all.text, all.finishReason]).toEqual(["ab", "stop"]);
});
