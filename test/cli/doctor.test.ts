/** `signalbox doctor` tells what is well and what is not. */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { json, startUpstreamStub } from "../support/upstream-stub.ts";
import { commandsIn } from "./commands-in.ts";

setDefaultTimeout(60_000);

const newFolder = foldersOfFile();
const PAGE = 8192;

/** The first page of a table; pages are counted from 1. */
const pageOf = (path: string, table: string): number => {
  using database = new Database(path, { readonly: true });
  return (database.query("SELECT rootpage FROM sqlite_master WHERE name = ?").get(table) as { rootpage: number }).rootpage;
};

type Finding = { check: string; ok: boolean; note?: true; detail: string };

const examine = async (folder: string, environment: Record<string, string> = {}, ...more: string[]) => {
  const { code, stdout } = await commandsIn(folder).run(["doctor", "--json", ...more], environment);
  const findings: Finding[] = JSON.parse(stdout);
  return { code, findings, of: (name: string) => findings.find(({ check }) => check === name)! };
};

test("doctor asks a provider with each of its keys", async () => {
  const stub = startUpstreamStub();
  const list = json({ data: [{ id: "m" }] });
  stub.answer((request) =>
    (request.headers.get("authorization") === "Bearer sk-gone" ? json({ error: { message: "no" } }, 401) : list)(request),
  );
  const folder = newFolder();
  const keys = "[{ key: sk-good }, { key: sk-gone }]";
  await Bun.write(join(folder, "signalbox.yaml"), `providers: { house: { base_url: "${stub.url}/v1", keys: ${keys} } }\n`);
  const { code, findings } = await examine(folder);
  const found = findings.filter(({ check }) => check.startsWith("provider house"));
  expect(found[0]!.detail).toEndWith("lists 1 model");
  expect([code, found.map(({ check, ok }) => [check, ok])]).toEqual([
    1,
    [
      ["provider house, key 1 of 2", true],
      ["provider house, key 2 of 2", false],
    ],
  ]);
  stub.stop();
});

test("a provider without a list of models may be well all the same", async () => {
  const stub = startUpstreamStub();
  stub.answer(json({ error: "Not Found" }, 404));
  const folder = newFolder();
  await Bun.write(join(folder, "signalbox.yaml"), `providers: { house: { base_url: "${stub.url}/v1", key: sk-good } }\n`);
  expect((await examine(folder)).of("provider house")).toMatchObject({
    ok: true,
    note: true,
    detail: expect.stringContaining("no list of models"),
  });
  stub.stop();
});

test("doctor tells how old the newest backup is, and whether the server still makes any", async () => {
  const folder = newFolder();
  const backups = join(folder, "backups");
  const { run } = commandsIn(folder);
  await run("keys create --project default");
  const told = async () => {
    const { ok, note, detail } = (await examine(folder, { SIGNALBOX_BACKUP_FOLDER: backups })).of("backups");
    return [ok, note, detail];
  };
  const made = (atMs: number) =>
    Bun.write(join(backups, `signalbox-${new Date(atMs).toISOString().slice(0, 19).replaceAll(":", "-")}.db`), "");
  expect(await told()).toEqual([true, true, expect.stringContaining("there is none")]);
  await made(Date.now() - 3 * 86_400_000);
  expect(await told()).toEqual([false, undefined, expect.stringContaining("long ago")]);
  await made(Date.now() - 3_600_000);
  expect(await told()).toEqual([true, undefined, expect.stringContaining("the newest")]);
  rmSync(backups, { recursive: true });
  await Bun.write(backups, "a file in place of the folder");
  expect(await told()).toEqual([false, undefined, expect.stringContaining("cannot be read")]);
});

test("doctor tells what is well and what is not, and makes no database to look at", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  const before = await examine(folder, { PORT: "0" });
  expect(before.of("database").detail).toBe("there is none at data/signalbox.db yet; the first start makes it");
  expect(Object.fromEntries(before.findings.map(({ check, ok }) => [check, ok]))).toEqual({
    database: true,
    "vector extension": true,
    disk: true,
    clock: true,
    port: true,
    "provider ollama": false,
  });
  expect(before.code).toBe(1);
  await run("models list");
  expect(readdirSync(folder)).toEqual([]);

  await json("projects create one");
  const database = new Database(join(folder, "data/signalbox.db"));
  database.run(
    `INSERT INTO calls (id, project_id, mode, key_id, kind, route, started_at, completed_at, latency_ms, upstream_ms, status, streamed, pinned,
      attempt_count, retry_count, fallback_used, cost_warning, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
      usage_source, cost_nano_usd, prompt_length, message_count, output_length)
     VALUES ('call_1', 'p', 'test', 'k', 'chat', '/v1/chat', 4e12, 4e12, 0, 0, 200, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 'none', 0, 0, 0, 0)`,
  );
  database.close();
  const after = await examine(folder, { PORT: "0" });
  expect(after.of("database").detail).toBe("data/signalbox.db: ok");
  expect(after.of("clock")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("before the last call in the log (2096-10-02"),
  });
});

test("doctor tells of a database that cannot be used, and of all that can", async () => {
  const folder = newFolder();
  await Bun.write(join(folder, "data/signalbox.db"), "no database at all");
  const { code, of } = await examine(folder, { PORT: "0" });
  const detail = "The database data/signalbox.db cannot be used: it is not a SQLite database.";
  expect([code, of("database")]).toEqual([1, { check: "database", ok: false, detail }]);
  expect(of("port")).toBeDefined();
});

test("doctor tells of a database that could not be made, of a damaged one, and of one that cannot be written", async () => {
  const folder = newFolder();
  const { run, json } = commandsIn(folder);
  const databaseAt = async (path: string) => (await examine(folder, { PORT: "0" }, "--db", path)).of("database");
  await Bun.write(join(folder, "file"), "");
  expect(await databaseAt("file/a.db")).toEqual({
    check: "database",
    ok: false,
    detail: "The database file/a.db cannot be used: its folder is a file.",
  });
  await json("projects create one");
  const path = join(folder, "data/signalbox.db");
  const bytes = await Bun.file(path).bytes();
  const page = pageOf(path, "call_shadows");
  await Bun.write(path, bytes.slice().fill(7, (page - 1) * PAGE, page * PAGE));
  expect(await databaseAt("data/signalbox.db")).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^data\/signalbox\.db: it is damaged \(.*\); restore a backup$/),
  });
  expect((await run("restore data/signalbox.db --db other.db")).stderr).toMatch(
    /^signalbox: data\/signalbox\.db is not a sound Signalbox database: .+\n$/,
  );
  // SQLite does not write files of a later format. (Permissions would not keep out a root user who runs the tests.)
  bytes[18] = 3;
  await Bun.write(path, bytes);
  expect(await databaseAt("data/signalbox.db")).toMatchObject({
    ok: false,
    detail: "The database data/signalbox.db cannot be used: it may not be written.",
  });
});

test("doctor tells a port that another program has from one where Signalbox answers, and an address that is not this machine's", async () => {
  const folder = newFolder();
  const portIn = async (environment: Record<string, string>) => (await examine(folder, environment)).of("port");
  const other = Bun.serve({ port: 0, fetch: () => new Response("ok") });
  const ours = Bun.serve({
    port: 0,
    fetch: () => new Response("{}", { status: 503, headers: { "x-svc-request-id": "call_1" } }),
  });
  expect(await portIn({ PORT: String(other.port) })).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/another program on \S+ already uses/),
  });
  expect(await portIn({ PORT: String(ours.port) })).toMatchObject({
    ok: true,
    detail: `${ours.port} is in use by a running Signalbox`,
  });
  expect(await portIn({ HOST: "999.1.1.1" })).toMatchObject({
    ok: false,
    detail: expect.stringContaining("not an address of this machine"),
  });
  await Promise.all([other.stop(true), ours.stop(true)]);
});
