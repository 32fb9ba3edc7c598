/** `POST /v1/audio/translations`: what was said, in English, by the rules of transcriptions. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import OpenAI, { toFile } from "openai";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { mediaStubOfFile, says } from "../support/media-stub.ts";

const PATH = "/v1/audio/translations";
const stub = mediaStubOfFile();
const gateway = await gatewayOfFile({
  environment: {
    OPENAI_API_KEY: "sk-secret",
    OPENAI_BASE_URL: `${stub.url}/openai/v1`,
    GROQ_API_KEY: "gr-secret",
    GROQ_BASE_URL: `${stub.url}/groq/v1`,
    MISTRAL_API_KEY: "mi-secret",
    MISTRAL_BASE_URL: `${stub.url}/mistral/v1`,
  },
});
const key = await gateway.key();
const live = await gateway.key({ mode: "live" });
const tone = await Bun.file(join(import.meta.dir, "../fixtures/audio/tone.wav")).bytes();

const formOf = (fields: Record<string, string | File>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};
const recording = { file: new File([tone], "tone.wav"), model: "transcribe-1" };
const translate = (fields: Record<string, string | File> = {}, as: TestKey = key) =>
  gateway.send(as, "POST", PATH, formOf({ ...recording, ...fields }));
const logOf = (as: TestKey, response: Response): Promise<any> =>
  gateway.read(as, `/v1/logs/${response.headers.get("x-svc-request-id")}`);

test("as json has the text and what it cost by the real length", async () => {
  const response = await translate();
  expect(await response.json()).toEqual({
    text: expect.any(String),
    svc: {
      request_id: response.headers.get("x-svc-request-id"),
      model_used: "transcribe-1",
      audio_duration_seconds: 1.5,
      cost_usd: 0.00015,
      latency_ms: expect.any(Number),
    },
  });
  expect((await logOf(key, response)).metadata).toMatchObject({ kind: "transcription", endpoint: PATH });
});

test("OpenAI's SDK gets every format that it types", async () => {
  const { translations } = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 }).audio;
  const asked = async () => ({ file: await toFile(tone, "tone.wav"), model: "transcribe-1", temperature: 0 });
  expect((await translations.create(await asked())).text).toBeString();
  const verbose = await translations.create({ ...(await asked()), response_format: "verbose_json" });
  expect(verbose).toMatchObject({ language: "en", duration: 1.5, segments: [{ start: 0, end: 1.5, text: verbose.text }] });
  const plain = async (response_format: "text" | "srt" | "vtt"): Promise<unknown> =>
    translations.create({ ...(await asked()), response_format });
  expect(await plain("text")).toBe(`${verbose.text}\n`);
  expect(await plain("srt")).toStartWith("1\n00:00:00,000 --> 00:00:01,500\n");
  expect(await plain("vtt")).toStartWith("WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n");
});

test("is refused where a field is wrong", async () => {
  const cases: [Record<string, string | File>, string][] = [
    [{ file: new File([tone], "tone.txt") }, "file"],
    [{ file: "not a file" }, "file"],
    [{ file: new File(["no sound at all, only words"], "tone.mp3") }, "file"],
    [{ file: new File([new Uint8Array(25 * 1_048_576 + 1)], "big.wav") }, "file"],
    [{ model: "whisper-1" }, "model"],
    [{ model: "" }, "model"],
    [{ response_format: "docx" }, "response_format"],
    [{ temperature: "hot" }, "temperature"],
    [{ temperature: "1.5" }, "temperature"],
    [{ user: "u".repeat(513) }, "user"],
  ];
  for (const [fields, param] of cases) {
    const response = await translate(fields);
    expect([response.status, ((await response.json()) as any).error]).toMatchObject([400, { type: "invalid_request", param }]);
  }
  expect((await gateway.send(key, "POST", PATH, { model: "transcribe-1" })).status).toBe(415);
});

test("only upstreams that translate are asked, each for its model that does", async () => {
  stub.answer({
    "POST /openai/v1/audio/translations": says({ error: { message: "down" } }, 500),
    "POST /groq/v1/audio/translations": says({ text: "Good morning.", language: "german" }),
  });
  const response = await translate({ response_format: "verbose_json", temperature: "0.4", prompt: "Ada", user: "ann" }, live);
  // The language is that of the text, whatever was spoken.
  expect(await response.json()).toMatchObject({ text: "Good morning.", language: "en" });
  const asked = stub.asks.map(({ path, form }) => [path, form!.get("model"), form!.get("temperature"), form!.get("prompt")]);
  const first = ["/openai/v1/audio/translations", "whisper-1", "0.4", "Ada"];
  expect(asked).toEqual([first, first, ["/groq/v1/audio/translations", "whisper-large-v3", "0.4", "Ada"]]);
  expect(await logOf(live, response)).toMatchObject({
    prompt: { text: "Ada" },
    output: { text: "Good morning." },
    metadata: { user_id: "ann" },
    execution: { cost_usd: 0.00015, attempts: [{ provider: "openai" }, { provider: "openai" }, { provider: "groq" }] },
  });
});

test("a model whose upstreams cannot translate says so, whatever the key, and its transcriptions go on", async () => {
  const settings = "media_models:\n  transcribe-1:\n    - { provider: mistral, model: voxtral-mini-latest }\n";
  const other = await gatewayOfFile({ environment: { MISTRAL_API_KEY: "mi-secret" }, settings });
  for (const mode of ["test", "live"] as const) {
    const response = await other.send(await other.key({ mode }), "POST", PATH, formOf(recording));
    expect([response.status, ((await response.json()) as any).error]).toMatchObject([
      400,
      { type: "invalid_request", param: "model", message: expect.stringContaining("translator") },
    ]);
  }
  const heard = await other.send(await other.key(), "POST", "/v1/audio/transcriptions", formOf(recording));
  expect(heard.status).toBe(200);
});

test("a server of the owner's own translates with the model that the settings name", async () => {
  const settings = `providers:
  own:
    base_url: ${stub.url}/own/v1
media_models:
  transcribe-1:
    - { provider: own, model: parakeet, translator: whisper-large-v3 }
`;
  const other = await gatewayOfFile({ settings });
  stub.answer({ "POST /own/v1/audio/translations": says({ text: "Good morning." }) });
  const response = await other.send(await other.key({ mode: "live" }), "POST", PATH, formOf(recording));
  expect(((await response.json()) as any).text).toBe("Good morning.");
  expect(stub.asks[0]!.form!.get("model")).toBe("whisper-large-v3");
});

test("minutes count with those of transcriptions, and are given back where the sandbox fails as told", async () => {
  const free = await gateway.key({ project: "free-translation", tier: "free" });
  const used = async () => (await gateway.read(free, "/v1/usage")).limits.transcription.used;
  expect((await translate({}, free)).status).toBe(200);
  expect((await gateway.send(free, "POST", "/v1/audio/transcriptions", formOf(recording))).status).toBe(200);
  expect((await translate({ prompt: "[[sandbox:error-500:always]]" }, free)).status).toBe(503);
  expect(await used()).toBe(0.05);
  expect((await translate({ prompt: "[[sandbox:refuse]]" }, free)).status).toBe(400);
});

test("content policies review the text as that of a transcript", async () => {
  const guarded = await gateway.key({ project: "guarded-translation" });
  await gateway.policy(guarded, "content", { pii_detection: { enabled: true, action: "redact" } });
  const said = "[[sandbox:reply=Mail me at ada@example.com please.]]";
  const response = await translate({ prompt: said }, guarded);
  expect(await response.json()).toMatchObject({
    text: "Mail me at [REDACTED] please.",
    svc: { content_evaluation: { result: "redact", phase: "post_response" } },
  });
  await gateway.policy(guarded, "content", { blocked_terms: { enabled: true, terms: ["fox"], action: "block" } });
  const blocked = await translate({ prompt: "[[sandbox:reply=The fox.]]" }, guarded);
  expect([blocked.status, ((await blocked.json()) as any).error.code]).toEqual([403, "CONTENT_BLOCKED"]);
});
