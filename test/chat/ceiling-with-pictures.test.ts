/** A ceiling is a guarantee also for models whose vendor bills a picture at many times the usual tokens. */

import { expect, test } from "bun:test";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { startUpstreamStub } from "../support/upstream-stub.ts";
import { completion } from "../support/vendor-answers.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key({ mode: "test" });

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const ask = async (model: string, ceilingUsd: number, detail: "low" | "high", at: Gateway = gateway, as: TestKey = key) => {
  const response = await at.send(as, "POST", "/v1/chat", {
    model,
    max_cost_per_call: ceilingUsd,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What colour is this?" },
          { type: "image_url", image_url: { url: PIXEL, detail } },
        ],
      },
    ],
  });
  return { status: response.status, body: (await response.json()) as any };
};

// GPT-4o mini: 48,169 tokens at 0.15 USD a million are 0.0072 USD, GPT-4o: 1,445 at 2.50 are 0.0036.
test("a ceiling below what the picture alone may cost is refused, with the least cost", async () => {
  const { status, body } = await ask("gpt-4o-mini", 0.006, "high");
  expect([status, body.error.code]).toEqual([400, "cost_ceiling_unreachable"]);
  expect(Number(/costs (0\.\d+) USD/.exec(body.error.message)?.[1])).toBeGreaterThan(0.0072);
});

test("the same ceiling is enough where the picture is billed at fewer tokens", async () => {
  expect((await ask("gpt-4o-mini", 0.006, "low")).status).toBe(200);
  expect((await ask("gpt-4o", 0.006, "high")).status).toBe(200);
});

test("a model is told to stop where the picture leaves the ceiling no more", async () => {
  using upstream = startUpstreamStub();
  const environment = { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: `${upstream.url}/v1` };
  await using served = await startGateway({ environment });
  upstream.answer(completion("White."));
  const live = await served.key({ mode: "live" });
  const { body } = await ask("gpt-4o-mini", 0.006, "high", served, live);
  const leastUsd = Number(/costs (0\.\d+) USD/.exec(body.error.message)?.[1]);
  // 0.0003 USD are 500 tokens of output; what the picture costs would be more than 10,000.
  expect((await ask("gpt-4o-mini", leastUsd + 0.0003, "high", served, live)).status).toBe(200);
  expect(upstream.seen[0]!.body.max_completion_tokens ?? upstream.seen[0]!.body.max_tokens).toBeLessThan(1_000);
});
