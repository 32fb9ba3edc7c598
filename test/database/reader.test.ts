import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openDatabase } from "../../src/database/database.ts";

let folder: string;
let db: Db;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-reader-"));
  db = await openDatabase(join(folder, "a.db"));
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

/** Counts to `n`, a row at a time. */
const COUNT = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?) SELECT";

test("a short read does not wait for a long one", async () => {
  const ended: string[] = [];
  // Both threads are there, so that none has to start beside the long read.
  await Promise.all([db.scan("SELECT 1"), db.scan("SELECT 1")]);
  const long = db.scan(`${COUNT} count(*) AS n FROM numbers`, [4_000_000]).then(() => ended.push("long"));
  const short = db.scan("SELECT 1").then(() => ended.push("short"));
  await Promise.all([long, short]);
  expect(ended).toEqual(["short", "long"]);
});

test("what fails in the reader is told to who asked, and to nobody else", async () => {
  const outcomes = await Promise.allSettled([
    db.scan("SELECT no"),
    db.scan<{ n: number }>("SELECT 1 AS n"),
    db.scan("SELECT no"),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
});

test("the write-ahead log begins anew although calls keep coming", async () => {
  const MEGABYTE = "x".repeat(1 << 20);
  const writeMegabytes = async (count: number) => {
    for (let n = 0; n < count; n++)
      await db.write((sql) =>
        sql.run("INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, 0)", `${n % 4}`, MEGABYTE),
      );
  };
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n++)
      await db.write((sql) =>
        sql.run("INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES ('small', ?, 0)", `${n}`),
      );
  })();
  for (let round = 0; round < 4; round++) {
    await writeMegabytes(17);
    await db.checkpoint();
  }
  isOver = true;
  await writing;
  expect(db.walBytes()).toBeLessThan(62 * (1 << 20));
}, 30_000);
