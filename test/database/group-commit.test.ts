import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openDatabase, type Sql, sqlOf } from "../../src/database/database.ts";
import { createGroupCommit } from "../../src/database/group-commit.ts";

let folder: string;
let db: Db;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-commit-"));
  db = await openDatabase(join(folder, "a.db"));
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const set = (sql: Sql, name: string, value: string) =>
  sql.run("INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, 0)", name, value);
const get = (name: string) => db.get<{ value: string }>("SELECT value FROM settings WHERE name = ?", name)?.value;

test("what one unit throws takes nothing of its neighbours in the same commit", async () => {
  const outcomes = await Promise.allSettled([
    db.write((sql) => set(sql, "one", "1")),
    db.write((sql) => {
      set(sql, "two", "2");
      throw new Error("no");
    }),
    db.write((sql) => set(sql, "three", "3")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect([get("one"), get("two"), get("three")]).toEqual(["1", undefined, "3"]);
});

test("units beside one that throws are in the file once, and what follows their commit happens once, in their order", async () => {
  const elsewhere: string[] = [];
  const unit = (name: string, fails = false) =>
    db.write((sql) => {
      const before = Number(sql.get<{ value: string }>("SELECT value FROM settings WHERE name = 'count'")?.value ?? 0);
      set(sql, "count", String(before + 1));
      sql.afterCommit(() => elsewhere.push(name));
      if (fails) throw new Error("no");
      return name;
    });
  const outcomes = await Promise.allSettled([unit("a"), unit("b", true), unit("c"), unit("d"), unit("e", true), unit("f")]);
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "no"))).toEqual([
    "a",
    "no",
    "c",
    "d",
    "no",
    "f",
  ]);
  expect([get("count"), elsewhere.join(" ")]).toEqual(["4", "a c d f"]);
  await expect(unit("alone", true)).rejects.toThrow("no");
  await unit("g");
  expect([get("count"), elsewhere.join(" ")]).toEqual(["5", "a c d f g"]);
});

test("what is committed can be read at once; durable it is when the disk has said so, or not at all", async () => {
  const connection = new Connection(":memory:");
  connection.run("CREATE TABLE t (n INTEGER)");
  const disk = Promise.withResolvers<void>();
  const failures: unknown[] = [];
  const log = { sync: () => disk.promise, isBusy: () => false };
  const commits = createGroupCommit(connection, sqlOf(connection), log, {
    requireSameFile: () => {},
    patienceMs: 0,
    isOwnHold: () => false,
    onFailure: (error) => failures.push(error),
  });
  const { value, durable } = await commits.commit((sql) => sql.run("INSERT INTO t VALUES (7)").changes);
  expect([value, connection.query("SELECT n FROM t").all()]).toEqual([1, [{ n: 7 }]]);
  let isDurable = false;
  void durable.then(
    () => {
      isDurable = true;
    },
    () => {},
  );
  await new Promise(setImmediate);
  expect(isDurable).toBe(false);
  disk.reject(new Error("input/output error"));
  await expect(durable).rejects.toThrow("input/output error");
  expect(failures).toEqual([new Error("input/output error")]);
});

test("what comes once the file is being closed is refused, and waits for nothing", async () => {
  const last = await openDatabase(join(folder, "b.db"));
  const before = last.write((sql) => set(sql, "before", "1"));
  const closing = last.close();
  await expect(last.write((sql) => set(sql, "after", "2"))).rejects.toThrow("closed");
  await Promise.all([before, closing]);
  await expect(last.scan("SELECT 1")).rejects.toThrow("closed");
  const again = await openDatabase(join(folder, "b.db"));
  expect(again.all("SELECT name FROM settings WHERE name IN ('before', 'after')")).toEqual([{ name: "before" }]);
  await again.close();
});

test("a file that a checkpoint of this process holds is waited for, however long it takes", async () => {
  const path = join(folder, "own.db");
  await (await openDatabase(path)).close();
  const [connection, checkpoint] = [new Connection(path), new Connection(path)];
  let holds = true;
  const log = { sync: async () => {}, isBusy: () => false };
  const commits = createGroupCommit(connection, sqlOf(connection), log, {
    requireSameFile: () => {},
    patienceMs: 0,
    isOwnHold: () => holds,
  });
  checkpoint.run("BEGIN IMMEDIATE");
  const written = commits.commit((sql) => set(sql, "own", "1"));
  let isOpen = true;
  void written.finally(() => {
    isOpen = false;
  });
  await Bun.sleep(50);
  expect(isOpen).toBe(true);
  checkpoint.run("COMMIT");
  await written;
  holds = false;
  checkpoint.run("BEGIN IMMEDIATE");
  await expect(commits.commit((sql) => set(sql, "own", "2"))).rejects.toThrow("locked");
  checkpoint.close();
  connection.close();
});

test("a file that another process holds is waited for, and no longer than the patience lasts", async () => {
  const path = join(folder, "held.db");
  const patient = await openDatabase(path, { patienceMs: 50 });
  const other = new Connection(path);
  other.run("BEGIN IMMEDIATE");
  await expect(patient.write((sql) => set(sql, "late", "1"))).rejects.toThrow("locked");
  other.run("COMMIT");
  await patient.write((sql) => set(sql, "in time", "2"));
  expect(patient.all("SELECT name FROM settings WHERE name IN ('late', 'in time')")).toEqual([{ name: "in time" }]);
  other.close();
  await patient.close();
});

test("a row is stored by the names of its columns, in whichever order they come", async () => {
  await db.write((sql) => sql.insert("settings", { name: "one", value: "1", updated_at: 0 }));
  await db.write((sql) => sql.insert("settings", { value: "2", updated_at: 0, name: "two" }));
  expect([get("one"), get("two")]).toEqual(["1", "2"]);
});
