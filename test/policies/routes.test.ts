import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { PERSONAL_DATA_TYPES } from "../../src/policies/content/personal-data-type.ts";
import { POLICY_TEMPLATES } from "../../src/policies/templates.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "policies", tier: "enterprise" });

const send = async (method: string, path: string, body?: unknown, as: TestKey | null = key) => {
  const response = await gateway.send(as, method, path, body);
  return { status: response.status, body: (await response.json()) as any };
};

describe("policies", () => {
  test("are stored, listed in priority order, changed and deleted", async () => {
    const second = await send("POST", "/v1/policies", {
      name: "later",
      policy_type: "routing",
      // What is null is left out, in a policy as in its change.
      priority: null,
      config: { provider_block_list: ["openai"], cost_ceiling_usd: null },
    });
    expect(second.status).toBe(201);
    expect(second.body).toMatchObject({ name: "later", policy_type: "routing", priority: 100, enabled: true, template: null });
    expect(second.body.config).toEqual({ provider_block_list: ["openai"] });
    expect(new Date(second.body.created_at).toISOString()).toBe(second.body.created_at);
    const first = await send("POST", "/v1/policies", {
      name: "sooner",
      policy_type: "content",
      priority: 5,
      config: { criteria: ["polite"], pii_detection: { enabled: true, types: null } },
    });
    expect(first.body.config).toEqual({ criteria: ["polite"], pii_detection: { enabled: true } });

    const list = await send("GET", "/v1/policies");
    expect(list.body.total).toBe(2);
    expect(list.body.policies.map((policy: any) => policy.id)).toEqual([first.body.id, second.body.id]);
    expect((await send("GET", `/v1/policies/${first.body.id}`)).body).toEqual(first.body);

    const changed = await send("PATCH", `/v1/policies/${first.body.id}`, {
      priority: 500,
      enabled: false,
      config: { criteria: null, pii_detection: null, blocked_terms: { terms: ["x"], action: null } },
    });
    expect(changed.body).toMatchObject({
      name: "sooner",
      priority: 500,
      enabled: false,
      config: { blocked_terms: { terms: ["x"] } },
    });
    expect(changed.body.config.criteria).toBeUndefined();
    expect((await send("GET", "/v1/policies")).body.policies[1].id).toBe(first.body.id);

    expect(await send("DELETE", `/v1/policies/${first.body.id}`)).toEqual({
      status: 200,
      body: { id: first.body.id, deleted: true },
    });
    expect((await send("DELETE", `/v1/policies/${first.body.id}`)).status).toBe(404);
    expect((await send("GET", `/v1/policies/${first.body.id}`)).status).toBe(404);
    expect((await send("PATCH", `/v1/policies/${first.body.id}`, { name: "x" })).body.error.type).toBe("not_found");
    await send("DELETE", `/v1/policies/${second.body.id}`);
  });

  test("come from templates, the given config laid over the template's", async () => {
    const made = await send("POST", "/v1/policies", {
      template: "pii-protection",
      config: { pii_detection: { types: ["email"], redaction_format: "***" } },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: "Protection of personal data", template: "pii-protection", policy_type: "content" });
    expect(made.body.config.pii_detection).toEqual({
      enabled: true,
      types: ["email"],
      action: "redact",
      redaction_format: "***",
    });
    await send("DELETE", `/v1/policies/${made.body.id}`);
    expect(await send("POST", "/v1/policies", { template: "nope" })).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request", param: "template" } },
    });
  });

  test("every template can be stored as it is and is served under its slug", async () => {
    const { body } = await send("GET", "/v1/policies/templates");
    expect(body.templates.map(({ slug }: { slug: string }) => slug)).toEqual(POLICY_TEMPLATES.map(({ slug }) => slug));
    expect(body.templates).toHaveLength(11);
    for (const template of body.templates) {
      expect(Object.keys(template).sort()).toEqual(["category", "config", "description", "name", "policy_type", "slug"]);
      expect((await send("GET", `/v1/policies/templates/${template.slug}`)).body).toEqual(template);
      const made = await send("POST", "/v1/policies", { template: template.slug, enabled: false });
      expect(made.status).toBe(201);
      expect(made.body.config).toEqual(template.config);
      expect([made.body.enabled, (await send("GET", `/v1/policies/${made.body.id}`)).body]).toEqual([false, made.body]);
      await send("DELETE", `/v1/policies/${made.body.id}`);
    }
    expect((await send("GET", "/v1/policies/templates/nope")).status).toBe(404);
  });

  test.each([
    [{ policy_type: "routing", config: {} }, "name"],
    [{ name: "a", config: {} }, "policy_type"],
    [{ name: "a", policy_type: "both", config: {} }, "policy_type"],
    [{ name: "a", policy_type: "routing" }, "config"],
    [{ name: "a", policy_type: "routing", config: { cost_ceiling: 1 } }, "config.cost_ceiling"],
    [{ name: "a", policy_type: "routing", config: { cost_ceiling_usd: "1" } }, "config.cost_ceiling_usd"],
    [{ name: "a", policy_type: "routing", config: { cost_ceiling_usd: -1 } }, "config.cost_ceiling_usd"],
    [{ name: "a", policy_type: "routing", config: { on_violation: "stop" } }, "config.on_violation"],
    [{ name: "a", policy_type: "routing", config: { model_allow_list: [1] } }, "config.model_allow_list.0"],
    [{ name: "a", policy_type: "routing", config: { pii_detection: {} } }, "config.pii_detection"],
    [{ name: "a", policy_type: "content", config: { pii_detection: { types: ["passport"] } } }, "config.pii_detection.types.0"],
    [{ name: "a", policy_type: "content", config: { pii_detection: { action: "info" } } }, "config.pii_detection.action"],
    [{ name: "a", policy_type: "content", config: { blocked_terms: { terms: [" "] } } }, "config.blocked_terms.terms.0"],
    [{ name: "a", policy_type: "content", config: { blocked_terms: { words: [] } } }, "config.blocked_terms.words"],
    [{ name: "a", policy_type: "routing", config: {}, priority: 1.5 }, "priority"],
    [{ name: "a", policy_type: "routing", config: {}, prio: 1 }, "prio"],
    [{ template: "budget-mode", policy_type: "content" }, "policy_type"],
  ])("refuse %j and name the field", async (body, param) => {
    const refused = await send("POST", "/v1/policies", body);
    expect(refused).toMatchObject({ status: 400, body: { error: { type: "invalid_request", param } } });
  });

  test("of a project have a million characters in all; one that gets no longer can still be changed", async () => {
    const owner = await gateway.key({ project: "wordy", tier: "pro" });
    const terms = (count: number) => ({
      blocked_terms: { terms: Array.from({ length: count }, (_, index) => `${index}`.padStart(200, "x")) },
    });
    const create = (count: number) =>
      send("POST", "/v1/policies", { name: "long", policy_type: "content", config: terms(count) }, owner);
    const made = [(await create(2_400)).body, (await create(2_400)).body];
    const { status, body } = await create(200);
    expect([status, body.error.type, body.error.param]).toEqual([400, "invalid_request", "config"]);
    expect(body.error.message).toContain("at most 1,000,000 characters in all; they would have 1,0");
    const change = (index: number, count: number) =>
      send("PATCH", `/v1/policies/${made[index].id}`, { config: terms(count) }, owner);
    expect((await change(0, 2_600)).status).toBe(400);
    expect((await change(0, 2_300)).status).toBe(200);
    expect((await create(200)).status).toBe(201);
    await gateway.platform.db.write((sql) =>
      sql.run("UPDATE policies SET config = config || ? WHERE id = ?", " ".repeat(100_000), made[1].id),
    );
    expect((await change(1, 2_400)).status).toBe(200);
  });

  test("of another project are unknown, and no key or scope is no entry", async () => {
    const other = await gateway.key({ project: "other", tier: "pro" });
    const made = await send("POST", "/v1/policies", { template: "budget-mode" }, other);
    for (const method of ["GET", "DELETE"]) expect((await send(method, `/v1/policies/${made.body.id}`)).status).toBe(404);
    expect((await send("PATCH", `/v1/policies/${made.body.id}`, { enabled: false })).status).toBe(404);
    expect((await send("GET", "/v1/policies", undefined, other)).body.total).toBe(1);
    expect((await send("GET", "/v1/policies", undefined, null)).status).toBe(401);
    const chatOnly = await gateway.key({ project: "other", tier: "pro", scopes: ["chat"] });
    expect((await send("GET", "/v1/policies", undefined, chatOnly)).body.error.type).toBe("permission_denied");
  });

  test("are bounded by the tier, exactly, also when many are made at once", async () => {
    const starter = await gateway.key({ project: "starter", tier: "starter" });
    const made = await Promise.all(
      Array.from({ length: 12 }, () => send("POST", "/v1/policies", { template: "budget-mode" }, starter)),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = made.find(({ status }) => status !== 201)!;
    expect(refused).toMatchObject({ status: 403, body: { error: { type: "limit_exceeded", limit: 3, current: 3 } } });
    expect((await send("POST", "/v1/policies", { template: "pii-protection" }, starter)).body.error).toMatchObject({
      type: "insufficient_tier",
      required_tier: "pro",
      current_tier: "starter",
    });
    const free = await gateway.key({ project: "free", tier: "free" });
    expect((await send("POST", "/v1/policies", { template: "budget-mode" }, free)).body.error).toMatchObject({
      type: "limit_exceeded",
      limit: 0,
      current: 0,
    });
  });

  test("of a kind that the tier holds no longer stay, and are not changed", async () => {
    const before = await gateway.key({ project: "came down", tier: "pro" });
    const { id } = (await send("POST", "/v1/policies", { template: "pii-protection" }, before)).body;
    const after = await gateway.key({ project: "came down", tier: "starter" });
    const refused = await send("PATCH", `/v1/policies/${id}`, { enabled: false }, after);
    expect([refused.status, refused.body.error.type]).toEqual([403, "insufficient_tier"]);
    expect((await gateway.platform.policies.of(after.project.id)).output).toBeDefined();
  });

  test("that another process changes hold a moment later", async () => {
    const mine = await gateway.key({ project: "changed from outside", tier: "pro" });
    const { id } = (await send("POST", "/v1/policies", { template: "pii-protection" }, mine)).body;
    const output = async () => (await gateway.platform.policies.of(mine.project.id)).output;
    expect(await output()).toBeDefined();
    const outside = new Database(gateway.platform.db.path);
    outside.run("UPDATE policies SET enabled = 0, updated_at = updated_at + 1 WHERE id = ?", [id]);
    outside.close();
    while ((await output()) !== undefined) await Bun.sleep(20);
  });

  test("hold as soon as they are stored, changed or deleted", async () => {
    const mine = await gateway.key({ project: "active", tier: "pro" });
    const now = () => gateway.platform.policies.of(mine.project.id);
    expect(await now()).toEqual({ stamp: "" });
    const { body } = await send("POST", "/v1/policies", { template: "pii-protection" }, mine);
    const compiled = await now();
    expect(compiled.output?.personalData.size).toBe(PERSONAL_DATA_TYPES.length);
    expect(compiled.input).toBeUndefined();
    expect(await now()).toBe(compiled);
    await send(
      "PATCH",
      `/v1/policies/${body.id}`,
      { config: { pii_detection: { types: ["ssn"] }, evaluate_input: true, redact_logs: true } },
      mine,
    );
    expect([...(await now()).output!.personalData.keys()]).toEqual(["ssn"]);
    expect((await now()).input?.phase).toBe("pre_request");
    expect((await now()).logs?.personalData.get("ssn")?.action).toBe("redact");
    await send("PATCH", `/v1/policies/${body.id}`, { enabled: false }, mine);
    expect(await now()).toEqual({ stamp: "" });
  });
});
