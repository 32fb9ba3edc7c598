/** Models that draw in a conversation: their pictures come with the answer on every API, and go back with the next question. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { readSse } from "../support/read-sse.ts";
import { json, sse, upstreamStubOfFile } from "../support/upstream-stub.ts";

const stub = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  settings: `
providers:
  relay: { base_url: "${stub.url}/v1", key: upstream, dialect: openai }
  vertex: { base_url: "${stub.url}", key: upstream, dialect: google }
models:
  - { id: fox, provider: relay, upstream_model: x, context_window: 32000, input_usd_per_million: 1, output_usd_per_million: 30, abilities: [vision, image_output] }
  - { id: owl, provider: vertex, upstream_model: y, context_window: 32000, input_usd_per_million: 1, output_usd_per_million: 30, abilities: [vision, image_output] }
`,
});
const live = await gateway.key({ mode: "live" });

const DATA = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const url = `data:image/png;base64,${DATA}`;
const usage = { prompt_tokens: 5, completion_tokens: 1290, total_tokens: 1295 };
const images = [{ type: "image_url", image_url: { url } }];
const shown = [{ type: "image_url", index: 0, image_url: { url } }];
const ofRelay = (message: object) => json({ choices: [{ index: 0, message, finish_reason: "stop" }], usage });
const relayFrames = (...deltas: object[]) =>
  sse([
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage },
  ]);
const picture = { inlineData: { mimeType: "image/png", data: DATA } };
const ofGemini = (...parts: object[]) => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1290, totalTokenCount: 1295 },
});

const ASKED = { messages: [{ role: "user", content: "Draw a red fox in snow." }] };
const send = (path: string, model: string, more: object = {}) =>
  gateway.send(live, "POST", path, { model, ...ASKED, max_tokens: 2000, ...more });
const answerOf = async (path: string, model: string, more: object = {}): Promise<any> => (await send(path, model, more)).json();
const deltasOf = async (response: Response): Promise<any[]> =>
  (await readSse(response)).map(({ data }) => data.choices?.[0]?.delta ?? {}).filter((delta) => Object.keys(delta).length > 0);

test.each(["/v1/chat", "/v1/chat/completions"])(
  "a picture without words is a whole answer on %s, asked for and paid once",
  async (path) => {
    stub.seen.length = 0;
    stub.answer(ofRelay({ role: "assistant", content: "", images }));
    const { choices, svc } = await answerOf(path, "fox");
    expect(choices[0].message).toMatchObject({ content: "", images: shown });
    expect(svc).toMatchObject({ validation_passed: true, cost_usd: (5 * 1 + 1290 * 30) / 1e6 });
    expect(stub.seen.map(({ body }) => body.modalities)).toEqual([["image", "text"]]);
  },
);

test("Gemini's pictures come in the same form, but not the drafts among its thoughts", async () => {
  stub.seen.length = 0;
  stub.answer(json(ofGemini({ text: "Hm.", thought: true }, { ...picture, thought: true }, { text: "A fox:" }, picture)));
  const { choices } = await answerOf("/v1/chat", "owl");
  expect(choices[0].message).toMatchObject({ content: "A fox:", images: shown });
  expect(stub.seen[0]!.body.generationConfig.responseModalities).toEqual(["TEXT", "IMAGE"]);
});

test.each([
  ["/v1/chat/stream", {}],
  ["/v1/chat/completions", { stream: true }],
])("%s streams a picture where it stands", async (path, more) => {
  stub.answer(relayFrames({ role: "assistant", content: "" }, { images }));
  expect(await deltasOf(await send(path, "fox", more))).toEqual([{ role: "assistant", content: "", images: shown }]);
  stub.answer(sse([ofGemini({ text: "A fox:" }, picture, picture)]));
  expect(await deltasOf(await send(path, "owl", more))).toEqual([
    { role: "assistant", content: "A fox:" },
    { images: shown },
    { images: [{ ...shown[0], index: 1 }] },
  ]);
});

test("on /v1/messages it is a block of its own, whole and streamed", async () => {
  const block = { type: "image", source: { type: "base64", media_type: "image/png", data: DATA } };
  stub.answer(ofRelay({ content: "A fox:", images }));
  expect((await answerOf("/v1/messages", "fox")).content).toEqual([{ type: "text", text: "A fox:" }, block]);
  stub.answer(relayFrames({ content: "A fox:" }, { images }));
  const events = await readSse(await send("/v1/messages", "fox", { stream: true }));
  const begun = events.flatMap(({ data }) => (data.type === "content_block_start" ? [data.content_block] : []));
  expect(begun).toEqual([{ type: "text", text: "" }, block]);
});

test("on /v1/responses it is the result of an image generation, whole and streamed", async () => {
  const ask = { input: "Draw a red fox in snow.", messages: undefined, max_tokens: undefined };
  const item = { type: "image_generation_call", status: "completed", result: DATA, id: expect.stringMatching(/^ig_/) };
  stub.answer(ofRelay({ content: "", images }));
  const { id, output } = await answerOf("/v1/responses", "fox", ask);
  expect(output).toEqual([item]);
  stub.answer(relayFrames({ images }));
  const events = await readSse(await send("/v1/responses", "fox", { ...ask, stream: true }));
  expect(events.map(({ data }) => data.type).slice(2, -1)).toEqual([
    "response.output_item.added",
    "response.image_generation_call.completed",
    "response.output_item.done",
  ]);
  expect(events.at(-1)!.data.response.output).toEqual([item]);
  // The log has no pictures, so the conversation cannot go on from there.
  const next = await send("/v1/responses", "fox", { ...ask, previous_response_id: id });
  expect([next.status, (await next.json()).error.param]).toEqual([400, "previous_response_id"]);
});

test("the next question takes it back to the model, as the user's", async () => {
  const messages = [
    ...ASKED.messages,
    { role: "assistant", content: "A fox:", images: shown },
    { role: "user", content: "Make it blue." },
  ];
  stub.seen.length = 0;
  stub.answer(ofRelay({ content: "", images }));
  await answerOf("/v1/chat/completions", "fox", { messages });
  expect(stub.seen[0]!.body.messages.slice(1)).toEqual([
    { role: "assistant", content: "A fox:" },
    {
      role: "user",
      content: [
        { type: "image_url", image_url: { url } },
        { type: "text", text: "Make it blue." },
      ],
    },
  ]);
  stub.answer(json(ofGemini(picture)));
  await answerOf("/v1/chat/completions", "owl", { messages });
  expect(stub.seen[1]!.body.contents.slice(1)).toEqual([
    { role: "model", parts: [{ text: "A fox:" }] },
    { role: "user", parts: [picture, { text: "Make it blue." }] },
  ]);
});

test("an item of /v1/responses is taken back, too", async () => {
  const drawn = { type: "image_generation_call", id: "ig_1", status: "completed", result: DATA };
  const input = [{ role: "user", content: "Draw a fox." }, drawn, { role: "user", content: "Make it blue." }];
  stub.seen.length = 0;
  stub.answer(ofRelay({ content: "", images }));
  expect((await send("/v1/responses", "fox", { input, messages: undefined, max_tokens: undefined })).status).toBe(200);
  expect(stub.seen[0]!.body.messages).toEqual([
    { role: "user", content: "Draw a fox." },
    {
      role: "user",
      content: [
        { type: "image_url", image_url: { url } },
        { type: "text", text: "Make it blue." },
      ],
    },
  ]);
});

test("the log notes its size, and a session that there was one", async () => {
  stub.answer(ofRelay({ content: "", images }));
  const { svc } = await answerOf("/v1/chat", "fox", { session_id: "gallery" });
  const { output } = await (await gateway.send(live, "GET", `/v1/logs/${svc.request_id}`)).json();
  expect(output).toMatchObject({ text: "", images: [{ bytes: Math.floor(url.length * 0.75) }] });
  const { messages } = await (await gateway.send(live, "GET", "/v1/memory/gallery")).json();
  expect(messages.map(({ content }: { content: string }) => content)).toEqual(["Draw a red fox in snow.", "[image]"]);
});

test("an answer with a picture is not given again from the cache, which has no pictures", async () => {
  stub.answer(ofRelay({ content: "A fox:", images }));
  stub.seen.length = 0;
  const headers = { "Cache-Control": "max-age=600" };
  for (const _ of "12")
    expect((await gateway.send(live, "POST", "/v1/chat", { model: "fox", ...ASKED }, headers)).status).toBe(200);
  expect(stub.seen).toHaveLength(2);
});

test("where a server counts no tokens, a picture is billed as those that Gemini counts, whole and streamed", async () => {
  const whole = { choices: [{ index: 0, message: { content: "", images }, finish_reason: "stop" }] };
  const delta = { choices: [{ index: 0, delta: { images }, finish_reason: null }] };
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  for (const told of [{}, { usage: zeros }]) {
    stub.answer(json({ ...whole, ...told }));
    expect((await answerOf("/v1/chat", "fox")).usage.completion_tokens).toBe(1290);
    stub.answer(sse([delta, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], ...told }]));
    const events = await readSse(await send("/v1/chat/stream", "fox", { stream_options: { include_usage: true } }));
    expect(events.map(({ data }) => data.usage?.completion_tokens).filter(Boolean)).toEqual([1290]);
  }
});

test("a flood of pictures is cut off", async () => {
  const large = [{ type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(9_000_000)}` } }];
  const delta = { choices: [{ index: 0, delta: { images: large }, finish_reason: null }] };
  stub.answer(sse([delta, delta, delta, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage }]));
  const choices = (await readSse(await send("/v1/chat/stream", "fox"))).flatMap(({ data }) => data.choices ?? []);
  expect(choices.map((choice) => choice.finish_reason).filter(Boolean)).toEqual(["length"]);
  expect(choices.filter(({ delta }) => delta.images)).toHaveLength(2);
});

test("a policy that reviews answers reads the words and lets the picture pass, whole and streamed", async () => {
  const watched = await gateway.key({ mode: "live", project: "watched" });
  await gateway.policy(watched, "content", { blocked_terms: { enabled: true, terms: ["vixen"], action: "redact" } });
  const ask = { model: "fox", ...ASKED };
  stub.answer(ofRelay({ content: "A vixen:", images }));
  const whole = await (await gateway.send(watched, "POST", "/v1/chat", ask)).json();
  expect(whole.choices[0].message).toMatchObject({ content: "A [REDACTED]:", images: shown });
  stub.answer(relayFrames({ content: "A vixen:" }, { images }));
  const deltas = await deltasOf(await gateway.send(watched, "POST", "/v1/chat/stream", ask));
  expect(deltas.map(({ content = "" }) => content).join("")).toBe("A [REDACTED]:");
  expect(deltas.flatMap(({ images: drawn = [] }) => drawn)).toEqual(shown);
  // JSON is reviewed, and sent, as a whole.
  stub.answer(relayFrames({ content: '{"a":"fox"}' }, { images }));
  const json = await gateway.send(watched, "POST", "/v1/chat/stream", { ...ask, response_format: { type: "json_object" } });
  expect((await deltasOf(json)).flatMap(({ images: drawn = [] }) => drawn)).toEqual(shown);
});
