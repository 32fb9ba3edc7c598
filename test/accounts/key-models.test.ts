/** The models of a key: only these answer it, whatever it asks for and wherever; and how their names are read. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import OpenAI from "openai";
import { mayUse, readModels, usableTargets } from "../../src/accounts/key-models.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { TINY_PNG } from "../support/media-stub.ts";
import { refusalOf } from "../support/openai-refusal.ts";

const gateway = await gatewayOfFile();

const keyFor = (models: string[], more: { project?: string; scopes?: ["chat"] } = {}) =>
  gateway.key({ ...more, terms: { models } });
const asked = (content: unknown) => ({ messages: [{ role: "user", content }] });
const hello = asked("Explain how signals work.");
const post = async (key: TestKey, path: string, body: unknown) => {
  const response = await gateway.send(key, "POST", path, body);
  return { status: response.status, body: (await response.json()) as any };
};

test("a name allows its model, a provider's name all of the provider's, no list everything", () => {
  const gpt = { id: "gpt-4o", provider: "openai" };
  expect(
    [null, ["gpt-4o"], ["openai/*"], ["gpt-4o-mini", "google/*"], ["gone"]].map((models) => mayUse({ models }, gpt)),
  ).toEqual([true, true, true, false, false]);
  const targets = [
    { provider: "openai", model: "x" },
    { provider: "fal", model: "y" },
  ];
  expect(usableTargets({ models: ["image-a-3"] }, "image-a-3", targets)).toEqual(targets);
  expect(usableTargets({ models: ["fal/*"] }, "image-a-3", targets)).toEqual([targets[1]!]);
});

test("models are named by any of their names, kept by their ids, and a name that is none tells the nearest", () => {
  const read = (...names: string[]) =>
    readModels(
      createCatalog({ overrides: [{ id: "our-model", provider: "mine" }] }),
      { media_aliases: { "dall-e-3": "image-a-3" } },
      names,
      (text) => new Error(text),
      ["gone"],
    );
  expect(
    read(
      "openai/gpt-4o",
      "gpt-4o",
      "dall-e-3",
      "embed-local",
      "tts-1",
      "openai/text-embedding-3-small",
      "anthropic/*",
      "mine/*",
      "gone",
    ),
  ).toEqual(["gpt-4o", "image-a-3", "embed-local", "tts-1", "text-embedding-3-small", "anthropic/*", "mine/*", "gone"]);
  expect(() => read("gpt-4o", "gpt-4oo")).toThrow('"gpt-4oo" is no model. Did you mean gpt-4o?');
  expect(() => read("opnai/*")).toThrow("Did you mean openai/*?");
  expect(() => read("constructor")).toThrow('"constructor" is no model.');
});

test("a model outside is refused by name on every route, and nothing of it is in the log", async () => {
  const key = await keyFor(["claude-haiku-4-5", "google/*"], { project: "bound" });
  const form = new FormData();
  form.append("file", Bun.file(join(import.meta.dir, "../fixtures/audio/tone.wav")), "tone.wav");
  form.append("model", "transcribe-1");
  const picture = new FormData();
  picture.append("image", new File([TINY_PNG], "dot.png"));
  picture.append("prompt", "a fox");
  for (const [path, body] of [
    ["/v1/chat", { ...hello, model: "gpt-4o" }],
    ["/v1/chat/stream", { ...hello, model: "gpt-4o" }],
    ["/v1/chat/completions", { ...hello, model: "gpt-4o", stream: true }],
    ["/v1/messages", { ...hello, model: "gpt-4o", max_tokens: 50 }],
    ["/v1/responses", { input: "Hello", model: "gpt-4o" }],
    ["/v1/route", { ...hello, model: "gpt-4o" }],
    ["/v1/embeddings", { input: "Hello", model: "text-embedding-3-small" }],
    ["/v1/embeddings", { input: "Hello" }],
    ["/v1/images/generations", { prompt: "a fox" }],
    ["/v1/images/generations", { prompt: "a fox", model: "image-a-2" }],
    ["/v1/video/generations", { prompt: "a fox" }],
    ["/v1/audio/speech", { input: "Hello", model: "tts-1", voice: "alloy" }],
    ["/v1/audio/transcriptions", form],
    ["/v1/audio/translations", form],
    ["/v1/images/edits", picture],
  ] as const) {
    const { status, body: refusal } = await post(key, path, body);
    expect([path, status, refusal.error.type]).toEqual([
      path,
      403,
      path === "/v1/messages" ? "permission_error" : "permission_denied",
    ]);
    expect([path, refusal.error.param, refusal.error.message]).toEqual([
      path,
      "model",
      expect.stringContaining("claude-haiku-4-5, google/*"),
    ]);
  }
  const second = await post(key, "/v1/chat", { ...hello, model: "claude-haiku-4-5", models: ["gemini-2.5-pro", "gpt-4o"] });
  expect([second.status, second.body.error.param]).toEqual([403, "models.1"]);
  expect(((await (await gateway.send(key, "GET", "/v1/logs")).json()) as any).total).toBe(0);
});

test("routing chooses among the key's models, falls back among them, and policies take from them", async () => {
  const key = await keyFor(["claude-haiku-4-5", "mistral/*"], { project: "choosing" });
  const isOurs = (id: string) => id === "claude-haiku-4-5" || id.startsWith("mistral");
  const { body: plan } = await post(key, "/v1/route", hello);
  expect([plan.model, ...plan.fallbacks].filter((id: string) => !isOurs(id))).toEqual([]);
  const { body: failing } = await post(key, "/v1/chat", asked("Explain signals. [[sandbox:error-500]]"));
  expect(isOurs(failing.model)).toBe(true);
  const fallback = await post(key, "/v1/chat", {
    ...asked("Explain. [[sandbox:error-500]]"),
    model: "claude-haiku-4-5",
    allow_fallback: true,
  });
  expect(isOurs(fallback.body.model)).toBe(true);
  const config = { provider_block_list: ["mistral"] };
  await gateway.policy(key, "routing", config);
  expect((await post(key, "/v1/chat", hello)).body.model).toBe("claude-haiku-4-5");
  expect((await post(key, "/v1/chat", { ...hello, model: "mistral-large-4" })).body.model).toBe("claude-haiku-4-5");
  await gateway.policy(key, "routing", { model_allow_list: ["gpt-4o"] });
  expect((await post(key, "/v1/chat", hello)).body.code).toBe("POLICY_BLOCKED");
});

test("the list of models is what the key may use, and a model outside is not found in it", async () => {
  const idsOf = async (key: TestKey) =>
    (((await (await gateway.send(key, "GET", "/v1/models")).json()) as any).data as { id: string }[]).map(({ id }) => id);
  const key = await keyFor(["gpt-4o", "text-embedding-3-small", "stability/*"]);
  expect(await idsOf(key)).toEqual(["auto", "gpt-4o", "text-embedding-3-small", "image-b-3", "video-d"]);
  expect((await gateway.send(key, "GET", "/v1/models/openai/gpt-4o")).status).toBe(200);
  expect((await gateway.send(key, "GET", "/v1/models/gpt-4o-mini")).status).toBe(404);
  expect(await idsOf(await keyFor(["embed-local"]))).toEqual(["embed-local"]);
});

test("media asked for in chat are made by the key's models; without one, the chat is answered in words", async () => {
  const drawing = asked("Draw me a picture of a red fox in the snow");
  expect((await post(await keyFor(["gpt-4o"]), "/v1/chat", drawing)).body).toMatchObject({ model: "gpt-4o" });
  const painter = await keyFor(["gpt-4o", "image-c-dev"]);
  expect((await post(painter, "/v1/chat", drawing)).body.svc.media).toMatchObject({ type: "image", model: "image-c-dev" });
  const onlyPaints = await keyFor(["bfl/*"]);
  expect((await post(onlyPaints, "/v1/chat", drawing)).body.svc.media.model).toStartWith("image-c-");
  expect((await post(onlyPaints, "/v1/route", drawing)).body.model).toStartWith("image-c-");
  expect((await post(onlyPaints, "/v1/images/generations", { prompt: "a fox", model: "image-c-pro" })).status).toBe(200);
});

test("what none of the key's models can take is refused in these words", async () => {
  const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } };
  const blind = await post(
    await keyFor(["gpt-oss-120b", "gpt-oss-20b"]),
    "/v1/chat",
    asked([picture, { type: "text", text: "What?" }]),
  );
  expect([blind.status, blind.body.error.code]).toEqual([400, "no_capable_model"]);
  expect(blind.body.error.message).toContain("None of the models that this key may use (gpt-oss-120b, gpt-oss-20b) can");
  for (const models of [["embed-local"], ["model-that-went-away"]]) {
    const key = await keyFor(models);
    for (const path of ["/v1/chat", "/v1/route"]) {
      const { status, body } = await post(key, path, hello);
      expect([status, body.error.type, body.error.message]).toEqual([
        403,
        "permission_denied",
        expect.stringContaining(models[0]!),
      ]);
    }
  }
  expect((await post(await keyFor(["model-that-went-away", "gpt-4o"]), "/v1/chat", hello)).body.model).toBe("gpt-4o");
  // The owner can set up what the key may use; nobody else's provider stands in for it.
  const live = await gateway.key({ mode: "live", terms: { models: ["gpt-4o"] } });
  expect((await post(live, "/v1/chat", hello)).status).toBe(503);
});

test("OpenAI's client has its own error for it", async () => {
  const { text } = await keyFor(["claude-haiku-4-5"]);
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: text, maxRetries: 0 });
  const create = (model: string) => client.chat.completions.create({ model, messages: [{ role: "user", content: "Hello" }] });
  expect(await refusalOf(create("gpt-4o"))).toBeInstanceOf(OpenAI.PermissionDeniedError);
  expect((await create("auto")).model).toBe("claude-haiku-4-5");
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
