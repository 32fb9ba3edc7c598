/** Sound in a chat message, most of the time with OpenAI as the only provider that hears it. */

import { expect, test } from "bun:test";
import { startGateway } from "../support/gateway.ts";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { json, sse, startUpstreamStub } from "../support/upstream-stub.ts";

const vendors = await twoVendorsOfFile();

const SOUND = { type: "input_audio", input_audio: { data: Buffer.alloc(8_000, 7).toString("base64"), format: "wav" } };
const QUESTION = { type: "text", text: "What is said here?" };
const usage = {
  prompt_tokens: 120,
  completion_tokens: 10,
  total_tokens: 130,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 100, text_tokens: 20 },
};
/** 100 tokens of sound at 32 USD a million, 20 of text at 2.50, 10 of the answer at 10. */
const COST = (100 * 32 + 20 * 2.5 + 10 * 10) / 1e6;

const ask = (content: unknown, more: object = {}, path = "/v1/chat") =>
  vendors.gateway.send(vendors.live, "POST", path, { messages: [{ role: "user", content }], ...more });

test("goes to the model that hears it, and is billed as sound, the text beside it as text", async () => {
  const message = { role: "assistant", content: "Good morning." };
  vendors.openai.answer(json({ id: "c", choices: [{ index: 0, message, finish_reason: "stop" }], usage }));
  const body = (await (await ask([QUESTION, SOUND])).json()) as any;
  expect(body).toMatchObject({ model: "gpt-audio-1.5", svc: { task_type: "audio", cost_usd: COST } });
  expect(body.usage).toMatchObject({ prompt_tokens: 120, completion_tokens: 10, total_tokens: 130 });
  expect(body.usage.prompt_tokens_details.audio_tokens).toBe(100);
  expect(vendors.openai.seen.at(-1)!.body).toMatchObject({ model: "gpt-audio-1.5", messages: [{ content: [QUESTION, SOUND] }] });
});

test("all of the sound is told where an answer was discarded", async () => {
  const answer = (content: string) =>
    json({ id: "c", choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }], usage });
  vendors.openai.answer(answer(""), answer("Good morning."));
  const { usage: answered, svc } = (await (await ask([QUESTION, SOUND])).json()) as any;
  const heard = [answered, svc.total_usage].map(({ prompt_tokens_details: details }) => details.audio_tokens);
  expect([...heard, svc.cost_usd]).toEqual([100, 200, 2 * COST]);
});

test("streams, within a ceiling that counts all of the prompt as sound", async () => {
  const chunk = (delta: object, finish: string | null = null) => ({
    id: "c",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  vendors.openai.answer(sse([chunk({ role: "assistant", content: "Good morning." }), chunk({}, "stop"), { choices: [], usage }]));
  const flowed = await (await ask([QUESTION, SOUND], { max_cost_per_call: 0.01 }, "/v1/chat/stream")).text();
  expect(flowed).toContain(`"cost_usd":${COST}`);
  const refused = await ask([QUESTION, SOUND], { max_cost_per_call: 0.0005 });
  expect([refused.status, ((await refused.json()) as any).error.code]).toEqual([400, "cost_ceiling_unreachable"]);
});

test("Gemini's price of sound is billed for its tokens, kept to by a ceiling, and none of text's", async () => {
  const model = "gemini-2.5-flash-lite";
  using upstream = startUpstreamStub();
  await using gateway = await startGateway({ environment: { GEMINI_API_KEY: "key", GEMINI_BASE_URL: upstream.url } });
  const key = await gateway.key({ mode: "live" });
  const costOf = async (content: unknown, details: object) => {
    const candidates = [{ content: { role: "model", parts: [{ text: "Good morning." }] }, finishReason: "STOP" }];
    const usageMetadata = { promptTokenCount: 120, candidatesTokenCount: 10, totalTokenCount: 130, ...details };
    upstream.answer(json({ candidates, usageMetadata }));
    const messages = [{ role: "user", content }];
    const response = await gateway.send(key, "POST", "/v1/chat", { model, messages, max_cost_per_call: 0.00008 });
    const { svc, error } = (await response.json()) as any;
    return error?.code ?? svc.cost_usd;
  };
  const heard = (tokenCount: number) => ({ modality: "AUDIO", tokenCount });
  const details = [{ modality: "TEXT", tokenCount: 20 }, heard(100)];
  expect(await costOf([QUESTION, SOUND], { promptTokensDetails: details })).toBe((100 * 0.3 + 20 * 0.1 + 10 * 0.4) / 1e6);
  const cached = { cachedContentTokenCount: 60, cacheTokensDetails: [heard(60)] };
  expect(await costOf([QUESTION, SOUND], { promptTokensDetails: details, ...cached })).toBe(
    (40 * 0.3 + 20 * 0.1 + 60 * 0.01 + 10 * 0.4) / 1e6,
  );
  const allCached = { cachedContentTokenCount: 110, cacheTokensDetails: [heard(100), { modality: "TEXT", tokenCount: 10 }] };
  expect(await costOf([QUESTION, SOUND], { promptTokensDetails: details, ...allCached })).toBe(
    (10 * 0.1 + 110 * 0.01 + 10 * 0.4) / 1e6,
  );
  expect(await costOf([QUESTION, SOUND], {})).toBe((120 * 0.3 + 10 * 0.4) / 1e6);
  expect(await costOf("What is said here?", {})).toBe((120 * 0.1 + 10 * 0.4) / 1e6);
  const long = { type: "input_audio", input_audio: { data: "AAAA".repeat(25_000), format: "wav" } };
  expect(await costOf([QUESTION, long], {})).toBe("cost_ceiling_unreachable");
});

test("a model that hears is not asked about text alone", async () => {
  const response = await ask("Hello", { model: "gpt-audio-1.5" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: "no_capable_model", message: "The model gpt-audio-1.5 cannot take this request: it contains no audio." },
  });
  const route = (await (await ask("Hello", {}, "/v1/route")).json()) as any;
  expect(JSON.stringify(route)).not.toContain("gpt-audio");
});
