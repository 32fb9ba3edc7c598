/** The only provider asks for a moment: the caller gets the answer a little later, not a refusal. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { json, sse, upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { completion } from "../../support/vendor-answers.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-one", OPENAI_BASE_URL: `${upstream.url}/v1` } });
const key = await gateway.key({ mode: "live" });

const busy = (headers: Record<string, string>) => json({ error: { message: "slow down", type: "requests" } }, 429, headers);
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const whole = completion("All clear.", usage);
const streamed = sse([
  { choices: [{ index: 0, delta: { content: "All clear." }, finish_reason: "stop" }] },
  { choices: [], usage },
]);

const ask = (path: string, more: object = {}) =>
  gateway.send(key, "POST", path, { messages: [{ role: "user", content: "How are the signals?" }], ...more });

test("whole and streamed, routed and pinned", async () => {
  for (const [path, answer] of [
    ["/v1/chat", whole],
    ["/v1/chat/stream", streamed],
  ] as const) {
    for (const more of [{}, { model: "gpt-4o-mini" }]) {
      upstream.answer(busy({ "retry-after-ms": "300" }), answer);
      const asked = upstream.seen.length;
      const response = await ask(path, more);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).toContain("All clear.");
      // The same model, once more: not all that share the limit.
      const models = upstream.seen.slice(asked).map(({ body }) => body.model);
      expect([models.length, new Set(models).size]).toEqual([2, 1]);
    }
  }
});

test("a long wait is the caller's to decide: 503, with the time", async () => {
  upstream.answer(busy({ "retry-after": "45" }));
  const response = await ask("/v1/chat", { model: "gpt-4o" });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(40);
});

test("a provider that rests holds up no test key, nor does the sandbox's failure wait for it", async () => {
  const sandbox = await gateway.key({ mode: "test" });
  gateway.platform.providers.health.record("openai", "gpt-4o", { ok: false, kind: "rate_limit", retryAfterMs: 45_000 });
  const asked = (text: string) =>
    gateway.send(sandbox, "POST", "/v1/chat", { model: "gpt-4o", messages: [{ role: "user", content: text }] });
  expect((await asked("How are the signals?")).status).toBe(200);
  const failed = await asked("[[sandbox:error-500:always]] How are the signals?");
  expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "5"]);
});
