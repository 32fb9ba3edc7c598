import { expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";

const gateway = await gatewayOfFile({ environment: { REPLICATE_API_TOKEN: "token", GROQ_API_KEY: "key" } });

const listed = async (mode: "live" | "test"): Promise<Map<string, any>> => {
  const response = await gateway.send(await gateway.key({ mode }), "GET", "/v1/models");
  const { data } = (await response.json()) as { data: any[] };
  return new Map(data.map((model) => [model.id, model]));
};

test("a test key may name every media model, each with its price", async () => {
  const models = await listed("test");
  expect(models.get("image-a-3")).toMatchObject({ type: "image", owned_by: "openai", pricing: { usd: 0.04, unit: "image" } });
  expect(models.get("video-b-gen3")).toMatchObject({ type: "video", pricing: { usd: 0.1, unit: "second" } });
  expect(models.get("tts-1-hd")).toMatchObject({ type: "speech", pricing: { usd: 0.03, unit: "1,000 characters" } });
  expect(models.get("transcribe-1")).toMatchObject({ type: "transcription", pricing: { usd: 0.006, unit: "minute" } });
  const one = await gateway.send(await gateway.key(), "GET", "/v1/models/image-a-3");
  expect(await one.json()).toEqual(models.get("image-a-3"));
});

test("a live key may name those that somebody stands behind", async () => {
  const models = await listed("live");
  expect(models.get("image-a-3")).toMatchObject({ owned_by: "replicate" });
  expect(models.get("transcribe-1")).toMatchObject({ owned_by: "groq" });
  expect([...models.values()].some(({ type, owned_by }) => type === "chat" && owned_by === "groq")).toBe(true);
  expect(models.has("gpt-4o")).toBe(false);
  expect(models.has("image-a-2")).toBe(false);
  expect(models.has("tts-1")).toBe(false);
});

test("a window has the name that Groq gives it and the one that OpenRouter does", async () => {
  expect((await listed("test")).get("gpt-4o")).toMatchObject({ context_window: 128_000, context_length: 128_000 });
});

test("what can be talked to comes first", async () => {
  const types = [...(await listed("test")).values()].map(({ type }) => type);
  expect(types[0]).toBe("chat");
  expect(types.lastIndexOf("chat")).toBeLessThan(types.indexOf("image"));
});

test("Anthropic's clients get the form of their API", async () => {
  const key = await gateway.key({ mode: "test" });
  const ask = async (path: string) =>
    (await gateway.send(key, "GET", path, undefined, { "anthropic-version": "2023-06-01" })).json() as Promise<any>;
  const { data, ...page } = await ask("/v1/models");
  expect(page).toEqual({ has_more: false, first_id: "auto", last_id: data.at(-1).id });
  const names = [...(await listed("test")).values()].filter(({ type }) => type === "chat").map(({ id }) => id);
  expect(data.map(({ id }: any) => id)).toEqual(names);
  const one = data.find(({ id }: any) => id === "gpt-4o");
  expect(one).toMatchObject({ type: "model", display_name: "GPT-4o", lifecycle: "active", max_input_tokens: 128_000 });
  expect([one.created_at, one.retires_at].map((time) => new Date(time).toISOString())).toEqual([one.created_at, one.retires_at]);
  expect(await ask("/v1/models/gpt-4o")).toEqual(one);
  expect(await ask("/v1/models/nope")).toMatchObject({ type: "error", error: { type: "not_found_error" } });
});
