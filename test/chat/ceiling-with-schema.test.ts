/** The ceiling holds over the attempts that mend an answer, too: what the model is shown of its last one is prompt to pay for. */

import { expect, test } from "bun:test";
import { estimateTokens } from "../../src/lib/estimate-tokens.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { type Answer, upstreamStubOfFile } from "../support/upstream-stub.ts";

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

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1` } });
const key = await gateway.key({ mode: "live" });

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
