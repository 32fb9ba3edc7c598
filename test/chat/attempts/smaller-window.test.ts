/** Rules 3 and 5 together: where every model that holds the whole conversation fails, one with a smaller window gets it shortened. */

import { beforeEach, expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { readSse } from "../../support/read-sse.ts";
import { json, sse, upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { completion, failing } from "../../support/vendor-answers.ts";

const wide = upstreamStubOfFile();
const narrow = upstreamStubOfFile();
const model = (id: string, window: number, usd = 1, provider = id) =>
  `{ id: ${id}, provider: ${provider}, context_window: ${window}, max_output_tokens: 500, input_usd_per_million: ${usd}, output_usd_per_million: 4 }`;
const gateway = await gatewayOfFile({
  settings: `providers:
  wide: { base_url: ${wide.url}/v1 }
  narrow: { base_url: ${narrow.url}/v1 }
models:
  - ${model("wide", 20_000)}
  - ${model("narrow", 3_000)}
  - ${model("dear", 30_000, 1_000, "wide")}
`,
});
const key = await gateway.key({ mode: "live" });

const chatter = "We went on about the ferries of the bay for a while. ".repeat(20);
const long = [
  { role: "system", content: "Be brief." },
  ...Array.from({ length: 12 }, (_, turn) => [
    { role: "user", content: `Question ${turn}. ${chatter}` },
    { role: "assistant", content: `${chatter} Berth ${turn} is free.` },
  ]).flat(),
  { role: "user", content: "Which berth was it?" },
];
const tooLong = json({ error: { message: "maximum context length is 9000 tokens", code: "context_length_exceeded" } }, 400);
const ask = (more: object = {}, path = "/v1/chat") => gateway.send(key, "POST", path, { messages: long, ...more });

beforeEach(() => {
  gateway.clock.advance(120_000);
  wide.answer(failing(500));
  narrow.answer(completion("It was berth four."));
});

test("the conversation is shortened for a fallback with a smaller window, and `svc.context` says so", async () => {
  const response = await ask();
  const { model: answered, svc } = (await response.json()) as any;
  expect([response.status, answered, svc.fallback_used]).toEqual([200, "narrow", true]);
  expect(svc.context).toMatchObject({ compressed: true });
  expect(svc.context.final_tokens).toBeLessThan(3_000);
  const { messages } = narrow.seen.at(-1)!.body;
  expect([messages[0].content, messages.at(-1).content]).toEqual(["Be brief.", "Which berth was it?"]);
  expect(messages[1].content).toStartWith("Summary of the earlier conversation");
  expect(svc.routing.first_choice).toBe("wide");
  const log = (await (await gateway.send(key, "GET", `/v1/logs/${svc.request_id}`)).json()) as any;
  expect(log.execution.attempts.map((each: any) => each.purpose)).toEqual(["first", "retry", "fallback", "fallback"]);
});

test("so it is in a stream, and where the provider's window turns out smaller than the catalog says", async () => {
  wide.answer(tooLong);
  narrow.answer(sse([{ choices: [{ delta: { content: "Berth four." } }] }, { choices: [{ delta: {}, finish_reason: "stop" }] }]));
  const frames = await readSse(await ask({}, "/v1/chat/stream"));
  expect(frames.at(-2)!.data).toMatchObject({ model: "narrow", svc: { context: { compressed: true } } });
});

test("it is tried neither with a pinned model, nor after a refusal that no model would avoid, nor where nothing can be left out", async () => {
  expect((await ask({ model: "wide" })).status).toBe(503);
  expect((await ask({ messages: [{ role: "user", content: chatter.repeat(20) }] })).status).toBe(503);
  gateway.clock.advance(120_000);
  wide.answer(json({ error: { message: "messages.0 is malformed", type: "invalid_request_error" } }, 400));
  expect((await ask()).status).toBe(400);
  expect(narrow.seen).toHaveLength(0);
});

test("a model that rests is no reason to refuse: nothing is sent to it", async () => {
  for (const name of ["wide", "dear"]) for (let call = 0; call < 4; call++) await ask({ model: name });
  const before = wide.seen.length;
  expect([(await ask()).status, wide.seen.length]).toEqual([200, before]);
});

test("a pinned model that refuses the conversation as too long gets it once more, shortened; what cannot be shortened is a 400", async () => {
  const messages = long.slice(0, 8).concat(long.at(-1)!);
  narrow.answer(tooLong, completion("It was berth four."));
  const { svc } = (await (await ask({ model: "narrow", messages })).json()) as any;
  expect([svc.fallback_used, svc.context.compressed, narrow.seen.length]).toEqual([false, true, 2]);
  const [first, second] = narrow.seen.map(({ body }) => JSON.stringify(body.messages));
  expect([first!.length / 2 > second!.length, second!.includes("Which berth was it?")]).toEqual([true, true]);
  const log = (await (await gateway.send(key, "GET", `/v1/logs/${svc.request_id}`)).json()) as any;
  expect(log.execution.attempts.map((each: any) => [each.purpose, each.success])).toEqual([
    ["first", false],
    ["retry", true],
  ]);

  narrow.answer(tooLong);
  for (const [asked, requests] of [
    [messages, 2],
    [messages.slice(-1), 1],
  ] as const) {
    narrow.seen.length = 0;
    const refused = await ask({ model: "narrow", messages: asked });
    expect([refused.status, ((await refused.json()) as any).error.code, narrow.seen.length]).toEqual([
      400,
      "context_length_exceeded",
      requests,
    ]);
  }
});

test("a policy's lists and the caller's ceiling hold for it too", async () => {
  const allowing = await gateway.key({ mode: "live", project: "lists" });
  await gateway.policy(allowing, "routing", { model_block_list: ["narrow"] });
  expect((await gateway.send(allowing, "POST", "/v1/chat", { messages: long })).status).toBe(503);
  expect(narrow.seen).toHaveLength(0);
  // A model that would hold the conversation but is too dear does not stand in the way.
  const { svc } = (await (await ask({ max_cost_per_call: 0.03 })).json()) as any;
  expect([svc.model_selected, svc.cost_usd <= 0.03]).toEqual(["narrow", true]);
});
