/** Other names of media models, for programs that cannot be told ours. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile({
  settings:
    "media_aliases: { gpt-image-1: image-a-3, dall-e-3: image-a-3, gpt-4o-mini-tts: tts-1, whisper-1: transcribe-1, sora-2: video-c }\n",
});
const key = await gateway.key();
const modelUsed = async (response: Response) => (await response.json()) as any;

test("name the same models on every media path", async () => {
  const speech = await gateway.send(key, "POST", "/v1/audio/speech", { model: "gpt-4o-mini-tts", voice: "alloy", input: "hi" });
  expect([speech.status, speech.headers.get("x-svc-model-used")]).toEqual([200, "tts-1"]);
  const form = new FormData();
  form.set("file", new Blob([await speech.bytes()]), "hi.mp3");
  form.set("model", "whisper-1");
  const headers = { authorization: `Bearer ${key.text}` };
  const heard = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: "POST", headers, body: form });
  expect((await modelUsed(heard)).svc.model_used).toBe("transcribe-1");
  const image = await gateway.send(key, "POST", "/v1/images/generations", { model: "dall-e-3", prompt: "a red fox" });
  expect((await modelUsed(image)).svc.model_used).toBe("image-a-3");
  const video = await gateway.send(key, "POST", "/v1/video/generations", { model: "sora-2", prompt: "a red fox" });
  expect((await modelUsed(video)).model).toBe("video-c");
});

test("a picture asked for by another name comes in base64 as well, as GPT image models send it", async () => {
  const formsOf = async (fields: object) => {
    const response = await gateway.send(key, "POST", "/v1/images/generations", { prompt: "a red fox", ...fields });
    return Object.keys((await modelUsed(response)).data[0]).sort();
  };
  expect(await formsOf({ model: "gpt-image-1" })).toEqual(["b64_json", "revised_prompt", "url"]);
  expect(await formsOf({ model: "gpt-image-1", response_format: "url" })).toEqual(["revised_prompt", "url"]);
  for (const ours of [{}, { model: "image-a-3" }]) expect(await formsOf(ours)).toEqual(["revised_prompt", "url"]);
});

test("other names are unknown still, and are told shortened", async () => {
  const long = await gateway.send(key, "POST", "/v1/images/generations", { model: "x".repeat(10_000), prompt: "a red fox" });
  expect((await modelUsed(long)).error.message.length).toBeLessThan(400);
  const response = await gateway.send(key, "POST", "/v1/images/generations", { model: "constructor", prompt: "a red fox" });
  const message = expect.stringMatching(/it was "constructor"\. `media_aliases` in signalbox\.yaml gives them other names\.$/);
  expect((await modelUsed(response)).error).toMatchObject({ type: "invalid_request", param: "model", message });
});

test("auto is what OpenAI's newer models call the default size and quality", async () => {
  const image = await gateway.send(key, "POST", "/v1/images/generations", { prompt: "a red fox", size: "auto", quality: "auto" });
  expect((await modelUsed(image)).svc).toMatchObject({ size: "1024x1024", quality: "standard" });
});
