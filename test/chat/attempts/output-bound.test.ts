/** How many tokens of an answer each attempt asks for: the caller's bound or the usual one, the model's, and what its window leaves. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { json, sse, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  settings: `providers:
  house: { base_url: ${upstream.url}/v1 }
models:
  - { id: small, provider: house, context_window: 1000, max_output_tokens: 900, input_usd_per_million: 1, output_usd_per_million: 1 }
  - { id: large, provider: house, context_window: 9000, max_output_tokens: 900, input_usd_per_million: 1, output_usd_per_million: 1 }
`,
});
const key = await gateway.key({ mode: "live" });

const answer = (content: string, finish: string) =>
  json({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: finish }] });
/** The bounds of all attempts, in order. */
const bounds = async (content: string, more: object = {}): Promise<number[]> => {
  const response = await gateway.send(key, "POST", "/v1/chat", {
    model: "small",
    messages: [{ role: "user", content }],
    ...more,
  });
  expect(response.status).toBe(200);
  return upstream.seen.map(({ body }) => body.max_tokens);
};

test("no more than the model's window leaves after the prompt, with room for a miscount", async () => {
  upstream.answer(answer("It was fine.", "stop"));
  const words = "signal ".repeat(500);
  const [bound] = await bounds(words);
  expect(bound).toBeWithin(16, 1_000 - 540);
  expect(await bounds("Name a river.", { max_tokens: 40 })).toEqual([bound!, 40]);
  expect((await bounds("Name a river.")).at(-1)).toBe(900);
  // Beside the prompt there is the model's chat template.
  expect((await bounds("signal ".repeat(50))).at(-1)).toBeLessThan(1_000 - 50 - 60);
});

test("a model that splits words into more tokens than others gets as much less for its answer", async () => {
  const model = gateway.platform.catalog.findChatModel("small")!;
  upstream.answer(answer("It was fine.", "stop"));
  const words = "signal ".repeat(200);
  const [usual] = await bounds(words);
  Object.assign(model, { tokenScale: 2 });
  expect((await bounds(words)).at(-1)).toBeWithin(usual! - 400, usual! - 200);
  Object.assign(model, { tokenScale: undefined });
});

test("of several models named one with room for the answer is asked, and the others only where it fails", async () => {
  upstream.answer(answer("It was fine.", "stop"));
  const modelsFor = async (words: number, more: object) => {
    upstream.seen.length = 0;
    await bounds("signal ".repeat(words), more);
    return upstream.seen.map(({ body }) => body.model);
  };
  expect(await modelsFor(100, { models: ["large"] })).toEqual(["small"]);
  expect(await modelsFor(600, { models: ["large"] })).toEqual(["large"]);
  expect(await modelsFor(600, {})).toEqual(["small"]);
  expect(await modelsFor(600, { allow_fallback: true })).toEqual(["small"]);
});

test("an answer that the usual room cut off is asked for again with all there is", async () => {
  Object.assign(gateway.platform.catalog.findChatModel("small")!, { usualOutputTokens: 200 });
  upstream.answer(answer("A river begins where", "length"), answer("The Thames.", "stop"));
  expect(await bounds("Name a river.")).toEqual([200, 900]);
});

test("what the caller's own bound cut off would be cut off again: it is not asked for twice", async () => {
  upstream.answer(answer('{"river": "The Tham', "length"));
  expect(await bounds("Name a river.", { max_tokens: 6, response_format: { type: "json_object" } })).toEqual([6]);
  upstream.seen.length = 0;
  // Long before the bound somebody else has cut it.
  upstream.answer(answer('{"river": "The Tham', "length"), answer('{"river": "The Thames"}', "stop"));
  expect(await bounds("Name a river.", { max_tokens: 600, response_format: { type: "json_object" } })).toEqual([600, 600]);
});

test("a bound that the model spent on thinking is left to the words the second time, however the provider says so", async () => {
  const refused = { message: "Could not finish the message because max_tokens or model output limit was reached.", code: null };
  const spent = json({ error: { ...refused, type: "invalid_request_error" } }, 400);
  const chunks = (delta: object, finish: string) => sse([{ choices: [{ index: 0, delta, finish_reason: finish }] }]);
  for (const [path, first, second] of [
    ["/v1/chat", answer("", "length"), answer("The Thames.", "stop")],
    ["/v1/chat", spent, answer("The Thames.", "stop")],
    ["/v1/chat/stream", chunks({ reasoning_content: "Hm." }, "length"), chunks({ content: "The Thames." }, "stop")],
    ["/v1/chat/stream", spent, chunks({ content: "The Thames." }, "stop")],
  ] as const) {
    upstream.seen.length = 0;
    upstream.answer(first, second);
    const body = { model: "small", messages: [{ role: "user", content: "Name a river." }], max_tokens: 20 };
    const response = await gateway.send(key, "POST", path, body);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).toContain("The Thames.");
    expect(upstream.seen.map((seen) => seen.body.reasoning_effort)).toEqual([undefined, "none"]);
  }
  // What ended empty by itself was not short of room.
  upstream.seen.length = 0;
  upstream.answer(answer("", "stop"), answer("The Thames.", "stop"));
  await bounds("Name a river.", { max_tokens: 20 });
  expect(upstream.seen.map((seen) => seen.body.reasoning_effort)).toEqual([undefined, undefined]);
  upstream.answer(spent);
  const nothing = await gateway.send(key, "POST", "/v1/chat", {
    model: "small",
    messages: [{ role: "user", content: "Name a river." }],
  });
  expect(((await nothing.json()) as any).choices[0]).toMatchObject({ message: { content: "" }, finish_reason: "length" });
});
