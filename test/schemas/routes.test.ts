/** `/v1/schemas`: kept, versioned, found by id or slug, never another project's. */
import { describe, expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "schemas", tier: "enterprise" });

const send = async (method: string, path: string, body?: unknown, as: TestKey | null = key) => {
  const response = await gateway.send(as, method, path, body);
  return { status: response.status, body: (await response.json()) as any };
};

const invoice = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };

describe("saved schemas", () => {
  test("a tier holds so many of them, also where all come at once", async () => {
    const free = await gateway.key({ project: "full", tier: "free", settings: { limits: { schemas: { perMinute: null } } } });
    const made = await Promise.all(
      Array.from({ length: 60 }, () => send("POST", "/v1/schemas", { name: "Invoice", schema: invoice }, free)),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    const refused = made.find(({ status }) => status !== 201)!;
    expect([refused.status, refused.body.error]).toMatchObject([403, { type: "limit_exceeded", limit: 50, current: 50 }]);
    await send("DELETE", "/v1/schemas/invoice", undefined, free);
    expect((await send("POST", "/v1/schemas", { name: "Invoice", schema: invoice }, free)).status).toBe(201);
  });

  test("of a schema that is changed again and again the newest hundred versions stay", async () => {
    await send("POST", "/v1/schemas", { name: "Restless", schema: invoice });
    for (let version = 2; version <= 102; version++) await send("PUT", "/v1/schemas/restless", { schema: invoice });
    expect((await send("GET", "/v1/schemas/restless")).body.version).toBe(102);
    const statusOf = async (version: number) => (await send("GET", `/v1/schemas/restless?version=${version}`)).status;
    expect([await statusOf(2), await statusOf(3)]).toEqual([404, 200]);
    await send("DELETE", "/v1/schemas/restless");
  });

  test("a change names what may change; the rest of a record that is sent back has no effect", async () => {
    const stranger = await gateway.key({ project: "strangers", tier: "enterprise" });
    const theirs = (await send("POST", "/v1/schemas", { name: "Theirs", schema: invoice }, stranger)).body;
    const mine = (await send("POST", "/v1/schemas", { name: "Mine", schema: invoice })).body;
    const sent = { ...mine, id: theirs.id, version: 900, createdAtMs: "long ago", name: "Still mine" };
    const changed = await send("PUT", `/v1/schemas/${mine.id}`, sent);
    expect(changed.body).toEqual({ ...mine, name: "Still mine", version: 2, updated_at: changed.body.updated_at });
    expect((await send("GET", `/v1/schemas/${theirs.id}?version=2`, undefined, stranger)).status).toBe(404);
    expect((await send("PUT", "/v1/schemas/theirs", { name: "Theirs, later" }, stranger)).body.version).toBe(2);
    await send("DELETE", `/v1/schemas/${mine.id}`);
  });

  test("are made, listed, read by id and slug, changed as the next version, and deleted", async () => {
    const own = await gateway.key({ project: "one schema" });
    const ask = (method: string, path: string, body?: unknown) => send(method, path, body, own);
    const made = await ask("POST", "/v1/schemas", { name: "Invoice (EU)", schema: invoice, description: "what we bill" });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: "Invoice (EU)",
      slug: "invoice-eu",
      description: "what we bill",
      schema: invoice,
      version: 1,
    });
    expect(new Date(made.body.created_at).toISOString()).toBe(made.body.created_at);
    expect((await ask("GET", `/v1/schemas/${made.body.id}`)).body).toEqual(made.body);
    expect((await ask("GET", "/v1/schemas/invoice-eu")).body).toEqual(made.body);
    expect((await ask("GET", "/v1/schemas")).body).toEqual({ schemas: [made.body], total: 1 });

    const changed = await ask("PUT", "/v1/schemas/invoice-eu", { schema: { type: "object" }, name: "Bill" });
    expect(changed.body).toMatchObject({
      id: made.body.id,
      version: 2,
      name: "Bill",
      slug: "invoice-eu",
      schema: { type: "object" },
    });
    expect(changed.body.description).toBe("what we bill");
    expect((await ask("GET", "/v1/schemas/invoice-eu?version=1")).body).toMatchObject({ version: 1, schema: invoice });
    expect((await ask("GET", "/v1/schemas/invoice-eu?version=3")).status).toBe(404);
    expect((await ask("PUT", "/v1/schemas/invoice-eu", { description: null })).body.description).toBeNull();

    expect((await ask("DELETE", "/v1/schemas/invoice-eu")).body).toEqual({ id: made.body.id, deleted: true });
    expect((await ask("GET", `/v1/schemas/${made.body.id}`)).body.error.type).toBe("not_found");
    expect((await ask("DELETE", "/v1/schemas/invoice-eu")).status).toBe(404);
    expect((await ask("PUT", "/v1/schemas/invoice-eu", { name: "x" })).status).toBe(404);
  });

  test.each([
    [{ required: ["a", "a"] }, "/required"],
    [{ properties: { a: { type: ["string", "string"] } } }, "/properties/a/type"],
    [{ dependentRequired: { a: ["b", "b"] } }, "/dependentRequired"],
  ])("what a metaschema says must be distinct is: %j", async (schema, place) => {
    const { status, body } = await send("POST", "/v1/schemas", { name: "twice", schema });
    expect(status).toBe(400);
    expect(body.error.param).toBe("schema");
    expect(body.error.message).toContain(`"${place}"`);
  });

  test("a taken slug is a conflict, a slug made from a name gets a number", async () => {
    const first = await send("POST", "/v1/schemas", { name: "a", slug: "taken", schema: {} });
    const again = await send("POST", "/v1/schemas", { name: "b", slug: "taken", schema: {} });
    expect(again.status).toBe(409);
    expect(again.body.error).toMatchObject({ type: "conflict", param: "slug" });
    expect((await send("POST", "/v1/schemas", { name: "Taken!", schema: {} })).body.slug).toBe("taken-2");
    expect((await send("POST", "/v1/schemas", { name: "Größe für Müller", schema: {} })).body.slug).toBe("grosse-fur-muller");
    const other = await send("POST", "/v1/schemas", { name: "c", slug: "other", schema: {} });
    expect((await send("PUT", `/v1/schemas/${other.body.id}`, { slug: "taken" })).status).toBe(409);
    expect((await send("PUT", `/v1/schemas/${first.body.id}`, { slug: "taken" })).status).toBe(200);
    const parallel = await Promise.all(
      Array.from({ length: 8 }, () => send("POST", "/v1/schemas", { name: "p", slug: "parallel", schema: {} })),
    );
    expect(parallel.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(parallel.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  test("an invalid schema is refused at once with the place, and changes nothing", async () => {
    const bad = await send("POST", "/v1/schemas", { name: "x", slug: "bad", schema: { properties: { a: { type: "nope" } } } });
    expect(bad.status).toBe(400);
    expect(bad.body.error).toMatchObject({ type: "invalid_request", param: "schema" });
    expect(bad.body.error.message).toContain("/properties/a/type");
    const remote = await send("POST", "/v1/schemas", { name: "x", schema: { $ref: "http://127.0.0.1:1/x.json" } });
    expect(remote.body.error.param).toBe("schema");
    await send("POST", "/v1/schemas", { name: "good", slug: "good", schema: invoice });
    expect((await send("PUT", "/v1/schemas/good", { schema: { pattern: "(?=a)" } })).status).toBe(400);
    expect((await send("GET", "/v1/schemas/good")).body).toMatchObject({ version: 1, schema: invoice });
  });

  test("bad fields are named", async () => {
    const param = async (body: unknown) => (await send("POST", "/v1/schemas", body)).body.error.param;
    expect(await param({ schema: {} })).toBe("name");
    expect(await param({ name: "  ", schema: {} })).toBe("name");
    expect(await param({ name: "x" })).toBe("schema");
    expect(await param({ name: "x", schema: "text" })).toBe("schema");
    expect(await param({ name: "x", schema: {}, slug: "no spaces" })).toBe("slug");
    expect(await param({ name: "x", schema: {}, slug: "sch_1" })).toBe("slug");
    const { body } = await send("POST", "/v1/schemas", { name: "x", schema: {}, slug: "no spaces" });
    expect(body.error.message).toContain("of up to 100 letters, digits, dots, dashes and underscores");
  });

  test("another project's schema is as if it were not there, and its slugs are free", async () => {
    const other = await gateway.key({ project: "schemas-other", tier: "free" });
    const made = await send("POST", "/v1/schemas", { name: "mine", slug: "mine", schema: {} });
    expect((await send("GET", `/v1/schemas/${made.body.id}`, undefined, other)).status).toBe(404);
    expect((await send("DELETE", "/v1/schemas/mine", undefined, other)).status).toBe(404);
    expect((await send("POST", "/v1/schemas", { name: "mine", slug: "mine", schema: {} }, other)).status).toBe(201);
    expect((await send("GET", "/v1/schemas", undefined, other)).body.total).toBe(1);
  });

  test("a key without the scope and a call without a key are refused", async () => {
    const chatOnly = await gateway.key({ project: "schemas", scopes: ["chat"] });
    expect((await send("GET", "/v1/schemas", undefined, chatOnly)).body.error.type).toBe("permission_denied");
    expect((await send("GET", "/v1/schemas", undefined, null)).status).toBe(401);
  });
});

describe("in chat", () => {
  const chat = (body: object) =>
    send("POST", "/v1/chat", { messages: [{ role: "user", content: "The total is 12.50 EUR." }], ...body });

  test("a saved schema is enforced by slug and by an earlier version", async () => {
    await send("POST", "/v1/schemas", { name: "Total", slug: "total", schema: invoice });
    await send("PUT", "/v1/schemas/total", {
      schema: { type: "object", properties: { sum: { type: "string" } }, required: ["sum"] },
    });
    const latest = await chat({ schema_id: "total" });
    expect(latest.status).toBe(200);
    expect(latest.body.svc.schema_validation).toMatchObject({ enabled: true, passed: true });
    expect(typeof JSON.parse(latest.body.choices[0].message.content).sum).toBe("string");
    const pinned = await chat({ schema_id: "total@1" });
    expect(typeof JSON.parse(pinned.body.choices[0].message.content).total).toBe("number");
  });

  test("an unknown schema_id is refused by name", async () => {
    const refused = await chat({ schema_id: "nowhere" });
    expect(refused.status).toBe(400);
    expect(refused.body.error.param).toBe("schema_id");
  });

  test("a mended answer says what was mended, a strict one is not mended", async () => {
    const reply = (text: string, more: object = {}) =>
      chat({ schema: invoice, messages: [{ role: "user", content: `x [[sandbox:reply=${text}:always]]` }], ...more });
    const mended = await reply("{'total': 3,}");
    expect(mended.body.choices[0].message.content).toBe('{"total":3}');
    expect(mended.body.svc.schema_validation).toEqual({ enabled: true, passed: true, repaired: ["extra_comma", "quotes"] });
    const strict = await reply("{'total': 3,}", { schema_strict: true });
    expect(strict.status).toBe(422);
    expect(strict.body.error.type).toBe("schema_validation_failed");
    expect(strict.body.error.errors[0]).toHaveProperty("path");
  });
});
