/** When a model is asked although the question was asked before. */

import { expect, test } from "bun:test";
import type { ProjectSettings } from "../../../src/accounts/project.ts";
import type { TestKey } from "../../support/gateway.ts";
import { json, sse } from "../../support/upstream-stub.ts";
import { completion } from "../../support/vendor-answers.ts";
import { ask, chatWithTwo } from "../chat-with-two.ts";

const { gateway, openai, chat, logOf } = await chatWithTwo();
gateway.clock.stop();

const keyOf = (settings: ProjectSettings = { cache: { ttlS: 60 } }, project: string = crypto.randomUUID()): Promise<TestKey> =>
  gateway.key({ project, mode: "live", settings });
const pinned = (text: string, more: object = {}) => ask(text, { model: "gpt-4o", ...more });
/** `hit`, `miss`, or null if the cache was not asked. */
const outcome = async (key: TestKey, body: object, cacheControl?: string): Promise<string | null> => {
  const { status, headers } = await chat(key, body, cacheControl === undefined ? {} : { "cache-control": cacheControl });
  expect(status).toBe(200);
  return headers.get("x-svc-cache");
};
test("nothing is given again unless project or caller ask for it", async () => {
  const key = await keyOf({});
  expect([await outcome(key, pinned("One?")), await outcome(key, pinned("One?"))]).toEqual([null, null]);
  expect([await outcome(key, pinned("One?"), "max-age=60"), await outcome(key, pinned("One?"), "max-age=60")]).toEqual([
    "miss",
    "hit",
  ]);
  expect(await outcome(key, pinned("One?"))).toBeNull();
  expect(openai.seen).toHaveLength(4);
});

test("an answer is given again as long as the project says, or the caller", async () => {
  const key = await keyOf();
  expect(await outcome(key, pinned("How long?"))).toBe("miss");
  gateway.clock.advance(30_000);
  expect(await outcome(key, pinned("How long?"), "max-age=10")).toBe("miss");
  gateway.clock.advance(50_000);
  expect(await outcome(key, pinned("How long?"))).toBe("hit");
  gateway.clock.advance(20_000);
  expect(await outcome(key, pinned("How long?"))).toBe("miss");
  expect(await outcome(key, pinned("For an hour?"), "max-age=3600")).toBe("miss");
  gateway.clock.advance(600_000);
  expect(await outcome(key, pinned("For an hour?"), "max-age=3600")).toBe("hit");
  expect(await outcome(key, pinned("For an hour?"))).toBe("miss");
});

test("no-cache asks anew and keeps the new answer; no-store does neither", async () => {
  const key = await keyOf();
  await chat(key, pinned("New?"));
  openai.answer(completion("The newer answer."));
  expect(await outcome(key, pinned("New?"), "no-store")).toBeNull();
  expect((await chat(key, pinned("New?"))).body.choices[0].message.content).toBe("Hello from the one.");
  expect(await outcome(key, pinned("New?"), "no-cache")).toBeNull();
  expect((await chat(key, pinned("New?"))).body.choices[0].message.content).toBe("The newer answer.");
});

test("where no answer was looked for, none was missed: for media, whole and streamed", async () => {
  const key = await gateway.key({ project: crypto.randomUUID(), mode: "test", settings: { cache: { ttlS: 60 } } });
  const { headers, body } = await chat(key, ask("Draw an image of a red fox."));
  expect([body.svc.media.type, headers.get("x-svc-cache")]).toEqual(["image", null]);
  const stream = await gateway.send(key, "POST", "/v1/chat/stream", ask("Draw an image of a red fox."));
  expect([stream.headers.get("x-svc-cache"), (await stream.text()).includes('"media"')]).toEqual([null, true]);
});

test("another project, a test key, a key for other models and other parameters ask anew", async () => {
  const key = await keyOf();
  await chat(key, pinned("Whose?"));
  const { name } = key.project;
  const settings = { cache: { ttlS: 60 } };
  expect(await outcome(await gateway.key({ project: name, mode: "live", settings }), pinned("Whose?"))).toBe("hit");
  expect(await outcome(await keyOf(), pinned("Whose?"))).toBe("miss");
  expect(await outcome(await gateway.key({ project: name, mode: "test", settings }), pinned("Whose?"))).toBe("miss");
  const bound = await gateway.key({ project: name, mode: "live", settings, terms: { models: ["gpt-4o"] } });
  expect(await outcome(bound, pinned("Whose?"))).toBe("miss");
  expect(await outcome(key, pinned("Whose?", { temperature: 1 }))).toBe("miss");
  expect(await outcome(key, pinned("Whose?", { max_cost_per_call: 1 }))).toBe("miss");
});

test("a policy that has changed gets answers of its own, reviewed as it says", async () => {
  const key = await keyOf();
  openai.answer(completion("Write to ann@example.com about it."));
  const email = { types: ["email"], action: "redact" };
  await chat(key, pinned("To whom?"));
  const id = await gateway.policy(key, "content", { pii_detection: email });
  const redacted = await chat(key, pinned("To whom?"));
  expect(redacted.headers.get("x-svc-cache")).toBe("miss");
  const again = await chat(key, pinned("To whom?"));
  expect(again.body.svc.cache.hit).toBe(true);
  expect(again.body.choices[0].message.content).toBe("Write to [REDACTED] about it.");
  expect(again.body.svc.content_evaluation).toEqual(redacted.body.svc.content_evaluation);
  const config = { pii_detection: { ...email, action: "block" } };
  expect((await gateway.send(key, "PATCH", `/v1/policies/${id}`, { config })).status).toBe(200);
  for (let i = 0; i < 2; i++) expect((await chat(key, pinned("To whom?"))).body.error.code).toBe("CONTENT_BLOCKED");
});

test("what policies found in a prompt is told of each call, though the same was sent", async () => {
  const key = await keyOf();
  await gateway.policy(key, "content", { evaluate_input: true, pii_detection: { types: ["email"], action: "redact" } });
  const counted = async (text: string) => {
    const { headers, body } = await chat(key, pinned(text));
    return [headers.get("x-svc-cache"), body.svc.content_evaluation.pii_count];
  };
  expect(await counted("Write to [REDACTED].")).toEqual(["miss", 0]);
  expect(await counted("Write to ann@example.com.")).toEqual(["miss", 1]);
  expect(await counted("Write to bob@example.com.")).toEqual(["hit", 1]);
  expect(openai.seen[1]!.body).toEqual(openai.seen[0]!.body);
});

test("a model that was switched off is not heard again", async () => {
  const key = await keyOf();
  const { model } = (await chat(key, ask("Who is it?"))).body;
  expect(await outcome(key, ask("Who is it?"))).toBe("hit");
  gateway.platform.catalog.replace({ overrides: [], hidden: [model] });
  try {
    expect(await outcome(key, ask("Who is it?"))).toBe("miss");
  } finally {
    gateway.platform.catalog.replace({ overrides: [] });
  }
});

test("a routing policy's evaluation comes with the answer", async () => {
  const key = await keyOf();
  await gateway.policy(key, "routing", { provider_block_list: ["anthropic"] });
  const first = await chat(key, pinned("Which?"));
  const again = await chat(key, pinned("Which?"));
  expect(again.body.svc.cache.hit).toBe(true);
  expect(again.body.svc.policy_evaluation).toEqual(first.body.svc.policy_evaluation);
});

test("what the log does not hold is not given again", async () => {
  const silent = await keyOf({ cache: { ttlS: 60 }, storeBodies: false });
  expect([await outcome(silent, pinned("Kept?")), await outcome(silent, pinned("Kept?"))]).toEqual(["miss", "miss"]);
  const redacting = await keyOf();
  await gateway.policy(redacting, "content", { redact_logs: true, pii_detection: { types: ["email"], action: "warn" } });
  expect([await outcome(redacting, pinned("Kept?")), await outcome(redacting, pinned("Kept?"))]).toEqual(["miss", "miss"]);
});

test("of an answer that was deleted, its question goes as well", async () => {
  const key = await keyOf();
  const kept = () => gateway.platform.db.get<{ count: number }>("SELECT count(*) AS count FROM kept_answers")!.count;
  const before = kept();
  const made = await gateway.send(key, "POST", "/v1/chat/completions", pinned("Kept for long?", { store: true }));
  const { id } = (await made.json()) as { id: string };
  expect(kept()).toBe(before + 1);
  expect((await gateway.send(key, "DELETE", `/v1/chat/completions/${id}`)).status).toBe(200);
  expect(kept()).toBe(before);
});

test("a forgotten user's answer is given to nobody, and an expired one leaves the file", async () => {
  const key = await keyOf();
  const { db, clock } = gateway.platform;
  const kept = () => db.get<{ count: number }>("SELECT count(*) AS count FROM kept_answers")!.count;
  const before = kept();
  await chat(key, pinned("Mine?", { user: "ann" }));
  expect([await outcome(key, pinned("Mine?")), kept()]).toEqual(["hit", before + 1]);
  expect((await gateway.send(key, "DELETE", "/v1/logs/user/ann")).status).toBe(200);
  expect([kept(), await outcome(key, pinned("Mine?"))]).toEqual([before, "miss"]);
  const { deleteSomeKeptAnswers } = await import("../../../src/logs/kept-answers-store.ts");
  expect(await deleteSomeKeptAnswers(db, clock.now() + 3_600_000)).toBe(true);
  expect(kept()).toBe(0);
});

test.each([
  ["was cut by the output bound", completion("An answer that goes on and", undefined, "length")],
  ["is a refusal", completion("I'm sorry, but I can't help with that.")],
  [
    "cites pages",
    json({
      id: "c",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "It is so.",
            annotations: [
              { type: "url_citation", url_citation: { url: "https://example.com", title: "t", start_index: 0, end_index: 2 } },
            ],
          },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    }),
  ],
])("an answer that %s is not kept", async (_, answer) => {
  const key = await keyOf();
  openai.answer(answer);
  const body = pinned("Tell me.", { max_tokens: 6 });
  expect([await outcome(key, body), await outcome(key, body)]).toEqual(["miss", "miss"]);
});

test("thinking is left out, and tool calls that were thought about are asked for anew, whole and streamed", async () => {
  const key = await keyOf();
  const usage = { prompt_tokens: 9, completion_tokens: 3 };
  const thought = { reasoning_content: "Hm." };
  const whole = (message: object, finish_reason: string) =>
    json({ id: "c", choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }], usage });
  openai.answer(whole({ content: "Because.", ...thought }, "stop"));
  const [first, again] = [await chat(key, pinned("Why?")), await chat(key, pinned("Why?"))];
  expect(first.body.choices[0].message.reasoning_content).toBe("Hm.");
  expect(again.body.svc.cache.hit).toBe(true);
  expect(again.body.choices[0].message).toEqual({ role: "assistant", content: "Because.", refusal: null });

  const tools = [{ type: "function", function: { name: "look" } }];
  const call = { index: 0, id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  openai.answer(whole({ content: null, tool_calls: [call], ...thought }, "tool_calls"));
  expect([await outcome(key, pinned("Look!", { tools })), await outcome(key, pinned("Look!", { tools }))]).toEqual([
    "miss",
    "miss",
  ]);
  openai.answer(whole({ content: null, tool_calls: [{ ...call, id: "call_1__rsn__c2VhbGVk" }] }, "tool_calls"));
  expect([await outcome(key, pinned("Sealed!", { tools })), await outcome(key, pinned("Sealed!", { tools }))]).toEqual([
    "miss",
    "miss",
  ]);
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: "c",
    choices: [{ index: 0, delta, finish_reason }],
  });
  openai.answer(sse([chunk(thought), chunk({ tool_calls: [call] }), chunk({}, "tool_calls")]));
  for (let i = 0; i < 2; i++) {
    const streamed = await gateway.send(key, "POST", "/v1/chat/stream", pinned("Look, stream!", { tools }));
    expect([streamed.headers.get("x-svc-cache"), (await streamed.text()).includes('"look"')]).toEqual(["miss", true]);
  }
});

test("with a test key the sandbox's answers are given again", async () => {
  const key = await gateway.key({ project: crypto.randomUUID(), settings: { cache: { ttlS: 60 } } });
  expect([await outcome(key, pinned("Hello.")), await outcome(key, pinned("Hello."))]).toEqual(["miss", "hit"]);
  const { body } = await chat(key, pinned("Hello."));
  expect((await logOf(key, body.svc.request_id)).metadata.mode).toBe("test");
});
