/** Every file that an earlier version wrote comes to the same end, with its rows; what cannot be migrated is left as it was. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listProjects } from "../../src/accounts/store.ts";
import { openDatabase } from "../../src/database/database.ts";
import { NewerDatabaseError } from "../../src/database/migrate.ts";
import { MIGRATIONS } from "../../src/database/migrations/index.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { runProgram } from "../support/run-program.ts";
import { schemaText } from "./schema-text.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-migrate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const latest = MIGRATIONS.at(-1)!.version;
const committed = await Bun.file(join(import.meta.dir, "schema.sql")).text();

/** A file as the program of that version left it. */
const fileOf = (version: number, name: string): string => {
  const path = join(folder, name);
  const database = new Database(path);
  for (const migration of MIGRATIONS) if (migration.version <= version) database.run(migration.sql);
  database.run(`PRAGMA user_version = ${version}`);
  database.run("INSERT INTO projects (id, name, tier, created_at) VALUES ('proj_1', 'kept', 'pro', 1)");
  database.close();
  return path;
};

const look = <T>(path: string, work: (database: Database) => T): T => {
  const database = new Database(path, { readonly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
};
const versionOf = (path: string) =>
  look(path, (database) => (database.query("PRAGMA user_version").get() as { user_version: number }).user_version);

test("an empty file gets the schema that is committed (write-schema.ts writes it anew)", async () => {
  const path = join(folder, "empty.db");
  await (await openDatabase(path)).close();
  expect(look(path, schemaText)).toBe(committed);
  expect(versionOf(path)).toBe(latest);
});

test("segments of the log that lack the columns of today are removed", async () => {
  const path = fileOf(17, "segments.db");
  const old = new Database(path);
  old.run("INSERT INTO call_segments (project_id, mode, from_ms, to_ms, calls) VALUES ('proj_1', 'live', 0, 1, 1)");
  old.close();
  await (await openDatabase(path)).close();
  expect(look(path, (database) => database.query("SELECT id FROM call_segments").all())).toEqual([]);
});

test("migrations are numbered upwards, each once", () => {
  const versions = MIGRATIONS.map(({ version }) => version);
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
});

for (const { version } of MIGRATIONS.slice(0, -1)) {
  test(`a file of schema ${version} comes to the same end, keeps its rows, and is copied before`, async () => {
    const path = fileOf(version, `from-${version}.db`);
    const copies: string[] = [];
    const db = await openDatabase(path, { onMigrated: (copy) => copies.push(copy) });
    expect((await listProjects(db)).map(({ name }) => name)).toEqual(["kept"]);
    await db.close();
    expect(look(path, schemaText)).toBe(committed);
    const copy = `${path}.before-${latest}`;
    expect(copies).toEqual([copy]);
    expect(versionOf(copy)).toBe(version);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });
}

test("a migration that fails leaves the file, and the copy made before it, to the version before; the next start goes on", async () => {
  const [first] = MIGRATIONS as [(typeof MIGRATIONS)[number]];
  const path = fileOf(first.version, "halted.db");
  const table = /CREATE TABLE (\w+)/.exec(MIGRATIONS.findLast(({ sql }) => sql.includes("CREATE TABLE"))!.sql)![1]!;
  const inTheWay = new Database(path);
  inTheWay.run(`CREATE VIEW ${table} AS SELECT 1`);
  inTheWay.close();
  const misfit = `The database ${path} cannot be used: its tables are not those of its schema ${first.version}`;
  await expect(openDatabase(path)).rejects.toThrow(misfit);
  expect(versionOf(path)).toBe(first.version);

  const cleared = new Database(path);
  cleared.run(`DROP VIEW ${table}`);
  cleared.close();
  await (await openDatabase(path)).close();
  expect(look(path, schemaText)).toBe(committed);
  expect(versionOf(`${path}.before-${latest}`)).toBe(first.version);
});

test("a file that is there and empty becomes a database like one that is new", async () => {
  const [made, given] = [join(folder, "made.db"), join(folder, "given.db")];
  writeFileSync(given, "", { mode: 0o644 });
  const pragmas = ["auto_vacuum", "page_size", "journal_mode"];
  const likeness = [];
  for (const path of [made, given]) {
    await (await openDatabase(path)).close();
    likeness.push([
      statSync(path).mode & 0o777,
      ...look(path, (database) => pragmas.map((name) => database.query(`PRAGMA ${name}`).get())),
    ]);
  }
  expect(likeness[1]).toEqual(likeness[0]!);
  expect(likeness[0]![0]).toBe(0o600);
});

test("where there is no room for its tables, the file is named", async () => {
  const path = join(folder, "full.db");
  const command = selfCommand(["projects", "create", "p", "--db", path]).map((word) => `'${word}'`);
  // In blocks of 512 or 1,024 bytes: less than an empty database takes.
  const ran = await runProgram(["/bin/sh", "-c", `ulimit -f 300; exec ${command.join(" ")}`], { cwd: folder });
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(`The database ${path} cannot be used: the disk is full`)]);
});

test("a file of a later version is refused and not touched", async () => {
  const path = fileOf(latest, "later.db");
  const database = new Database(path);
  database.run(`PRAGMA user_version = ${latest + 1}`);
  database.close();
  await expect(openDatabase(path)).rejects.toThrow(NewerDatabaseError);
  expect(versionOf(path)).toBe(latest + 1);
});
