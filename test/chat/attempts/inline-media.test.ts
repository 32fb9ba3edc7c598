/** Pictures that are fetched for a provider that takes bytes only: a few at once, not without end, and a refusal names the caller's own field. */

import { afterAll, expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { json, upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { completion } from "../../support/vendor-answers.ts";

const nothingThere = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(null, { status: 404 }),
});
const gallery = { picture: new Uint8Array(), type: "image/png", asked: 0, open: 0, mostOpen: 0 };
const pictures = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async () => {
    gallery.asked++;
    gallery.mostOpen = Math.max(gallery.mostOpen, ++gallery.open);
    // Whoever asks for all at once does so before any is answered.
    await Bun.sleep(5);
    gallery.open--;
    return new Response(gallery.picture, { headers: { "content-type": gallery.type } });
  },
});
const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  settings: `
providers: { lmstudio: { base_url: "${upstream.url}/v1" } }
models: [{ id: local-eyes, provider: lmstudio, abilities: [vision] }]
`,
  environment: {
    GEMINI_API_KEY: "upstream",
    GEMINI_BASE_URL: upstream.url,
    SIGNALBOX_ALLOWED_HOSTS: `127.0.0.1:${nothingThere.port},127.0.0.1:${pictures.port}`,
  },
});
const key = await gateway.key({ mode: "live" });
afterAll(() => Promise.all([nothingThere, pictures].map((server) => server.stop(true))));

test("whatever stands before the message: instructions, a system prompt, an earlier turn, results of tools", async () => {
  const url = `http://127.0.0.1:${nothingThere.port}/a.png`;
  const asked: [path: string, param: string, body: object][] = [
    [
      "/v1/responses",
      "input.1.content.0.image_url",
      {
        instructions: "Be brief.",
        input: [
          { role: "user", content: "Hello" },
          { role: "user", content: [{ type: "input_image", image_url: url }] },
        ],
      },
    ],
    [
      "/v1/messages",
      "messages.0.content.1.source.url",
      {
        model: "auto",
        max_tokens: 20,
        system: "Be brief.",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "" },
              { type: "image", source: { type: "url", url } },
            ],
          },
        ],
      },
    ],
    [
      "/v1/chat/completions",
      "messages.1.content.0.image_url.url",
      {
        model: "auto",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: [{ type: "image_url", image_url: { url } }] },
        ],
      },
    ],
  ];
  for (const [path, param, body] of asked) {
    const response = await gateway.send(key, "POST", path, body);
    const { error } = (await response.json()) as any;
    expect([path, response.status]).toEqual([path, 400]);
    expect(error.message).toContain(`\`${param}\``);
  }
});

const askOf = (pictureCount: number) => {
  Object.assign(gallery, { asked: 0, mostOpen: 0 });
  const url = `http://127.0.0.1:${pictures.port}/a.png`;
  const parts = Array.from({ length: pictureCount }, () => ({ type: "image_url", image_url: { url } }));
  return gateway.send(key, "POST", "/v1/chat", {
    messages: [{ role: "user", content: [{ type: "text", text: "Which?" }, ...parts] }],
  });
};

test("many are fetched a few at a time, and each comes to its own place", async () => {
  upstream.answer(
    json({ candidates: [{ content: { parts: [{ text: "The first one." }] }, finishReason: "STOP" }], usageMetadata: {} }),
  );
  gallery.picture = new Uint8Array(1_000);
  const response = await askOf(40);
  expect([response.status, gallery.asked]).toEqual([200, 40]);
  expect(gallery.mostOpen).toBeLessThanOrEqual(6);
  const { parts } = upstream.seen[0]!.body.contents[0];
  expect(parts.map((part: any) => Object.keys(part)[0])).toEqual(["text", ...Array.from({ length: 40 }, () => "inlineData")]);
});

test("a local server that takes OpenAI's format gets the bytes as well", async () => {
  upstream.answer(completion("One."));
  gallery.picture = new Uint8Array(10);
  const part = { type: "image_url", image_url: { url: `http://127.0.0.1:${pictures.port}/a.png` } };
  const body = { model: "local-eyes", messages: [{ role: "user", content: [part] }] };
  expect((await gateway.send(key, "POST", "/v1/chat", body)).status).toBe(200);
  expect(upstream.seen[0]!.body.messages[0].content[0].image_url.url).toStartWith("data:image/png;base64,");
});

test("a server's word for a picture does not count where its bytes say what it is", async () => {
  upstream.answer(
    json({ candidates: [{ content: { parts: [{ text: "The first one." }] }, finishReason: "STOP" }], usageMetadata: {} }),
  );
  Object.assign(gallery, { picture: Buffer.from("R0lGODlhAQABAIAAAAAAAP///w==", "base64"), type: "application/octet-stream" });
  expect((await askOf(1)).status).toBe(200);
  expect(upstream.seen[0]!.body.contents[0].parts[1].inlineData.mimeType).toBe("image/gif");
  Object.assign(gallery, { picture: Buffer.from("<html>"), type: "text/html" });
  expect((await askOf(1)).status).toBe(400);
  gallery.type = "image/png";
});

test("a small request does not make the gateway hold any number of them: beyond a bound it is refused, and no more are fetched", async () => {
  gallery.picture = new Uint8Array(10_000_000);
  const response = await askOf(40);
  const { error } = (await response.json()) as any;
  expect([response.status, error.type, error.param]).toEqual([
    400,
    "invalid_request",
    expect.stringMatching(/^messages\.0\.content\.\d+\.image_url\.url$/),
  ]);
  expect(gallery.asked).toBeLessThan(20);
});
