import { beforeAll, describe, expect, test } from "bun:test";
import { STEP_CHARACTERS } from "../../src/policies/content/review-stream.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { record } from "../support/known-call.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "looking-back", tier: "pro" });
beforeAll(async () => {
  const now = gateway.clock.now();
  await record(
    gateway,
    key,
    {
      id: "call_a",
      startedAtMs: now - 4_000,
      model: "gpt-4o",
      provider: "openai",
      costNanoUsd: 50_000_000,
      outputText: "Write to ann@example.com or bob@example.com",
    },
    {
      id: "call_b",
      startedAtMs: now - 3_000,
      model: "claude",
      provider: "anthropic",
      costNanoUsd: 1_000,
      outputText: "Nothing here.",
    },
    { id: "call_c", startedAtMs: now - 2_000, model: "gpt-4o", provider: "openai", costNanoUsd: 1_000, outputText: "Fine." },
  );
});

const dryRun = async (body: unknown, as = key) => {
  const response = await gateway.send(as, "POST", "/v1/policies/dry-run", body);
  return { status: response.status, body: (await response.json()) as any };
};

describe("a dry run", () => {
  test("tells what a routing policy would have done to the last calls, newest first", async () => {
    const { status, body } = await dryRun({
      policy_type: "routing",
      config: { provider_block_list: ["openai"], cost_ceiling_usd: 0.01, on_violation: "hard_block" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      policy_type: "routing",
      calls_read: 3,
      calls_evaluated: 3,
      results: { allow: 1, hard_block: 2 },
    });
    expect(body.calls.map((call: any) => [call.call_id, call.violations.map(({ rule }: any) => rule)])).toEqual([
      ["call_c", ["provider_block_list"]],
      ["call_a", ["provider_block_list", "cost_ceiling_usd"]],
    ]);
  });

  test("knows a model's other names, and that no policy forbids web search or the local encoder", async () => {
    const own = await gateway.key({ project: "names", tier: "pro" });
    const ask = (path: string, body: object) => gateway.send(own, "POST", path, body);
    await ask("/v1/chat", { model: "claude-haiku-4-5", messages: [{ role: "user", content: "Hello" }] });
    await ask("/v1/tools/search", { query: "rails" });
    await ask("/v1/embeddings", { model: "embed-local", input: "rails" });
    await ask("/v1/embeddings", { model: "text-embedding-3-small", input: "rails" });
    await ask("/v1/images/generations", { model: "image-a-2", prompt: "rails" });
    const blockedBy = async (config: object): Promise<string[]> => {
      const { body } = await dryRun({ policy_type: "routing", config: { ...config, on_violation: "hard_block" } }, own);
      return body.calls.map(({ model }: { model: string }) => model);
    };
    expect(await blockedBy({ model_block_list: ["claude-haiku-4-5-20251001"] })).toEqual(["claude-haiku-4-5"]);
    expect(await blockedBy({ model_block_list: ["openai/gpt-image-2"] })).toEqual(["image-a-2"]);
    const allowed = ["gpt-4o", "gpt-image-2"];
    expect(await blockedBy({ model_allow_list: allowed })).toEqual(["text-embedding-3-small", "claude-haiku-4-5"]);
  });

  test("reviews the query of a web search, but not what was found", async () => {
    const own = await gateway.key({ project: "searches", tier: "pro" });
    await gateway.send(own, "POST", "/v1/tools/search", { query: "rails" });
    const results = async (more: object) => {
      const config = { blocked_terms: { terms: ["rails"], action: "block" }, ...more };
      return (await dryRun({ policy_type: "content", config }, own)).body.results;
    };
    expect([await results({}), await results({ evaluate_input: true })]).toEqual([{ allow: 1 }, { block: 1 }]);
  });

  test("reviews what was asked of media, but not the links to them", async () => {
    const own = await gateway.key({ project: "media", tier: "pro" });
    const ask = (path: string, body: object) => gateway.send(own, "POST", path, body);
    await ask("/v1/images/generations", { prompt: "a kite at 10.1.2.3" });
    await ask("/v1/audio/speech", { model: "tts-1", voice: "nova", input: "a kite at 10.1.2.3" });
    await ask("/v1/chat", { messages: [{ role: "user", content: "Draw a picture of a kite at 10.1.2.3" }] });
    const results = async (more: object) => {
      const parts = { pii_detection: { enabled: true, types: ["ip_address"] }, blocked_terms: { enabled: true, terms: ["mp3"] } };
      const config = { ...parts, on_violation: "hard_block", ...more };
      return (await dryRun({ policy_type: "content", config }, own)).body.results;
    };
    expect([await results({}), await results({ evaluate_input: true })]).toEqual([{ allow: 3 }, { block: 3 }]);
  });

  test("counts what a content policy would have found, without giving a text away", async () => {
    const { body } = await dryRun({ template: "pii-protection", last_n: 10 });
    expect(body).toMatchObject({
      calls_evaluated: 3,
      results: { allow: 2, redact: 1 },
      calls: [{ call_id: "call_a", result: "redact", pii_count: 2, found: { email: 2 } }],
    });
    expect(JSON.stringify(body)).not.toContain("example.com");
  });

  test("takes a stored policy, also one that is switched off, and looks no further back than asked", async () => {
    const made = await gateway.send(key, "POST", "/v1/policies", { template: "no-vendor-a", enabled: false });
    const { id } = (await made.json()) as { id: string };
    expect((await dryRun({ policy_id: id, last_n: 2 })).body).toMatchObject({
      calls_read: 2,
      results: { soft_block: 1, allow: 1 },
    });
    expect((await dryRun({ policy_id: id, config: {} })).body.error.param).toBe("policy_id");
    expect((await dryRun({ policy_id: "pol_unknown" })).status).toBe(404);
  });

  test("leaves out calls that no model answered, or whose texts are not stored", async () => {
    const quiet = await gateway.key({ project: "quiet" });
    const startedAtMs = gateway.clock.now();
    await record(gateway, quiet, { startedAtMs, model: undefined, provider: undefined });
    const order = { policy_type: "routing", config: { provider_block_list: ["openai"] } };
    expect((await dryRun(order, quiet)).body).toMatchObject({ calls_read: 1, calls_evaluated: 0, results: {}, calls: [] });
  });

  test("counts every call, and names a hundred at most", async () => {
    const busy = await gateway.key({ project: "busy" });
    await record(gateway, busy, ...Array.from({ length: 101 }, () => ({ startedAtMs: gateway.clock.now() })));
    const order = { policy_type: "routing", config: { provider_block_list: ["openai"] }, last_n: 200 };
    const { body } = await dryRun(order, busy);
    expect([body.calls_evaluated, body.results, body.calls.length]).toEqual([101, { soft_block: 101 }, 100]);
  });

  test("lets others be served while it reads long calls", async () => {
    const long = await gateway.key({ project: "long", tier: "pro" });
    const text = "Nothing stands in here. ".repeat(200_000);
    await record(gateway, long, { startedAtMs: gateway.clock.now(), outputText: text });
    const order = { policy_type: "content", config: { pii_detection: { enabled: true } } };
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const { body } = await dryRun(order, long).finally(() => clearImmediate(timer));
    expect(body).toMatchObject({ calls_evaluated: 1, results: { allow: 1 } });
    // One for each of its steps.
    expect(turns).toBeGreaterThan(text.length / STEP_CHARACTERS);
  });

  test("refuses what could not be stored, and content policies below Pro", async () => {
    expect((await dryRun({ policy_type: "routing", config: { x: 1 } })).body.error.param).toBe("config.x");
    expect((await dryRun({ template: "budget-mode", last_n: 0 })).body.error.param).toBe("last_n");
    expect((await dryRun({})).body.error.param).toBe("policy_type");
    const starter = await gateway.key({ project: "small", tier: "starter" });
    expect((await dryRun({ template: "pii-protection" }, starter)).body.error.type).toBe("insufficient_tier");
  });
});
