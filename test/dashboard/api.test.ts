import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Operator, signIn } from "../support/dashboard.ts";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

let operator: Operator;
let projectId: string;
const gateway = await gatewayOfFile();
beforeAll(async () => {
  ({ operator } = await signIn(gateway));
  projectId = (await gateway.key()).project.id;
});

const json = async (response: Response) => (await response.json()) as any;
const answerTo = async (...request: Parameters<Operator["send"]>) => json(await operator.send(...request));
const chat = (text: string) => ({ messages: [{ role: "user", content: text }] });

describe("the operator's door to the public API", () => {
  test("answers a chat in test mode and logs it as the dashboard's", async () => {
    const answer = await answerTo("POST", `/projects/${projectId}/test/v1/chat`, chat("Hello there"));
    const entry = await answerTo("GET", `/projects/${projectId}/test/v1/logs/${answer.svc.request_id}`);
    expect(entry.prompt.text).toBe("Hello there");
    expect(entry.metadata.api_key_hash).toBe("dashboard");
  });

  test("streams as the public route does", async () => {
    const response = await operator.send("POST", `/projects/${projectId}/test/v1/chat/stream`, chat("Hello"));
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(await response.text()).toEndWith("data: [DONE]\n\n");
  });

  test("keeps projects apart and knows no unknown one", async () => {
    const other = (await gateway.key({ project: "other" })).project.id;
    await operator.send("POST", `/projects/${projectId}/test/v1/schemas`, { name: "Mine", schema: { type: "object" } });
    expect((await answerTo("GET", `/projects/${other}/test/v1/schemas`)).total).toBe(0);
    expect((await operator.send("GET", "/projects/proj_nowhere/test/v1/schemas")).status).toBe(404);
  });

  test("holds the tier of the project", async () => {
    const free = (await gateway.key({ project: "free", tier: "free" })).project.id;
    const refused = await operator.send("GET", `/projects/${free}/test/v1/documents`);
    expect((await json(refused)).error.type).toBe("insufficient_tier");
  });

  test("does not use up the limits of callers by looking", async () => {
    const key = await gateway.key({ project: "looked-at", tier: "free" });
    for (let looks = 0; looks < 12; looks++)
      expect((await operator.send("GET", `/projects/${key.project.id}/test/v1/metrics/overview`)).status).toBe(200);
    expect((await gateway.send(key, "GET", "/v1/metrics/overview")).headers.get("x-ratelimit-remaining")).toBe("9");
    // The playground shows the decision with every pause in typing.
    for (let pauses = 0; pauses < 3; pauses++)
      expect((await operator.send("POST", `/projects/${key.project.id}/test/v1/route`, chat("Hello"))).status).toBe(200);
    const asked = [await gateway.send(key, "POST", "/v1/route", chat("Hello")), await gateway.send(key, "POST", "/v1/route", {})];
    expect(asked.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual(["59", "58"]);
    // What calls a model counts like any call.
    const called = await operator.send("POST", `/projects/${key.project.id}/test/v1/chat`, chat("Hello"));
    expect(called.headers.get("x-ratelimit-remaining")).toBe("57");
  });

  test("is shut to the header that a client might make up", async () => {
    const response = await fetch(`${gateway.url}/v1/logs`, {
      headers: { authorization: "Bearer dashboard", "x-api-key": "dashboard" },
    });
    expect(response.status).toBe(401);
  });
});

describe("keys", () => {
  test("are shown once, work at once and stop within a second of being revoked", async () => {
    const made = await answerTo("POST", `/projects/${projectId}/keys`, { name: "ci", mode: "test", budget_usd: 2.5 });
    expect(made.key).toStartWith("pk_test_");
    expect(made.record).toMatchObject({ name: "ci", mode: "test", budget_usd: 2.5, spent_usd: 0, scopes: null });
    expect((await gateway.send(made.key, "POST", "/v1/chat", chat("Hello"))).status).toBe(200);

    const { keys } = await answerTo("GET", `/projects/${projectId}/keys`);
    const listed = keys.find(({ id }: any) => id === made.record.id);
    expect(listed.last_four).toBe(made.key.slice(-4));
    expect(listed.last_used_at).not.toBeNull();
    expect(JSON.stringify(keys)).not.toContain(made.key);

    expect((await operator.send("DELETE", `/projects/${projectId}/keys/${made.record.id}`)).status).toBe(200);
    expect((await gateway.send(made.key, "POST", "/v1/chat", chat("Hello"))).status).toBe(401);
    expect((await operator.send("DELETE", `/projects/${projectId}/keys/${made.record.id}`)).status).toBe(404);
  });

  test("go on with what the key that they replace has spent this month", async () => {
    const keys = `/projects/${projectId}/keys`;
    const terms = { name: "rotated", mode: "test", budget_usd: 2.5 };
    const old = (await answerTo("POST", keys, terms)).record;
    await gateway.platform.db.write((sql) =>
      gateway.platform.budgets.spend(
        sql,
        { keyId: old.id, projectId, mode: "test", startedAtMs: gateway.platform.clock.now() },
        1_250_000_000,
        {},
      ),
    );
    const made = await answerTo("POST", keys, { ...terms, replaces: old.id });
    expect(made.record).toMatchObject({ budget_usd: 2.5, spent_usd: 1.25 });
    expect((await gateway.send(made.key, "POST", "/v1/chat", chat("Hello"))).status).toBe(200);
    const { keys: listed } = await answerTo("GET", keys);
    expect(listed.find(({ id }: any) => id === made.record.id).spent_usd).toBeGreaterThanOrEqual(1.25);
    expect((await operator.send("POST", keys, { ...terms, replaces: "key_unknown" })).status).toBe(404);
    for (const { id } of [old, made.record]) await operator.send("DELETE", `${keys}/${id}`);
  });

  test("carry scopes, and refuse an expiry that has passed", async () => {
    const scoped = await answerTo("POST", `/projects/${projectId}/keys`, { name: "s", mode: "test", scopes: ["logs"] });
    expect((await gateway.send(scoped.key, "POST", "/v1/chat", chat("Hello"))).status).toBe(403);
    for (const expires_at of ["2001-01-01", "2096-02-30", "soon", "+012345-01-01T00:00:00Z"]) {
      const late = await operator.send("POST", `/projects/${projectId}/keys`, { name: "l", mode: "test", expires_at });
      expect([expires_at, (await json(late)).error?.param]).toEqual([expires_at, "expires_at"]);
    }
  });

  test("are given other terms, which hold at once; an old expiry may stay, a new one lies ahead", async () => {
    const keys = `/projects/${projectId}/keys`;
    const made = await answerTo("POST", keys, { name: "intern", mode: "test", scopes: ["logs"] });
    const change = (terms: object) => operator.send("PATCH", `${keys}/${made.record.id}`, terms);
    const ask = () => gateway.send(made.key, "POST", "/v1/chat", chat("Hello"));
    expect((await ask()).status).toBe(403);
    const expires_at = new Date(gateway.clock.now() + 60_000).toISOString();
    const terms = {
      name: "partner",
      scopes: ["chat"],
      models: ["gpt-4o", "anthropic/*"],
      budget_usd: 1,
      budget_period: "week",
      requests_per_minute: 7,
      tokens_per_minute: 70_000,
      expires_at,
    };
    const changed = await json(await change(terms));
    expect(changed).toEqual({ ...made.record, ...terms });
    const listed = (await answerTo("GET", keys)).keys.find(({ id }: any) => id === changed.id);
    expect(listed).toEqual({ ...changed, last_used_at: expect.any(String) });
    expect((await ask()).status).toBe(200);
    // What is not named stays, because it may have been changed elsewhere meanwhile.
    expect(await json(await change({ budget_usd: 0 }))).toMatchObject({ ...terms, budget_usd: 0 });
    const turned = await operator.send("POST", keys, { name: "turned", mode: "test", replaces: made.record.id });
    expect((await json(turned)).record).toMatchObject({ ...terms, name: "turned", budget_usd: 0 });
    expect((await json(await ask())).error.type).toBe("budget_exceeded");
    gateway.clock.advance(120_000);
    expect((await change({ name: "gone", expires_at })).status).toBe(200);
    expect((await ask()).status).toBe(401);
    expect((await json(await change({ name: "gone", expires_at: "2001-01-01" }))).error.param).toBe("expires_at");
    const again = await operator.send("POST", keys, { name: "gone", mode: "test", expires_at, replaces: made.record.id });
    expect((await json(again)).error.param).toBe("expires_at");
    for (const wrong of [
      { name: "two\nlines" },
      { scopes: [] },
      { models: [] },
      { budget_usd: -1 },
      { budget_period: "year" },
      { requests_per_minute: 0 },
      { tokens_per_minute: 1.5 },
    ])
      expect((await json(await change({ name: "back", ...wrong }))).error.param).toBe(Object.keys(wrong)[0]!);
    await change({ name: "back", budget_usd: null, expires_at: null });
    expect((await ask()).status).toBe(200);
    await operator.send("DELETE", `${keys}/${made.record.id}`);
    expect((await change({ name: "back" })).status).toBe(404);
  });

  test("keep models that the catalog has no more, also when they are changed or replaced, and take on none that it has not", async () => {
    const keys = `/projects/${projectId}/keys`;
    const { id } = await gateway.key({ terms: { models: ["gone", "gpt-4o"] } });
    const terms = { name: "old", models: ["gone", "anthropic/*"] };
    expect(await answerTo("PATCH", `${keys}/${id}`, terms)).toMatchObject({
      models: terms.models,
      budget_period: "month",
    });
    const replaced = await answerTo("POST", keys, { ...terms, mode: "test", replaces: id });
    expect(replaced.record.models).toEqual(terms.models);
    for (const body of [{ models: ["gone"] }, { models: [] }, { models: ["gpt-4o", "anthropc/*"] }]) {
      const refused = await operator.send("POST", keys, { name: "new", mode: "test", ...body });
      expect([body, refused.status, (await json(refused)).error.param]).toEqual([body, 400, "models"]);
    }
    for (const each of [id, replaced.record.id]) await operator.send("DELETE", `${keys}/${each}`);
  });

  test("of another project cannot be changed or revoked through this one", async () => {
    const foreign = await gateway.key({ project: "foreign" });
    expect((await operator.send("PATCH", `/projects/${projectId}/keys/${foreign.id}`, { name: "mine" })).status).toBe(404);
    expect((await operator.send("DELETE", `/projects/${projectId}/keys/${foreign.id}`)).status).toBe(404);
    expect((await gateway.send(foreign, "GET", "/v1/usage")).status).toBe(200);
  });
});

describe("projects", () => {
  test("are made, and a name is given once", async () => {
    const made = await operator.send("POST", "/projects", { name: "website", tier: "pro" });
    expect(made.status).toBe(201);
    expect(await json(made)).toMatchObject({ name: "website", tier: "pro", settings: {} });
    expect((await operator.send("POST", "/projects", { name: "website", tier: "pro" })).status).toBe(409);
    const both = await Promise.all(["pro", "team"].map((tier) => operator.send("POST", "/projects", { name: "at once", tier })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test("are renamed: what they own stays theirs, and no two are called the same", async () => {
    const key = await gateway.key({ project: "before" });
    const rename = (name: string) => operator.send("PATCH", `/projects/${key.project.id}`, { name });
    expect(await json(await rename("after"))).toMatchObject({ id: key.project.id, name: "after" });
    expect((await gateway.send(key, "GET", "/v1/usage")).status).toBe(200);
    const statuses = [];
    await operator.send("POST", "/projects", { name: "given", tier: "pro" });
    for (const name of ["after", "given", "", " x", ".."]) statuses.push((await rename(name)).status);
    expect(statuses).toEqual([200, 409, 400, 400, 400]);
  });

  test("are deleted, and their keys are refused at once", async () => {
    const key = await gateway.key({ project: "unwanted" });
    const path = `/projects/${key.project.id}`;
    expect(await answerTo("DELETE", path)).toEqual({ id: key.project.id, deleted: true });
    expect((await gateway.send(key, "GET", "/v1/usage")).status).toBe(401);
    expect((await operator.send("DELETE", path)).status).toBe(404);
  });

  test("change tier and settings, and what is null goes back to the tier's", async () => {
    const created = await answerTo("POST", "/projects", { name: "changing", tier: "free" });
    const { id } = created;
    expect([created.name, created.tier, Date.parse(created.created_at) <= gateway.clock.now()]).toEqual([
      "changing",
      "free",
      true,
    ]);
    const settings = {
      quality_cost: 0.9,
      exploration: 0.2,
      learning_frozen: true,
      enforce_monthly_quota: true,
      budget: { usd: 12.5, period: "total" },
      user_budget: { usd: 0, period: "day" },
      store_bodies: false,
      log_retention_days: 5,
      shadow: { model: "gpt-4o", sample_rate: 0.1 },
      cache: { ttl_s: 600 },
      limits: { chat: { per_minute: 7, per_day: null }, video: { per_day: 0, concurrent: 3 } },
    };
    const changed = await answerTo("PATCH", `/projects/${id}`, { tier: "team", settings });
    expect(changed).toEqual({ ...created, tier: "team", settings });
    const endless = { user_budget: { usd: 1, period: "total" } };
    expect((await operator.send("PATCH", `/projects/${id}`, { settings: endless })).status).toBe(400);
    const back = await answerTo("PATCH", `/projects/${id}`, {
      settings: { log_retention_days: null, budget: null, user_budget: null, shadow: null, cache: null, limits: {} },
    });
    expect(back.settings).toMatchObject({ quality_cost: 0.9, limits: {} });
    for (const name of ["log_retention_days", "budget", "user_budget", "shadow", "cache"])
      expect(back.settings).not.toHaveProperty(name);
    const { projects, tiers, default_settings } = await answerTo("GET", "/projects");
    expect(projects.find((project: any) => project.id === id)).toEqual(back);
    expect(default_settings).toMatchObject({ log_retention_days: null, shadow: null, cache: null, limits: {} });
    expect(default_settings).toMatchObject({ learning_frozen: false, enforce_monthly_quota: false, store_bodies: true });
    expect(tiers.team).toMatchObject({ max_policies: 50, groups: { chat: { per_minute: 1_200 } } });
  });

  test("have limits of their own that hold from the next call on", async () => {
    const key = await gateway.key({ project: "bounded" });
    await operator.send("PATCH", `/projects/${key.project.id}`, { settings: { limits: { chat: { per_minute: 1 } } } });
    expect((await gateway.send(key, "POST", "/v1/chat", chat("One"))).status).toBe(200);
    expect((await gateway.send(key, "POST", "/v1/chat", chat("Two"))).status).toBe(429);
  });

  test("have no limit that nothing counts", async () => {
    const { id } = (await gateway.key({ project: "uncounted" })).project;
    for (const [group, figure] of [
      ["chat", "concurrent"],
      ["streams", "per_minute"],
      ["transcription", "per_minute"],
      ["calls", "per_day"],
    ] as const) {
      const response = await operator.send("PATCH", `/projects/${id}`, { settings: { limits: { [group]: { [figure]: 1 } } } });
      expect([response.status, (await json(response)).error.param]).toEqual([
        400,
        `settings.limits.${group}${group === "calls" ? "" : `.${figure}`}`,
      ]);
    }
    const { tiers } = await answerTo("GET", "/projects");
    expect(tiers.free.groups).toMatchObject({
      chat: { per_minute: 60, per_day: 1_000 },
      streams: { concurrent: 3 },
      transcription: { per_day: 10 },
    });
    expect(Object.keys(tiers.free.groups.streams)).toEqual(["concurrent"]);
  });

  test("two settings that are changed at the same moment are both kept", async () => {
    const { id } = (await gateway.key({ project: "changed at once" })).project;
    const change = (settings: object) => operator.send("PATCH", `/projects/${id}`, { settings });
    await Promise.all([change({ quality_cost: 0.9 }), change({ exploration: 0.2 }), change({ store_bodies: false })]);
    const { projects } = await answerTo("GET", "/projects");
    expect(projects.find((project: any) => project.id === id).settings).toMatchObject({
      quality_cost: 0.9,
      exploration: 0.2,
      store_bodies: false,
    });
  });

  test("refuse a shadow model that does not exist", async () => {
    const shadow = { model: "gpt-4oo", sample_rate: 0.1 };
    const refused = await operator.send("PATCH", `/projects/${projectId}`, { settings: { shadow } });
    expect(refused.status).toBe(400);
    expect((await json(refused)).error.param).toBe("settings.shadow.model");
  });

  test("refuse settings that mean nothing", async () => {
    const refused = await operator.send("PATCH", `/projects/${projectId}`, { settings: { quality_cost: 2 } });
    expect((await json(refused)).error.param).toBe("settings.quality_cost");
    const forNoTime = await operator.send("PATCH", `/projects/${projectId}`, { settings: { cache: { ttl_s: 0 } } });
    expect((await json(forNoTime)).error.param).toBe("settings.cache.ttl_s");
  });
});

describe("models", () => {
  const modelOf = ({ models }: any, id: string) => models.find((model: any) => model.id === id);

  test("that are switched off are neither listed, chosen nor found, until they are switched on again", async () => {
    const own = await startGateway({ settings: "models:\n  - id: gpt-4.1\n    enabled: true\n" });
    try {
      const { operator: there } = await signIn(own);
      const key = await own.key();
      const ask = (model: string) => own.send(key, "POST", "/v1/chat", { model, messages: [{ role: "user", content: "Hello" }] });
      expect((await ask("gpt-4o")).status).toBe(200);

      const off = await json(await there.send("PUT", "/models", { id: "gpt-4o", enabled: false }));
      expect(modelOf(off, "gpt-4o")).toMatchObject({ enabled: false, callable: false, fixed: false });
      expect((await ask("gpt-4o")).status).toBe(404);
      const { data } = await json(await own.send(key, "GET", "/v1/models"));
      expect(data.map(({ id }: any) => id)).not.toContain("gpt-4o");
      const { decision_factors } = await json(
        await own.send(key, "POST", "/v1/route", { messages: [{ role: "user", content: "Hello" }] }),
      );
      expect(decision_factors.candidates.map(({ model }: any) => model)).not.toContain("gpt-4o");

      const on = await json(await there.send("PUT", "/models", { id: "gpt-4o", enabled: true }));
      expect(modelOf(on, "gpt-4o")).toMatchObject({ enabled: true });
      expect((await ask("gpt-4o")).status).toBe(200);

      const fixed = await there.send("PUT", "/models", { id: "gpt-4.1", enabled: false });
      expect((await json(fixed)).error.message).toContain("signalbox.yaml");
      expect((await there.send("PUT", "/models", { id: "nobody", enabled: false })).status).toBe(404);
    } finally {
      await own.stop();
    }
  });

  test("stay switched off after a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-switch-"));
    try {
      const first = await startGateway({ folder });
      const { operator: there } = await signIn(first);
      await there.send("PUT", "/models", { id: "gpt-4o", enabled: false });
      await first.stop();
      const second = await startGateway({ folder });
      expect(second.platform.catalog.findChatModel("gpt-4o")).toBeUndefined();
      await second.stop();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test("media models name who stands behind them and whether that is set up", async () => {
  const own = await startGateway({ environment: { FAL_KEY: "fal-key-of-the-environment" } });
  try {
    const { operator: there } = await signIn(own);
    const { models } = await json(await there.send("GET", "/media-models"));
    const drawing = models.find(({ id }: any) => id === "image-a-3");
    expect(drawing).toMatchObject({ kind: "image", price_usd: 0.04, price_for: "an image", max_images: 1 });
    expect(drawing.targets.map(({ provider, configured }: any) => [provider, configured])).toEqual([
      ["openai", false],
      ["replicate", false],
      ["fal", true],
    ]);
    expect(models.find(({ id }: any) => id === "tts-1")).toMatchObject({ price_usd: 0.015, price_for: "1,000 characters" });
    expect((await fetch(`${own.url}/dashboard/api/media-models`)).status).toBe(401);
  } finally {
    await own.stop();
  }
});

describe("models of the operator's own", () => {
  test("are added to an endpoint, called, changed, and removed", async () => {
    const upstream = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const { model } = (await request.json()) as any;
        const choices = [{ index: 0, message: { role: "assistant", content: `I am ${model}.` }, finish_reason: "stop" }];
        return Response.json({ choices, usage: { prompt_tokens: 1_000, completion_tokens: 1_000 } });
      },
    });
    const { text } = await gateway.key({ project: "own models", mode: "live" });
    const ask = async (model: string) => gateway.send(text, "POST", "/v1/chat", { ...chat("Who are you?"), model });
    const prices = { input_usd_per_million: 1, output_usd_per_million: 2 };
    const add = (model: object) => operator.send("POST", "/models", { provider: "own", ...model });
    try {
      expect((await add({ id: "early" })).status).toBe(400);
      await operator.send("PUT", "/providers/tavily", { key: "tvly-for-search-alone" });
      await operator.send("PUT", "/providers/own", { base_url: `http://127.0.0.1:${upstream.port}/v1`, dialect: "openai" });
      const added = await add({ id: "house", upstream_model: "vendor/large-1", context_window: 9_000, ...prices });
      expect(added.status).toBe(201);
      const row = (await json(added)).models.find(({ id }: any) => id === "house");
      const typed = { id: "house", provider: "own", upstream_model: "vendor/large-1", context_window: 9_000, ...prices };
      expect(row).toMatchObject({ provider: "own", added: typed, callable: true, context_window: 9_000 });
      const answer = await json(await ask("house"));
      expect(answer.choices[0].message.content).toBe("I am vendor/large-1.");
      expect(answer.svc.cost_usd).toBe(0.003);
      const { providers } = await answerTo("GET", "/providers");
      expect(providers.find(({ id }: any) => id === "own").health).toMatchObject([
        { model: "vendor/large-1", state: "healthy", available_at: null, calls: 1 },
      ]);

      const statuses = [];
      for (const model of [
        { id: "house" },
        { id: "gpt-4o" },
        { id: "image-a-3" },
        { id: "auto" },
        { id: "half", input_usd_per_million: 1 },
        { id: "a b" },
        { id: "search", provider: "tavily" },
      ])
        statuses.push((await add(model)).status);
      expect(statuses).toEqual([409, 409, 409, 400, 400, 400, 400]);
      const alias = await json(await add({ id: "vendor/large-1" }));
      expect(alias.error.message).toBe('"vendor/large-1" is another name of the model "house". Choose another id.');

      const dearer = { ...typed, upstream_model: "vendor/large-2", output_usd_per_million: 4 };
      const changed = await answerTo("PATCH", "/models", dearer);
      expect(changed.models.filter(({ added }: any) => added).map(({ added }: any) => added)).toEqual([dearer]);
      const second = await json(await ask("house"));
      expect(second.choices[0].message.content).toBe("I am vendor/large-2.");
      expect(second.svc.cost_usd).toBe(0.005);
      expect((await operator.send("PATCH", "/models", { ...dearer, provider: "tavily" })).status).toBe(400);
      expect((await operator.send("PATCH", "/models", { ...dearer, id: "gpt-4o" })).status).toBe(404);

      expect((await operator.send("DELETE", "/models", { id: "gpt-4o" })).status).toBe(404);
      const left = await answerTo("DELETE", "/models", { id: "house" });
      expect(left.models.some(({ id }: any) => id === "house")).toBe(false);
      expect((await ask("house")).status).toBe(404);
    } finally {
      await operator.send("DELETE", "/providers/own");
      await operator.send("DELETE", "/providers/tavily");
      await upstream.stop(true);
    }
  });
});

describe("providers", () => {
  test("are stored with a sealed key of which the last four characters are shown", async () => {
    let hasList = true;
    const upstream = Bun.serve({
      port: 0,
      fetch: (request) => {
        if (request.headers.get("authorization") !== "Bearer sk-right-key-9Zq4")
          return Response.json({ error: { message: "bad key" } }, { status: 401 });
        return hasList
          ? Response.json({ data: [{ id: "model-one" }, { id: "model-two" }] })
          : new Response("Not Found", { status: 404 });
      },
    });
    try {
      const stored = await answerTo("PUT", "/providers/my-server", {
        base_url: `http://127.0.0.1:${upstream.port}/v1`,
        key: "sk-right-key-9Zq4",
        dialect: "openai",
      });
      const row = stored.providers.find(({ id }: any) => id === "my-server");
      expect(row).toMatchObject({ configured: true, enabled: true, source: "dashboard", key_ends: ["9Zq4"] });
      expect(JSON.stringify(stored)).not.toContain("sk-right");
      expect(JSON.stringify(gateway.platform.db.all("SELECT * FROM settings"))).not.toContain("sk-right");

      const fine = await answerTo("POST", "/providers/my-server/test");
      expect(fine).toMatchObject({ ok: true, models: ["model-one", "model-two"] });
      expect(fine.latency_ms).toBeGreaterThanOrEqual(0);

      await operator.send("PUT", "/providers/my-server", { key: "sk-wrong-key-0000" });
      const wrong = await answerTo("POST", "/providers/my-server/test");
      expect(wrong.ok).toBe(false);
      expect(wrong.message).toContain("does not accept the key");

      await operator.send("PUT", "/providers/my-server", { key: "sk-right-key-9Zq4" });
      hasList = false;
      const silent = await answerTo("POST", "/providers/my-server/test");
      expect([silent.ok, silent.message]).toEqual([null, expect.stringContaining("no list of models")]);

      const elsewhere = await operator.send("PUT", "/providers/my-server", { base_url: "https://collector.example/v1" });
      expect((await json(elsewhere)).error.param).toBe("key");

      const off = await answerTo("PUT", "/providers/my-server", { enabled: false });
      expect(off.providers.find(({ id }: any) => id === "my-server")).toMatchObject({ configured: false, enabled: false });
      const gone = await answerTo("DELETE", "/providers/my-server");
      expect(gone.providers.some(({ id }: any) => id === "my-server")).toBe(false);
    } finally {
      await upstream.stop(true);
    }
  });

  test("whose key comes from the environment keep the address from there", async () => {
    const own = await startGateway({ environment: { OPENAI_API_KEY: "sk-from-the-environment" } });
    try {
      const { operator: there } = await signIn(own);
      const moved = await there.send("PUT", "/providers/openai", { base_url: "https://collector.example/v1" });
      expect((await json(moved)).error.param).toBe("base_url");
      const off = await json(await there.send("PUT", "/providers/openai", { enabled: false }));
      expect(off.providers.find(({ id }: any) => id === "openai")).toMatchObject({ configured: false, enabled: false });
    } finally {
      await own.stop();
    }
  });

  test("take a pasted key without the blanks around it, and refuse one with blanks in it without repeating it", async () => {
    const stored = await operator.send("PUT", "/providers/openai", { key: "  sk-pasted-1234\n" });
    expect(stored.status).toBe(200);
    expect(JSON.stringify(await stored.json())).toContain("1234");
    const refused = await operator.send("PUT", "/providers/openai", { key: "sk-two\nlines" });
    expect(refused.status).toBe(400);
    const body = await refused.text();
    expect(JSON.parse(body).error.param).toBe("key");
    expect(body).not.toContain("sk-two");
    await operator.send("DELETE", "/providers/openai");
  });

  test("a key is no way to a variable of the server: it would be sent to any address that a session names", async () => {
    await using there = await startGateway({ environment: { SOME_SECRET: "sk-of-the-server" } });
    const { operator: visitor } = await signIn(there);
    const refused = await visitor.send("PUT", "/providers/mine", { base_url: "http://127.0.0.1:9/v1", key: " env:SOME_SECRET" });
    expect([refused.status, (await json(refused)).error.param]).toEqual([400, "key"]);
    expect(there.platform.providers.connections().some(({ entry }) => entry.id === "mine")).toBe(false);
  });

  test("take no key under another name, where it would lie unsealed", async () => {
    const refused = await operator.send("PUT", "/providers/openai", { api_key: "sk-misnamed-1234" });
    expect([refused.status, (await json(refused)).error.param]).toEqual([400, "api_key"]);
  });

  test("no provider can have the name of Signalbox's own local encoder", async () => {
    const refused = await operator.send("PUT", "/providers/local", { base_url: "http://127.0.0.1:9/v1", dialect: "openai" });
    expect([refused.status, (await json(refused)).error.param]).toEqual([400, "id"]);
  });

  test("that cannot be used are not kept", async () => {
    const refused = await operator.send("PUT", "/providers/nowhere", { key: "sk-without-an-address" });
    expect(refused.status).toBe(400);
    const { providers } = await answerTo("GET", "/providers");
    expect(providers.some(({ id }: any) => id === "nowhere")).toBe(false);
  });

  test("of the search kind are tried in the order that was set", async () => {
    const before = await answerTo("GET", "/providers");
    expect(before).toMatchObject({ search_order: ["tavily", "brave", "exa", "searxng"], search_order_fixed: false });
    const order = ["searxng", "tavily", "brave", "exa"];
    expect((await answerTo("PUT", "/search-order", { order })).search_order).toEqual(order);
    const refused = await operator.send("PUT", "/search-order", { order: ["searxng", ...order] });
    expect((await json(refused)).error.param).toBe("order");
    const key = await gateway.key({ project: "searching" });
    const answer = await gateway.send(key, "POST", "/v1/tools/search", { query: "signal boxes" });
    const { logs } = await json(await gateway.send(key, "GET", "/v1/logs"));
    expect([answer.status, logs[0].routing.provider]).toEqual([200, "searxng"]);
  });

  test("come with the models of the catalog at their printed prices", async () => {
    const { models } = await answerTo("GET", "/models");
    const model = models.find(({ id }: any) => id === "gpt-4o");
    expect(model).toMatchObject({ provider: "openai", callable: false, prices: { input_usd: 2.5, output_usd: 10 } });
  });
});

describe("trying before it counts", () => {
  test("a schema on a text says what was mended or what does not fit", async () => {
    const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
    expect(await answerTo("POST", "/schema-try", { schema, text: "Sure: {n: 4,}" })).toMatchObject({
      passed: true,
      value: { n: 4 },
    });
    const failed = await answerTo("POST", "/schema-try", { schema, text: '{"n": "four"}', strict: true });
    expect(failed.passed).toBe(false);
    expect(failed.errors[0].message).toBeString();
  });
});

test("a backup is a database that opens, and nothing of it stays behind", async () => {
  const response = await operator.send("GET", "/backup");
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="signalbox-\d{4}-.*\.db"$/);
  // Also of one that is never read to its end.
  expect(readdirSync(gateway.folder).filter((name) => name.includes("download"))).toEqual([]);
  const bytes = await response.bytes();
  const path = join(gateway.folder, "kept.db");
  await Bun.write(path, bytes);
  const database = new Database(path, { readonly: true });
  expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  database.close();
});
