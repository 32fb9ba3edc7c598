import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/database/database.ts";
import { createLogSync } from "../../src/database/sync-log.ts";
import { isUnwritable } from "../../src/database/unwritable.ts";

/** A disk that fails when told to; `steps` has what was asked of it. */
const withDisk = (emptyLog: () => Promise<boolean>) => {
  const disk = { fails: false, steps: [] as string[] };
  const sync = createLogSync(
    7,
    () => {
      disk.steps.push("empty");
      return emptyLog();
    },
    async (file) => {
      disk.steps.push(`sync ${file}`);
      if (disk.fails) throw new Error("EIO");
    },
  );
  /** What one sync ends with (null: it succeeded), and the steps it took. */
  const outcome = async (): Promise<[string | null, string[]]> => {
    const error = await sync().catch((failure: Error) => failure);
    if (error) expect(isUnwritable(error)).toBe(true);
    return [error ? error.message : null, disk.steps.splice(0)];
  };
  return { disk, outcome };
};

test("after a failed sync none succeeds until the log was moved into the file", async () => {
  let emptyLog = async (): Promise<boolean> => true;
  const { disk, outcome } = withDisk(() => emptyLog());
  expect(await outcome()).toEqual([null, ["sync 7"]]);
  disk.fails = true;
  expect(await outcome()).toEqual(["EIO", ["sync 7"]]);
  emptyLog = () => Promise.reject(new Error("disk I/O error"));
  expect(await outcome()).toEqual(["disk I/O error", ["empty"]]);
  emptyLog = async () => false;
  expect(await outcome()).toEqual(["A reader still needs the write-ahead log.", ["empty"]]);
  emptyLog = async () => true;
  expect(await outcome()).toEqual(["EIO", ["empty", "sync 7"]]);
  disk.fails = false;
  expect(await outcome()).toEqual([null, ["empty", "sync 7"]]);
  expect(await outcome()).toEqual([null, ["sync 7"]]);
});

test("a failed sync leaves nothing in the log once the next has succeeded", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-sync-"));
  const db = await openDatabase(join(folder, "a.db"));
  const { disk, outcome } = withDisk(db.emptyWal);
  const put = () => db.write((sql) => sql.run("INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES ('a', '1', 0)"));
  await put();
  disk.fails = true;
  await outcome();
  expect(db.walBytes()).toBeGreaterThan(0);
  disk.fails = false;
  expect([await outcome(), db.walBytes()]).toEqual([[null, ["empty", "sync 7"]], 0]);
  await put();
  await db.close();
  rmSync(folder, { recursive: true });
});
