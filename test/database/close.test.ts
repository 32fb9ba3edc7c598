import { Database as Connection } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDatabase } from "../../src/database/database.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-close-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a closed database holds none of its files, and only the one is left", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "signalbox-close-")), "a.db");
  const db = await openDatabase(path);
  await db.write((sql) => sql.run("CREATE TABLE written (text TEXT) STRICT"));
  await db.scan("SELECT 1");
  await db.close();
  const left = readdirSync(dirname(path));
  rmSync(dirname(path), { recursive: true });
  // SQLite deletes the log with the last connection, and keeps that open as long as one of its statements is.
  expect(left.filter((name) => name.startsWith("a.db"))).toEqual(["a.db"]);
});

const isCheckpointed = (connection: Connection) =>
  connection.query<{ busy: number }, []>("PRAGMA wal_checkpoint(PASSIVE)").get()!.busy === 0;

test("closing waits for another thread's checkpoint, and leaves nothing in the write-ahead log", async () => {
  const path = join(folder, "a.db");
  const db = await openDatabase(path);
  const reader = new Connection(path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM settings").get();
  await db.write((sql) => sql.run("CREATE TABLE written (text TEXT) STRICT"));
  // This checkpoint lasts until the reader is done, and no other can begin meanwhile.
  const other = new Worker(
    URL.createObjectURL(
      new Blob([
        `import { Database } from "bun:sqlite";
         const connection = new Database(${JSON.stringify(path)});
         connection.run("PRAGMA busy_timeout = 60000");
         while (connection.query("PRAGMA wal_checkpoint(FULL)").get().busy !== 0);
         connection.close();
         postMessage("done");`,
      ]),
    ),
  );
  const done = new Promise((resolve) => {
    other.onmessage = resolve;
  });
  const onlooker = new Connection(path);
  while (isCheckpointed(onlooker)) await Bun.sleep(5);
  const closed = db.close();
  await Promise.race([closed, Bun.sleep(300)]);
  reader.run("COMMIT");
  reader.close();
  await Promise.all([closed, done]);
  // The last connection to close would delete the log.
  expect(statSync(`${path}-wal`).size).toBe(0);
  onlooker.close();
});
