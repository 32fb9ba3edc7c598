/** The ceiling holds over the attempts that mend an answer, too: what the model is shown of its last one is prompt to pay for. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { estimateTokens } from "../../src/lib/estimate-tokens.ts";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";
import { type Answer, startUpstreamStub, type UpstreamStub } from "../support/upstream-stub.ts";

let gateway: Gateway;
let upstream: UpstreamStub;
let key: TestKey;

/** Bills what it was sent, and all the words it may make. */
const billing =
  (word: string): Answer =>
  ({ body }) => {
    const { max_completion_tokens: most, messages, response_format: format } = body;
    const prompt = estimateTokens(JSON.stringify(messages)) + (format?.json_schema ? estimateTokens(JSON.stringify(format)) : 0);
    return Response.json({
      choices: [{ index: 0, message: { role: "assistant", content: word.repeat(Math.min(most, 3_000)) }, finish_reason: "stop" }],
      usage: { prompt_tokens: prompt, completion_tokens: Math.min(most, 3_000) },
    });
  };

beforeAll(async () => {
  upstream = startUpstreamStub();
  gateway = await startGateway({ environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1` } });
  key = await gateway.key({ mode: "live" });
});
afterAll(async () => {
  await gateway.stop();
  upstream.stop();
});

const schema = { type: "object", properties: { age: { type: "integer" } }, required: ["age"], additionalProperties: false };

test("mending an answer, and asking for JSON in words, stay below the ceiling", async () => {
  upstream.answer(billing("word "));
  for (const asked of [{ schema }, { response_format: { type: "json_object" } }]) {
    for (const max_cost_per_call of [0.0005, 0.002, 0.005, 0.02]) {
      const messages = [{ role: "user", content: "Who is Ada?" }];
      const response = await gateway.send(key, "POST", "/v1/chat", { messages, max_cost_per_call, ...asked });
      expect(((await response.json()) as any).svc.cost_usd).toBeLessThanOrEqual(max_cost_per_call);
    }
  }
});
