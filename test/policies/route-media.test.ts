import { describe, expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "media-policies", tier: "pro" });

const under = async (config: object, check: () => Promise<void>) => {
  const made = await gateway.send(key, "POST", "/v1/policies", { name: "rule", policy_type: "routing", config });
  const { id } = (await made.json()) as { id: string };
  try {
    await check();
  } finally {
    await gateway.send(key, "DELETE", `/v1/policies/${id}`);
  }
};

const MEDIA = [
  ["/v1/images/generations", { prompt: "a lamp" }],
  ["/v1/video/generations", { prompt: "a lamp" }],
  ["/v1/audio/speech", { model: "tts-1", input: "a lamp", voice: "alloy" }],
] as const;

describe("routing policies on media routes", () => {
  test.each(MEDIA)("refuse %s with spec.md's body where no provider is left, and the log has the refusal", async (path, body) => {
    await under({ provider_allow_list: ["nobody"], on_violation: "soft_block" }, async () => {
      const refused = await gateway.send(key, "POST", path, body);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({
        error: expect.any(String),
        code: "POLICY_BLOCKED",
        message: expect.stringContaining("rule: Provider "),
        policy_evaluation: { result: "hard_block", violations: [{ policy_name: "rule", rule: "provider_allow_list" }] },
      });
      const log = (await (await gateway.send(key, "GET", "/v1/logs?limit=1")).json()) as any;
      expect(log.logs[0].execution).toMatchObject({ success: false, status: 403, error_type: "policy_blocked" });
    });
  });

  test.each(MEDIA)("let %s pass where the model is allowed or the policy only warns", async (path, body) => {
    await under({ provider_block_list: ["nobody"], on_violation: "hard_block" }, async () => {
      expect((await gateway.send(key, "POST", path, body)).status).toBeLessThan(300);
    });
    await under({ provider_allow_list: ["nobody"], on_violation: "warn" }, async () => {
      const warned = await gateway.send(key, "POST", path, body);
      expect(warned.status).toBeLessThan(300);
      await warned.bytes();
      const row = await gateway.send(key, "GET", `/v1/logs/${warned.headers.get("x-svc-request-id")}`);
      const { policies } = (await row.json()) as any;
      expect(policies.policy_evaluation).toMatchObject({ result: "warn", violations: [{ rule: "provider_allow_list" }] });
    });
  });

  test("hold a picture's price against the ceiling", async () => {
    await under({ cost_ceiling_usd: 0.04, on_violation: "hard_block" }, async () => {
      const picture = { prompt: "a lamp", model: "image-a-3" };
      expect((await gateway.send(key, "POST", "/v1/images/generations", picture)).status).toBe(200);
      expect((await gateway.send(key, "POST", "/v1/images/generations", { ...picture, quality: "hd" })).status).toBe(403);
    });
  });

  test("hold for embeddings that a provider makes, not for those made on this machine", async () => {
    await under({ provider_block_list: ["openai"], on_violation: "hard_block" }, async () => {
      const remote = await gateway.send(key, "POST", "/v1/embeddings", { model: "text-embedding-3-small", input: "a lamp" });
      expect(remote.status).toBe(403);
      expect(await remote.json()).toMatchObject({
        error: { type: "policy_blocked", code: "POLICY_BLOCKED" },
        policy_evaluation: { result: "hard_block" },
      });
      expect((await gateway.send(key, "POST", "/v1/embeddings", { model: "embed-local", input: "a lamp" })).status).toBe(200);
    });
  });
});

describe("content policies on embeddings", () => {
  test("block an input where a policy reviews prompts, and keep personal data out of the log", async () => {
    const config = { evaluate_input: true, redact_logs: true, pii_detection: { types: ["email"], action: "block" } };
    const made = await gateway.send(key, "POST", "/v1/policies", { name: "input", policy_type: "content", config });
    const { id } = (await made.json()) as { id: string };
    const ask = (input: string[]) => gateway.send(key, "POST", "/v1/embeddings", { model: "embed-local", input });
    const refused = await ask(["fine", "ann@example.com"]);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      error: { code: "CONTENT_BLOCKED" },
      content_evaluation: { phase: "pre_request", pii_count: 1 },
    });
    const log = (await (await gateway.send(key, "GET", "/v1/logs?limit=1")).json()) as any;
    expect(log.logs[0].prompt.text).toBe("fine\n[REDACTED]");
    expect((await ask(["fine"])).status).toBe(200);
    await gateway.send(key, "DELETE", `/v1/policies/${id}`);
  });
});
