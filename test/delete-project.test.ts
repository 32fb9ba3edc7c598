import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../src/app.ts";
import { deleteProject } from "../src/delete-project.ts";
import { byCommand } from "../src/history/author.ts";
import { addUpCalls } from "../src/logs/sums/add-up.ts";
import type { TestKey } from "./support/gateway.ts";
import { gatewayOfFile } from "./support/gateway-of-file.ts";
import { getJson, record } from "./support/known-call.ts";

const gateway = await gatewayOfFile();
const { db, background } = gateway.platform;
const HALF_AN_HOUR = 30 * 60_000;
const SECRET = "the heron waits by the ninth lever";

const body = (content: string) => ({ messages: [{ role: "user", content }] });
const OF_USERS = { userBudget: { nanoUsd: 1e9, period: "month" } } as const;
const POLICY = { template: "no-vendor-a" };

/** One of everything that a project can own. */
const fill = async (key: TestKey): Promise<void> => {
  const send = async (path: string, sent: object, headers = {}) => {
    const response = await gateway.send(key, "POST", path, sent, headers);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as any;
  };
  await send("/v1/chat", { ...body(SECRET), session_id: "s" }, { "idempotency-key": "k" });
  await send("/v1/chat", { ...body(`${SECRET} again`), user: SECRET });
  const { logs } = await getJson(gateway, key, "/v1/logs");
  await send(`/v1/logs/${logs[0].call_id}/feedback`, { score: 1, comment: SECRET });
  await send("/v1/documents", { content: SECRET, filename: "a.txt", collection_id: "c" });
  await send("/v1/images/generations", { prompt: SECRET });
  await send("/v1/video/generations", { prompt: SECRET });
  await send("/v1/schemas", { name: "a", schema: { type: "object", description: SECRET } });
  await send("/v1/policies", POLICY);
  await gateway.platform.learning.flush();
  await background.idle();
};

/**
 * Rows of the project in every table that names projects, but for work that ends by itself: nothing is left for it to do. The history tells
 * who deleted it.
 */
const rowsOf = ({ project, id }: TestKey): Record<string, number> => {
  const tables = db.all<{ name: string }>(
    "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'project_id' AND m.name NOT IN ('jobs', 'history')",
  );
  const counts = tables.map(({ name }) => {
    const { n } = db.get<{ n: number }>(`SELECT count(*) AS n FROM ${name} WHERE project_id = ?`, project.id)!;
    return [name, n] as const;
  });
  const { spent } = db.get<{ spent: number }>("SELECT count(*) AS spent FROM key_spend WHERE key_id = ?", id)!;
  return Object.fromEntries([...counts, ["key_spend", spent] as const].filter(([, n]) => n > 0));
};

const onDisk = (): Buffer =>
  Buffer.concat(
    readdirSync(gateway.folder)
      .filter((name) => name.startsWith("signalbox.db"))
      .map((name) => readFileSync(join(gateway.folder, name))),
  );

test("a deleted project's keys are refused at once, and then nothing of it is left; another one keeps everything", async () => {
  const [gone, stays] = [await gateway.key({ project: "gone", settings: OF_USERS }), await gateway.key({ project: "stays" })];
  await record(gateway, gone, ...Array.from({ length: 450 }, () => ({ startedAtMs: gateway.clock.now(), promptText: SECRET })));
  await fill(gone);
  await addUpCalls(db);
  const before = rowsOf(gone);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([
      "api_keys",
      "calls",
      "call_days",
      "documents",
      "chunks",
      "files",
      "memory_sessions",
      "policies",
      "user_spend",
      "schemas",
    ]),
  );
  await record(gateway, stays, { startedAtMs: gateway.clock.now() });
  await addUpCalls(db);
  const others = rowsOf(stays);

  await deleteProject(gateway.platform, byCommand(gateway.clock.now()), gone.project.id);
  expect((await gateway.send(gone, "GET", "/v1/usage")).status).toBe(401);
  expect((await gateway.key({ project: "gone" })).project.id).not.toBe(gone.project.id);
  await background.idle();
  // Its number among the projects with documents is never given again.
  expect(rowsOf(gone)).toEqual({ document_projects: 1 });
  expect(rowsOf(stays)).toEqual(others);
  expect(onDisk().includes(SECRET)).toBe(false);

  // What was running when the project was deleted ends later.
  await record(gateway, gone, { startedAtMs: gateway.clock.now() });
  gateway.clock.advance(HALF_AN_HOUR);
  background.wake();
  await background.idle();
  expect(rowsOf(gone)).toEqual({ document_projects: 1 });
  expect(db.get<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE kind = 'project.forget'")).toEqual({ n: 0 });
});

test("a request that was admitted before its project was deleted is refused like any other of its keys", async () => {
  const key = await gateway.key({ project: "meanwhile" });
  // It is read after the admission.
  const sent = new ReadableStream({
    pull: async (controller) => {
      await deleteProject(gateway.platform, byCommand(gateway.clock.now()), key.project.id);
      controller.enqueue(Buffer.from(JSON.stringify({ name: "late", schema: { type: "object" } })));
      controller.close();
    },
  });
  const request = new Request(`${gateway.url}/v1/schemas`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json" },
    body: sent,
  });
  const response = await createApp(gateway.platform).handle(request);
  expect([response.status, await response.json()]).toMatchObject([401, { error: { message: "Invalid API key" } }]);
});

test("a drain ends the deletion early, and it goes on later", async () => {
  const key = await gateway.key({ project: "draining" });
  await fill(key);
  gateway.platform.draining = true;
  await deleteProject(gateway.platform, byCommand(gateway.clock.now()), key.project.id);
  await background.idle();
  gateway.platform.draining = false;
  expect(Object.keys(rowsOf(key))).toEqual(
    expect.arrayContaining(["calls", "documents", "files", "memory_sessions", "idempotency_keys"]),
  );
  gateway.clock.advance(60_000);
  background.wake();
  await background.idle();
  expect(rowsOf(key)).toEqual({ document_projects: 1 });
});

test("the only project cannot be deleted, nor the last two at once", async () => {
  await gateway.key({ project: "one of two" });
  const projects = () => db.all<{ id: string }>("SELECT id FROM projects");
  for (const { id } of projects().slice(2)) await deleteProject(gateway.platform, byCommand(gateway.clock.now()), id);
  await Promise.allSettled(projects().map(({ id }) => deleteProject(gateway.platform, byCommand(gateway.clock.now()), id)));
  const [{ id }, ...others] = projects() as [{ id: string }];
  expect(others).toEqual([]);
  await expect(deleteProject(gateway.platform, byCommand(gateway.clock.now()), id)).rejects.toThrow(
    "The only project cannot be deleted",
  );
  expect(db.get("SELECT 1 FROM projects WHERE id = ?", id)).toBeDefined();
});
