/** How each vendor is asked to edit pictures. */

import { expect, test } from "bun:test";
import { bfl } from "../../../src/providers/media/bfl.ts";
import { fal } from "../../../src/providers/media/fal.ts";
import { geminiImages } from "../../../src/providers/media/gemini-images.ts";
import { openAiImages } from "../../../src/providers/media/openai-images.ts";
import type { EditRequest, Picture } from "../../../src/providers/media-calls.ts";
import { contextFor, endpointAt, mediaStubOfFile, says, TINY_PNG } from "../../support/media-stub.ts";

const stub = mediaStubOfFile();
const endpoint = endpointAt(stub.url);
const drawn = says({ data: [{ b64_json: TINY_PNG.toString("base64") }] });
const picture = (byte: number): Picture => ({ bytes: new Uint8Array([byte]), mediaType: "image/webp", extension: "webp" });
const ask = (changes: Partial<EditRequest> = {}): EditRequest => ({
  prompt: "Put a hat on it.",
  n: 1,
  width: 1360,
  height: 768,
  quality: "standard",
  style: "vivid",
  pictures: [picture(1)],
  ...changes,
});
const posted = () => stub.asks.find(({ method }) => method === "POST")!;

test("a server that imitates OpenAI gets a form, without response_format once it has refused it", async () => {
  stub.answer({
    "POST /images/edits": (request) =>
      request.form!.has("response_format")
        ? Response.json({ error: { message: "Unknown parameter: response_format" } }, { status: 400 })
        : drawn(request),
  });
  const server = openAiImages(endpoint);
  for (const pictures of [[picture(1)], [picture(1), picture(2)]])
    await server.edit("qwen-edit", ask({ pictures }), contextFor());
  expect(
    stub.asks.map(({ form }) => [...form!.keys()].filter((name) => !["model", "prompt", "n", "size"].includes(name))),
  ).toEqual([["response_format", "image"], ["image"], ["image[]", "image[]"]]);
  const file = stub.asks[0]!.form!.get("image") as unknown as File;
  expect([file.name, file.type, stub.asks[0]!.form!.get("size")]).toEqual(["picture.webp", "image/webp", "1360x768"]);
});

test("Google gets the pictures before the words, and the shape", async () => {
  const data = TINY_PNG.toString("base64");
  stub.answer({ "POST /": says({ candidates: [{ content: { parts: [{ inlineData: { mimeType: "image/png", data } }] } }] }) });
  const made = await geminiImages(endpoint).edit("nano", ask({ n: 2, pictures: [picture(1), picture(2)] }), contextFor());
  expect(made).toEqual([{ bytes: new Uint8Array(TINY_PNG) }, { bytes: new Uint8Array(TINY_PNG) }]);
  expect([stub.asks.length, posted().path]).toEqual([2, "/v1beta/models/nano:generateContent"]);
  expect(posted().json).toEqual({
    contents: [
      {
        role: "user",
        parts: [
          { inlineData: { mimeType: "image/webp", data: "AQ==" } },
          { inlineData: { mimeType: "image/webp", data: "Ag==" } },
          { text: "Put a hat on it." },
        ],
      },
    ],
    generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "16:9" } },
  });
});

test("FLUX Kontext gets base64 under numbered names", async () => {
  stub.answer({
    "POST /v1/flux-kontext-pro": says({ id: "t1" }),
    "GET /v1/get_result": says({ status: "Ready", result: { sample: "https://b.example.com/a.png" } }),
  });
  const made = await bfl(endpoint).edit("flux-kontext-pro", ask({ pictures: [picture(1), picture(2)] }), contextFor());
  expect(made).toEqual([{ url: "https://b.example.com/a.png" }]);
  expect(posted().json).toEqual({
    prompt: "Put a hat on it.",
    input_image: "AQ==",
    input_image_2: "Ag==",
    aspect_ratio: "16:9",
    output_format: "png",
  });
});

test.each<[string, object]>([
  [
    "openai/gpt-image-2/edit",
    { image_urls: ["data:image/webp;base64,AQ=="], image_size: { width: 1360, height: 768 }, quality: "medium" },
  ],
  ["fal-ai/flux-pro/kontext", { image_url: "data:image/webp;base64,AQ==", aspect_ratio: "16:9" }],
  ["fal-ai/flux-kontext/dev", { image_url: "data:image/webp;base64,AQ==", resolution_mode: "16:9" }],
  ["fal-ai/nano-banana/edit", { image_urls: ["data:image/webp;base64,AQ=="], aspect_ratio: "16:9" }],
])("fal's %s gets the fields that it has", async (model, fields) => {
  stub.answer({
    "POST /": says({ request_id: "r1" }),
    "GET /": ({ path }) =>
      Response.json(path.endsWith("/status") ? { status: "COMPLETED" } : { images: [{ url: "https://f.example.com/a" }] }),
  });
  expect(await fal(endpoint).edit(model, ask(), contextFor())).toEqual([{ url: "https://f.example.com/a" }]);
  expect(posted().path).toBe(`/${model}`);
  expect(posted().json).toEqual({ prompt: "Put a hat on it.", output_format: "png", num_images: 1, ...fields });
});
