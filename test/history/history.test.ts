/** Who changed which key, project or password, and when: told to the operator, for as long as the history is kept. */

import { expect, test } from "bun:test";
import { byCommand } from "../../src/history/author.ts";
import { changedFields } from "../../src/history/change.ts";
import { recordChange } from "../../src/history/store.ts";
import { sweepHistory } from "../../src/history/sweep-history.ts";
import { DAY_MS } from "../../src/lib/clock.ts";
import { BOUNDS } from "../../src/limits/bounds.ts";
import { PASSWORD, signIn } from "../support/dashboard.ts";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const TOKEN = "a-token-of-the-operator-0123456789";
const gateway = await gatewayOfFile({ environment: { SIGNALBOX_ADMIN_TOKEN: TOKEN } });
const { operator } = await signIn(gateway);

const read = async (query = "") => (await (await operator.send("GET", `/history?${query}`)).json()) as any;
const newest = async () => (await read("limit=1")).changes[0];
const ask = async (method: string, path: string, body?: object) => {
  const response = await operator.send(method, path, body);
  expect([path, response.status < 300]).toEqual([path, true]);
  return response.json() as Promise<any>;
};

test("a key is told from its making to its end, with what its terms were and are", async () => {
  const { project } = await gateway.key({ project: "keys" });
  const { record } = await ask("POST", `/projects/${project.id}/keys`, { name: "shop", mode: "live", budget_usd: 5 });
  const by = { actor: "dashboard", key_id: null, key_name: null, ip: "127.0.0.1" };
  const what = { object_id: record.id, object_name: "shop", project_id: project.id, project_name: "keys", ...by };
  expect(await newest()).toMatchObject({
    action: "key.created",
    ...what,
    changes: { mode: { before: null, after: "live" }, budget_usd: { before: null, after: 5 } },
  });
  await ask("PATCH", `/projects/${project.id}/keys/${record.id}`, { budget_usd: 50, scopes: ["chat"] });
  expect(await newest()).toMatchObject({ action: "key.changed", ...what });
  expect((await newest()).changes).toEqual({
    budget_usd: { before: 5, after: 50 },
    scopes: { before: null, after: ["chat"] },
  });
  await ask("DELETE", `/projects/${project.id}/keys/${record.id}`);
  expect(await newest()).toMatchObject({ action: "key.revoked", ...what, changes: {} });
  const { changes, total } = await read("kind=key&project=keys&limit=2");
  expect([total, changes.map(({ action }: any) => action)]).toEqual([4, ["key.revoked", "key.changed"]]);
});

test("a project is told with its budgets and limits, and by the name and id it had when it is no more", async () => {
  await gateway.key({ project: "stays" });
  const { id } = await ask("POST", "/projects", { name: "goes", tier: "pro" });
  await ask("PATCH", `/projects/${id}`, {
    name: "gone",
    settings: { budget: { usd: 5, period: "month" }, limits: { chat: { per_minute: 10 } } },
  });
  await ask("PATCH", `/projects/${id}`, { settings: { budget: { usd: 50, period: "month" } } });
  await ask("DELETE", `/projects/${id}`);
  const { changes } = await read(`project=${id}`);
  expect(changes.map(({ action, object_name, changes }: any) => [action, object_name, changes])).toEqual([
    [
      "project.deleted",
      "gone",
      {
        name: { before: "gone", after: null },
        tier: { before: "pro", after: null },
        "budget.usd": { before: 50, after: null },
        "budget.period": { before: "month", after: null },
        "limits.chat.per_minute": { before: 10, after: null },
      },
    ],
    ["project.changed", "gone", { "budget.usd": { before: 5, after: 50 } }],
    [
      "project.changed",
      "gone",
      {
        name: { before: "goes", after: "gone" },
        "budget.usd": { before: null, after: 5 },
        "budget.period": { before: null, after: "month" },
        "limits.chat.per_minute": { before: null, after: 10 },
      },
    ],
    ["project.created", "goes", { name: { before: null, after: "goes" }, tier: { before: null, after: "pro" } }],
  ]);
  expect((await read("project=gone")).total).toBe(3);
});

test("what changes nothing, and what is refused, is not told", async () => {
  const { project } = await gateway.key({ project: "as it was" });
  const { total } = await read();
  await ask("PATCH", `/projects/${project.id}`, { tier: "enterprise", settings: {} });
  await gateway.key({ project: "taken" });
  const after = (await read()).total;
  expect((await operator.send("PATCH", `/projects/${project.id}`, { name: "taken", tier: "free" })).status).toBe(409);
  expect((await operator.send("POST", "/projects", { name: "taken", tier: "free" })).status).toBe(409);
  expect([after, (await read()).total]).toEqual([total + 2, total + 2]);
  expect((await read(`project=${project.id}&kind=project`)).changes.length).toBe(1);
});

test("a change that cannot be committed leaves no word of it, and none is committed without", async () => {
  const { project, id } = await gateway.key({ project: "full disk", budgetUsd: 1 });
  const { total } = await read();
  const makeRoom = gateway.fillDisk();
  const change = () => operator.send("PATCH", `/projects/${project.id}/keys/${id}`, { budget_usd: 9 });
  expect((await change()).status).toBe(503);
  makeRoom();
  expect((await read()).total).toBe(total);
  expect((await change()).status).toBe(200);
  expect((await read()).total).toBe(total + 1);
});

test("a program with the admin token is told apart from a browser", async () => {
  const { project } = await gateway.key({ project: "by token" });
  const response = await gateway.send(TOKEN, "PATCH", `/dashboard/api/projects/${project.id}`, { tier: "free" });
  expect(response.status).toBe(200);
  expect(await newest()).toMatchObject({ actor: "admin_token", changes: { tier: { before: "enterprise", after: "free" } } });
});

test("only the operator reads it", async () => {
  const { text } = await gateway.key({ project: "curious" });
  for (const path of ["/dashboard/api/history", "/v1/history"])
    expect((await gateway.send(text, "GET", path)).status).toBe(path.startsWith("/v1") ? 404 : 401);
  expect((await gateway.send(null, "GET", "/dashboard/api/history")).status).toBe(401);
});

test("it is read by the day and in pages, and a filter that there is not is refused", async () => {
  const day = new Date(gateway.clock.now()).toISOString().slice(0, 10);
  const { total, changes } = await read();
  expect((await read(`start_date=${day}&end_date=${day}`)).total).toBe(total);
  expect((await read(`start_date=${new Date(gateway.clock.now() + DAY_MS).toISOString().slice(0, 10)}`)).total).toBe(0);
  expect((await read("limit=1&offset=1")).changes).toEqual([changes[1]]);
  const { timestamp } = changes[0];
  const at = async (from: string, to: string) =>
    (await read(`start_date=${from}&end_date=${to}`)).changes.map(({ id }: any) => id);
  const before = new Date(Date.parse(timestamp) - 1).toISOString();
  expect(await at(timestamp, timestamp)).toContain(changes[0].id);
  expect(await at(before, before)).not.toContain(changes[0].id);
  for (const wrong of ["kind=cat", "start_date=soon", "limit=0"])
    expect((await operator.send("GET", `/history?${wrong}`)).status).toBe(400);
});

test("what would fill a page is told by its length", async () => {
  const { project } = await gateway.key({ project: "long" });
  const models = [...Array(60).keys()].map((number) => `openai/model-number-${number}`);
  const files = Object.fromEntries([...Array(102).keys()].map((number) => [`field_${number}`, number]));
  const long = { words: "x".repeat(499), few: "x".repeat(498), ...files };
  await gateway.platform.db.write((sql) =>
    recordChange(sql, byCommand(0), {
      action: "key.changed",
      projectId: project.id,
      fields: changedFields({ models: ["gpt-4o"] }, { models, ...long }),
    }),
  );
  const { changes } = (await read("kind=key&project=long")).changes.at(-1);
  expect(changes.models).toEqual({ before: ["gpt-4o"], after: "60 entries" });
  expect([changes.words.after, changes.few.after]).toEqual(["501 characters", "x".repeat(498)]);
  expect([Object.keys(changes).length, changes["…"].after]).toEqual([101, "5 more"]);
  const oneMore = changedFields({}, Object.fromEntries(Object.entries(files).slice(0, 101)));
  expect(oneMore["…"]).toEqual({ before: null, after: "1 more" });
});

test("no secret is in it", async () => {
  const { project } = await gateway.key({ project: "secrets" });
  const { key } = await ask("POST", `/projects/${project.id}/keys`, { name: "quiet", mode: "live" });
  const rows = JSON.stringify(gateway.platform.db.all("SELECT * FROM history"));
  const hashes = gateway.platform.db.all<{ hash: string }>("SELECT secret_hash AS hash FROM api_keys").map(({ hash }) => hash);
  for (const secret of [key, PASSWORD, TOKEN, operator.cookie, ...hashes]) expect(rows.includes(secret)).toBe(false);
});

test("it is kept for its time, and of one kind no more than its share", async () => {
  await using own = await startGateway();
  const { db } = own.platform;
  const kept = () =>
    db.get<{ kinds: string }>(
      "SELECT json_group_object(kind, n) AS kinds FROM (SELECT kind, count(*) AS n FROM history GROUP BY kind)",
    );
  const firstMs = own.clock.now();
  await db.write((sql) => {
    for (let n = 0; n < BOUNDS.historyOfKind + 700; n++)
      sql.run(
        "INSERT INTO history (changed_at, actor, action, kind, fields) VALUES (?, 'key', 'document.deleted', 'document', '{}')",
        firstMs + n,
      );
  });
  await own.key({ project: "before the sweep" });
  await sweepHistory(own.platform);
  const { key, document } = JSON.parse(kept()!.kinds);
  expect(document).toBe(BOUNDS.historyOfKind);
  // The newest.
  const oldest = db.get<{ at: number }>("SELECT min(changed_at) AS at FROM history WHERE kind = 'document'")!.at;
  expect(oldest).toBe(firstMs + 700);
  expect(key).toBeGreaterThan(0);
  own.clock.advance((BOUNDS.historyDays + 1) * DAY_MS);
  await sweepHistory(own.platform);
  expect(kept()!.kinds).toBe("{}");
  const { write } = db;
  db.write = () => Promise.reject(new Error("Nothing has to be written."));
  await sweepHistory(own.platform);
  db.write = write;
});
