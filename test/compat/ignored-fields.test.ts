/** What docs/compatibility.md says is ignored: it is taken, and changes nothing. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import OpenAI from "openai";
import { type Gateway, startGateway } from "../support/gateway.ts";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

test("several choices and log probabilities are not made: one answer, as without them", async () => {
  const client = new OpenAI({ apiKey: (await gateway.key()).text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const asked = { model: "auto", messages: [{ role: "user" as const, content: "Which planet is the largest?" }] };
  const plain = await client.chat.completions.create(asked);
  const more = await client.chat.completions.create({
    ...asked,
    n: 3,
    logprobs: true,
    top_logprobs: 5,
    logit_bias: { "50256": -100 },
    store: true,
    service_tier: "auto",
  });
  expect(more.choices).toEqual(plain.choices);
  expect(more.choices).toMatchObject([{ index: 0, logprobs: null, finish_reason: "stop" }]);
  expect(more.usage).toEqual(plain.usage!);
});
