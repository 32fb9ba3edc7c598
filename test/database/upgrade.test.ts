/** What earlier versions left behind is served by this one: nothing that was kept is lost, also when the first start was killed. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashApiKey, newApiKeyText } from "../../src/accounts/api-key.ts";
import { changeKey } from "../../src/accounts/store.ts";
import { MIGRATIONS } from "../../src/database/migrations/index.ts";
import { byCommand } from "../../src/history/author.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { startGateway } from "../support/gateway.ts";
import { schemaText } from "./schema-text.ts";

const FIXTURES = join(import.meta.dir, "../fixtures/database");
const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-upgrade-"));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const madeAt = (folder: string): number => {
  const database = new Database(join(folder, "signalbox.db"), { readonly: true });
  const { at } = database.query("SELECT max(created_at) AS at FROM projects").get() as { at: number };
  database.close();
  return at + 60_000;
};

for (const fixture of readdirSync(FIXTURES).sort()) {
  test(`a file of ${fixture.replace(".db.gz", "")} keeps its keys' project, calls, documents, schemas, policies and sessions`, async () => {
    const folder = newFolder();
    await Bun.write(join(folder, "signalbox.db"), Bun.gunzipSync(await Bun.file(join(FIXTURES, fixture)).bytes()));
    // The day on which it was made: what it keeps has not expired, also for what a start clears away.
    const gateway = await startGateway({ folder, startsAtMs: madeAt(folder) });
    const key = await gateway.key({ project: "kept", tier: "team" });
    const get = async (path: string): Promise<any> => (await gateway.send(key, "GET", path)).json();
    const logs = await get("/v1/logs?start_date=2020-01-01");
    expect(logs.total).toBe(2);
    for (const { prompt, output } of logs.logs)
      expect([prompt.text.length, output.text.length]).toEqual([prompt.length, output.length]);
    const usage = logs.logs.reduce((sum: number, { execution }: any) => sum + execution.cost_usd, 0);
    expect(usage).toBeGreaterThan(0);
    expect((await get("/v1/documents")).documents[0]).toMatchObject({ filename: "box.md", status: "ready" });
    expect(await get("/v1/schemas/person")).toMatchObject({ name: "Person" });
    expect((await get("/v1/policies")).policies[0]).toMatchObject({ template: "budget-mode" });
    expect((await get("/v1/memory/morning")).messages.at(-1).content).toBe("All lines are clear.");
    const found = await gateway.send(key, "POST", "/v1/documents/query", {
      query: "How many levers has the frame?",
      threshold: 0,
    });
    expect(((await found.json()) as any).results[0].content).toContain("thirty levers");
    await gateway.stop();
    const database = new Database(join(folder, "signalbox.db"), { readonly: true });
    expect(schemaText(database)).toBe(await Bun.file(join(import.meta.dir, "schema.sql")).text());
    database.close();
  });
}

test("what a key had spent in a month counts after an upgrade, and it may do what it could", async () => {
  const folder = newFolder();
  const text = newApiKeyText("test");
  const old = new Database(join(folder, "signalbox.db"));
  for (const { version, sql } of MIGRATIONS.filter(({ version }) => version < 20)) {
    old.run(sql);
    old.run(`PRAGMA user_version = ${version}`);
  }
  old.run("INSERT INTO projects (id, name, tier, created_at) VALUES ('proj_1', 'kept', 'enterprise', 1)");
  old
    .query(
      "INSERT INTO api_keys (id, project_id, name, mode, secret_hash, last_four, budget_nano_usd, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .run("key_1", "proj_1", "ada", "test", hashApiKey(text), text.slice(-4), 5_000_000_000, 1);
  for (const [month, spent] of [
    ["2026-10", 3_000_000_000],
    ["2026-11", 2_000_000_000],
  ] as const)
    old.query("INSERT INTO key_spend (key_id, month, spent_nano_usd) VALUES ('key_1', ?, ?)").run(month, spent);
  old.close();
  const gateway = await startGateway({ folder });
  const { key } = (await (await gateway.send(text, "GET", "/v1/usage")).json()) as any;
  expect(key).toMatchObject({
    ...{ id: "key_1", name: "ada", models: null },
    budget: { usd: 5, period: "month", used_usd: 2 },
    limits: { requests_per_minute: null, tokens_per_minute: null },
  });
  const whole = (await changeKey(gateway.platform.db, byCommand(gateway.clock.now()), "key_1", { budgetPeriod: "total" }))!;
  expect(gateway.platform.budgets.spent(whole)).toBe(5_000_000_000);
  await gateway.stop();
});

test("a start that is killed while it migrates is gone on with by the next", async () => {
  for (let pause = 20; pause <= 320; pause *= 2) {
    const path = join(newFolder(), "old.db");
    const old = new Database(path);
    old.run(MIGRATIONS[0]!.sql);
    old.run(`PRAGMA user_version = ${MIGRATIONS[0]!.version}`);
    old.run("INSERT INTO projects (id, name, tier, created_at) VALUES ('proj_1', 'kept', 'pro', 1)");
    old.close();
    const list = selfCommand(["projects", "list", "--json", "--db", path]);
    const killed = Bun.spawn(list, { stdout: "ignore", stderr: "ignore" });
    // Wherever this falls, before, within or after the migrations: the outcome must be the same.
    await Bun.sleep(pause);
    killed.kill("SIGKILL");
    await killed.exited;
    const next = Bun.spawn(list, { stdout: "pipe", stderr: "pipe" });
    expect(JSON.parse(await new Response(next.stdout).text()).map(({ name }: any) => name)).toEqual(["kept"]);
    const database = new Database(path, { readonly: true });
    expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(schemaText(database)).toBe(await Bun.file(join(import.meta.dir, "schema.sql")).text());
    database.close();
  }
}, 60_000);
