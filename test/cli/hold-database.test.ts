/** One process serves a file: the operating system says who, not what stands in a file. */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { holdDatabase } from "../../src/cli/hold-database.ts";
import { holdForMigration } from "../../src/cli/hold-for-migration.ts";
import { withDatabaseOrNew } from "../../src/cli/with-database.ts";
import { readConfig } from "../../src/config/config.ts";
import { MIGRATIONS } from "../../src/database/migrations/index.ts";
import { folderOfFile } from "../support/folder-of-file.ts";

setDefaultTimeout(30_000);

const folder = folderOfFile();

const HOLD = `const { holdDatabase } = await import(${JSON.stringify(join(import.meta.dir, "../../src/cli/hold-database.ts"))});
  try { globalThis.lock = holdDatabase(process.argv[1]); console.log("held"); } catch (error) { console.log(error.message); }
  await Bun.stdin.text();`;

/** A process that takes the lock and keeps it for as long as it lives; its first line says how that went. */
const holder = async (path: string, before: string[] = []) => {
  const child = Bun.spawn([...before, process.execPath, "-e", HOLD, path], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  return { child, said: new TextDecoder().decode(value).trim() };
};

test("a second process is refused and told who holds the file; one that was killed holds nothing", async () => {
  const path = join(folder, "a.db");
  const first = await holder(path);
  expect(first.said).toBe("held");
  expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
  const refusal = `${path} is served by process ${first.child.pid} already. Stop it, or name another file with --db.`;
  expect(() => holdDatabase(path)).toThrow(refusal);
  first.child.kill("SIGKILL");
  await first.child.exited;
  {
    using _lock = holdDatabase(path);
    expect((await endOf(path)).said).toContain(`process ${process.pid} already`);
  }
  expect((await endOf(path)).said).toBe("held");
});

test("a lock that cannot be taken is named", async () => {
  const path = join(folder, "odd.db");
  await Bun.write(`${path}.lock`, "something else altogether, and long enough to be read as a database's head".repeat(9));
  expect(() => holdDatabase(path)).toThrow(
    `The lock ${path}.lock cannot be taken: file is not a database. Delete it if no Signalbox serves the database.`,
  );
});

test("no command of a newer version changes the schema under a server of an older one", async () => {
  const path = join(folder, "older.db");
  const config = readConfig({}, { db: path });
  const count = () => withDatabaseOrNew(config, async (db) => db.all("SELECT id FROM projects").length);
  expect(await count()).toBe(0);
  const older = MIGRATIONS.at(-1)!.version - 1;
  const database = new Database(path);
  database.run(`PRAGMA user_version = ${older}`);
  const server = await holder(path);
  expect(() => holdForMigration(path, 0)).toThrow("is served by process");
  expect(database.query("PRAGMA user_version").get()).toEqual({ user_version: older });
  // Of the same version they work side by side.
  database.run(`PRAGMA user_version = ${older + 1}`);
  database.close();
  expect(await count()).toBe(0);
  server.child.kill("SIGKILL");
  await server.child.exited;
});

test("commands that come together to a file that is not there yet all find it made", async () => {
  const path = join(folder, "new", "signalbox.db");
  const main = join(import.meta.dir, "../../src/main.ts");
  const makers = Array.from({ length: 5 }, (_, number) =>
    Bun.spawn([process.execPath, "run", main, "projects", "create", `p${number}`, "--db", path], {
      stdout: "ignore",
      stderr: "pipe",
    }),
  );
  const said = await Promise.all(makers.map(async ({ exited, stderr }) => [await exited, await new Response(stderr).text()]));
  expect(said).toEqual(makers.map(() => [0, ""]));
  const names = await withDatabaseOrNew(readConfig({}, { db: path }), async (db) =>
    db.all<{ name: string }>("SELECT name FROM projects ORDER BY name").map(({ name }) => name),
  );
  expect(names).toEqual(["p0", "p1", "p2", "p3", "p4"]);
});

const endOf = async (path: string) => {
  const { child, said } = await holder(path);
  child.kill("SIGKILL");
  await child.exited;
  return { said };
};

/** In a container the first process has the id 1, whatever else runs on the machine. */
const ownIds = ["unshare", "--pid", "--fork", "--kill-child"];
const canUnshare = Bun.which("unshare") !== null && Bun.spawnSync([...ownIds, "true"]).exitCode === 0;

test.skipIf(!canUnshare)("two containers on one volume: the second is refused, although both are process 1", async () => {
  const path = join(folder, "shared.db");
  const first = await holder(path, ownIds);
  expect(first.said).toBe("held");
  const second = await holder(path, ownIds);
  expect(second.said).toBe(`${path} is served by process 1 already. Stop it, or name another file with --db.`);
  for (const { child } of [first, second]) {
    child.kill("SIGKILL");
    await child.exited;
  }
});

test("a command whose write is refused names the file and why; what else fails in it is thrown as it is", async () => {
  const path = join(folder, "locked.db");
  const failing = (message: string, code: string) =>
    withDatabaseOrNew(readConfig({}, { db: path }), () => Promise.reject(Object.assign(new Error(message), { code })));
  await expect(failing("database is locked", "SQLITE_BUSY")).rejects.toThrow(
    `The database ${path} cannot be used: another program holds it locked.`,
  );
  await expect(failing("no such file", "ENOENT")).rejects.toThrow("no such file");
});
