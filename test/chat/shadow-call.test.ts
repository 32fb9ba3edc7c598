import { expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson } from "../support/known-call.ts";

const gateway = await gatewayOfFile();

const ask = async (key: TestKey, path = "/v1/chat", prompt = "Write a poem about rain") => {
  const response = await gateway.send(key, "POST", path, { model: "gpt-4o", messages: [{ role: "user", content: prompt }] });
  await response.text();
  expect(response.status).toBe(200);
  await gateway.platform.background.idle();
  return getJson(gateway, key, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
};

test.each(["/v1/chat", "/v1/chat/stream"])(
  "after an answer of %s the shadow model is asked the same, beside the call and its cost",
  async (path) => {
    const key = await gateway.key({ project: "shadowed", settings: { shadow: { model: "gpt-4o-mini", sampleRate: 1 } } });
    const detail = await ask(key, path);
    expect(detail.shadow_call).toMatchObject({ executed: true, shadow_model: "gpt-4o-mini", quality_comparison: "similar" });
    expect(detail.shadow_call.shadow_cost_usd).toBeGreaterThan(0);
    expect(detail.execution.attempts).toHaveLength(1);
    expect(detail.execution.cost_usd).toBe(detail.execution.attempts[0].cost_usd);
  },
);

test("a shadow that does worse is said to", async () => {
  const key = await gateway.key({ project: "worse", settings: { shadow: { model: "gpt-4o-mini", sampleRate: 1 } } });
  // The call's own retry mends the refusal; the shadow has one attempt.
  expect((await ask(key, "/v1/chat", "Write a poem about rain [[sandbox:refuse]]")).shadow_call.quality_comparison).toBe("worse");
});

test.each([
  ["the sample does not fall on the call", { shadow: { model: "gpt-4o-mini", sampleRate: 0 } }],
  ["the shadow is the model that answered", { shadow: { model: "gpt-4o", sampleRate: 1 } }],
  ["the shadow model answers recordings only", { shadow: { model: "gpt-audio-1.5", sampleRate: 1 } }],
  ["nobody knows the shadow model", { shadow: { model: "no-such-model", sampleRate: 1 } }],
])("no shadow runs where %s", async (name, settings) => {
  const key = await gateway.key({ project: name, settings });
  expect((await ask(key)).shadow_call).toMatchObject({ executed: false, shadow_model: null });
});

test("no shadow runs beside an answer that is given again, or a picture, whole and streamed", async () => {
  for (const prompt of ["Write a poem about rain", "Draw an image of the rain"]) {
    const key = await gateway.key({
      project: prompt,
      settings: { shadow: { model: "gpt-4o-mini", sampleRate: 1 }, cache: { ttlS: 60 } },
    });
    const body = { messages: [{ role: "user", content: prompt }] };
    await (await gateway.send(key, "POST", "/v1/chat", body)).text();
    for (const path of ["/v1/chat", "/v1/chat/stream"]) {
      const response = await gateway.send(key, "POST", path, body);
      expect(response.status).toBe(200);
      expect(await response.text()).toEndWith(path === "/v1/chat" ? "}" : "data: [DONE]\n\n");
      await gateway.platform.background.idle();
      const detail = await getJson(gateway, key, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
      expect(detail.shadow_call.executed).toBe(false);
    }
  }
});

test("a provider that a policy blocks is not asked as a shadow either", async () => {
  const key = await gateway.key({ project: "blocked", settings: { shadow: { model: "claude-haiku-4-5", sampleRate: 1 } } });
  await gateway.policy(key, "routing", { provider_block_list: ["anthropic"] });
  expect((await ask(key)).shadow_call.executed).toBe(false);
});
