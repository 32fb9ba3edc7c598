/** What the words in double brackets make the sandbox do. */

import { describe, expect, test } from "bun:test";
import { DEFAULTS } from "../../../src/config/defaults.ts";
import type { ChatEvent, ChatMessage, ChatRequest } from "../../../src/providers/provider.ts";
import { createSandbox } from "../../../src/providers/sandbox/sandbox.ts";
import { answer, chat, context, encoder, failure, sandbox, stream, textOf, user } from "../../support/ask-sandbox.ts";
import { listsOf } from "../../support/chat-provider.ts";

const FOREST =
  "The Amazon rainforest covers much of the Amazon basin. It is home to about 390 billion trees. Brazil holds 60% of it. " +
  "Scientists warn that the forest may reach a tipping point. Rivers cross it from west to east.";

describe("fault triggers", () => {
  test("hold for the first attempt only, unless :always follows", async () => {
    const once = user("Hello [[sandbox:error-500]]");
    expect((await failure(chat(once))).kind).toBe("server");
    expect((await chat(once, { attempt: 2 })).finishReason).toBe("stop");
    expect((await failure(chat(user("Hello [[sandbox:error-500:always]]"), { attempt: 3 }))).kind).toBe("server");
  });

  test("count only in the last user message, and are no part of the prompt", async () => {
    const before: ChatMessage[] = [
      { role: "user", content: "First [[sandbox:error-500]]" },
      { role: "assistant", content: "ok" },
    ];
    expect(await answer("Hello [[sandbox:slow=0]]", {}, before)).toEndWith("yours were: “Hello”.");
  });

  test("hold on a retry that shows the model its own answer, which is no message of the caller's", async () => {
    const outputFormat = {
      type: "schema",
      name: "x",
      strict: true,
      schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    } as const;
    const retry = (content: string): ChatRequest => ({
      outputFormat,
      messages: [
        { role: "user", content },
        { role: "assistant", content: "{" },
        { role: "user", content: "That does not match the schema: name is missing. Answer with valid JSON only." },
      ],
    });
    expect((await chat(retry("Who? Ada Lovelace. [[sandbox:bad-json:always]]"), { attempt: 2 })).text).toStartWith(
      '{"sandbox": "broken"',
    );
    expect((await chat(retry("Who? Ada Lovelace. [[sandbox:bad-json]]"), { attempt: 2 })).text).toBe('{"name":"Ada Lovelace"}');
  });

  test("refuse, empty, truncate and bad-json spoil the answer, not the call", async () => {
    expect(await chat(user("Hi [[sandbox:refuse]]"))).toMatchObject({
      text: "I'm sorry, but I can't help with that request.",
      finishReason: "stop",
    });
    expect(await chat(user("Hi [[sandbox:empty]]"))).toMatchObject({ text: "", finishReason: "stop" });
    const whole = await answer(`Summarize: ${FOREST}`);
    const cut = await chat(user(`Summarize: ${FOREST} [[sandbox:truncate]]`));
    expect(cut.finishReason).toBe("length");
    expect(whole).toStartWith(cut.text);
    expect(cut.text).not.toMatch(/[.!?]$/);
    const bad = await answer("Give JSON [[sandbox:bad-json]]", { outputFormat: { type: "json" } });
    expect(() => JSON.parse(bad)).toThrow();
  });

  test("reply answers exactly its text, also where a schema or tools are given", async () => {
    const outputFormat = { type: "schema", name: "x", schema: { type: "object" }, strict: true } as const;
    expect(await answer("Q [[sandbox:reply=My SSN is 123-45-6789]]", { outputFormat })).toBe("My SSN is 123-45-6789");
  });

  test("rate-limit carries a hint how long to wait", async () => {
    expect(await failure(chat(user("Hi [[sandbox:rate-limit]]")))).toMatchObject({
      kind: "rate_limit",
      details: { status: 429, retryAfterMs: 250 },
    });
  });

  test("timeout never answers: the first-byte deadline, the call's time or the caller ends it", async () => {
    expect((await failure(chat(user("Hi [[sandbox:timeout]]")))).kind).toBe("timeout");
    expect((await failure(stream(user("Hi [[sandbox:timeout]]"), { remainingMs: 1 }))).kind).toBe("timeout");
    const caller = new AbortController();
    const waiting = createSandbox({
      clock: { now: () => 0 },
      encoder,
      firstByteMs: DEFAULTS.timeouts.firstByteMs,
      scoreTexts: () => Promise.resolve([]),
    }).chat!("gpt-4o", user("Hi [[sandbox:timeout]]"), context({ signal: caller.signal }));
    caller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
  });

  test("slow waits, then answers as ever; beyond the first-byte deadline it fails a stream, not a whole answer", async () => {
    const ended: string[] = [];
    const ask = (trigger: string) => answer(`Hello ${trigger}`).finally(() => ended.push(trigger));
    const [later, sooner] = await Promise.all([ask("[[sandbox:slow=30]]"), ask("[[sandbox:slow=1]]")]);
    expect(ended).toEqual(["[[sandbox:slow=1]]", "[[sandbox:slow=30]]"]);
    expect([later, sooner, textOf(await stream(user("Hello [[sandbox:slow=10]]")))]).toEqual(
      Array(3).fill(await answer("Hello")),
    );
    expect((await failure(stream(user("Hello [[sandbox:slow=40]]")))).kind).toBe("timeout");
    expect((await chat(user("Hello [[sandbox:slow=40]]"))).finishReason).toBe("stop");
  });

  test("disconnect breaks a stream in the middle and a whole answer altogether", async () => {
    const events: ChatEvent[] = [];
    const broken = (async () => {
      for await (const list of listsOf((take) =>
        sandbox.streamChat!("gpt-4o", user("Hello [[sandbox:disconnect]]"), context(), take),
      ))
        events.push(...list);
    })();
    expect(await failure(broken)).toMatchObject({ kind: "truncated", details: { accepted: true } });
    expect(textOf(events).length).toBeGreaterThan(0);
    expect(events.some(({ type }) => type === "finish")).toBe(false);
    expect((await failure(chat(user("Hello [[sandbox:disconnect]]")))).kind).toBe("network");
  });

  test("several stand together", async () => {
    expect(await answer("[[sandbox:slow=1]] [[sandbox:refuse]] Hi")).toStartWith("I'm sorry");
  });
});
