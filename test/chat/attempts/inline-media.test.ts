/** A picture that cannot be fetched for a provider that takes bytes only: the refusal names the caller's own field. */

import { afterAll, expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";

const nothingThere = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(null, { status: 404 }),
});
const gateway = await gatewayOfFile({
  environment: { GEMINI_API_KEY: "upstream", SIGNALBOX_ALLOWED_HOSTS: `127.0.0.1:${nothingThere.port}` },
});
const key = await gateway.key({ mode: "live" });
afterAll(() => nothingThere.stop(true));

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
