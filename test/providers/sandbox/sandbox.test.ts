/** The sandbox as a provider: bounds, streams, embeddings. */

import { describe, expect, test } from "bun:test";
import { wordsOf } from "../../../src/providers/sandbox/sandbox.ts";
import { answer, chat, context, encoder, failure, sandbox, stream, textOf, user } from "../../support/ask-sandbox.ts";
import { listsOf } from "../../support/chat-provider.ts";

const FOREST =
  "The Amazon rainforest covers much of the Amazon basin. It is home to about 390 billion trees. Brazil holds 60% of it. " +
  "Scientists warn that the forest may reach a tipping point. Rivers cross it from west to east.";

describe("bounds", () => {
  test("the answer is cut at the token limit, with finish reason length", async () => {
    const { text, finishReason, usage } = await chat(user("Write a story about a fox", { maxOutputTokens: 12 }));
    expect(finishReason).toBe("length");
    expect(usage.output).toBeWithin(10, 13);
    expect(await answer("Write a story about a fox")).toStartWith(text);
  });

  test("reasoning counts against the limit and is reported apart", async () => {
    const { reasoning, usage } = await chat(user("Why is the sky blue?", { reasoningEffort: "low" }));
    expect(reasoning).toBeString();
    expect(usage.reasoning).toBeGreaterThan(0);
    const cut = await chat(user("Why is the sky blue?", { reasoningEffort: "low", maxOutputTokens: usage.reasoning + 3 }));
    expect(cut.usage.reasoning + cut.usage.output).toBeLessThanOrEqual(usage.reasoning + 3);
  });

  test("the answer ends before a stop sequence", async () => {
    expect(await answer("[[sandbox:reply=one END two]]", { stop: ["two", "END"] })).toBe("one ");
  });
});

describe("streams", () => {
  test("carry the same text, calls, usage and finish reason as the whole answer, in word-sized pieces", async () => {
    const request = user(`Summarize: ${FOREST}`);
    const whole = await chat(request);
    const events = await stream(request);
    expect(textOf(events)).toBe(whole.text);
    expect(events.slice(-2)).toEqual([
      { type: "usage", usage: whole.usage },
      { type: "finish", reason: whole.finishReason },
    ]);
    expect(events.filter(({ type }) => type === "text").length).toBeGreaterThan(10);
  });

  test("number tool calls from zero and send their arguments in pieces", async () => {
    const tools = [{ name: "lookup_order", parameters: { type: "object", properties: { query: { type: "string" } } } }];
    const events = await stream(user("Please look at order A-17 for me, it is late.", { tools }));
    const written = events
      .flatMap((event) => (event.type === "tool-arguments" && event.index === 0 ? [event.text] : []))
      .join("");
    expect(events[0]).toMatchObject({ type: "tool-start", index: 0, name: "lookup_order" });
    expect(JSON.parse(written)).toHaveProperty("query");
    expect(events.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  });

  test("stop when the caller hangs up", async () => {
    const caller = new AbortController();
    const events = listsOf((take) =>
      sandbox.streamChat!("gpt-4o", user(`Summarize: ${FOREST}`), context({ signal: caller.signal }), take),
    );
    await events.next();
    caller.abort(new Error("gone"));
    await expect(events.next()).rejects.toThrow("gone");
  });

  test("pieces join to the text and never split a character", () => {
    for (const text of ["  a b\n\nc ", "𝒳".repeat(100), "", "漢".repeat(50)]) {
      expect(wordsOf(text).join("")).toBe(text);
      for (const piece of wordsOf(text)) expect(piece.isWellFormed()).toBe(true);
    }
  });
});

describe("embeddings", () => {
  const embed = (inputs: string[], dimensions?: number) => sandbox.embed!("embed-local", inputs, dimensions, context());

  test("come from the local encoder, with estimated tokens", async () => {
    const { vectors, inputTokens } = await embed(["hello world", "again"]);
    expect(vectors).toEqual(["hello world", "again"].map(encoder.embed));
    expect(inputTokens).toBeGreaterThan(2);
  });

  test("keep unit length when cut, and their angles when filled up", async () => {
    const [short] = (await embed(["x"], 1)).vectors;
    const [long] = (await embed(["x"], 6)).vectors;
    expect([...(short ?? [])]).toEqual([1]);
    expect([...(long ?? [])].map((value) => Math.round(value * 10) / 10)).toEqual([0.6, 0.8, 0, 0, 0, 0]);
  });

  test("fail on demand", async () => {
    expect((await failure(embed(["x [[sandbox:rate-limit]]"]))).kind).toBe("rate_limit");
  });
});
