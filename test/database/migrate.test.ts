/** Every file that an earlier version wrote comes to the same end, with its rows; what cannot be migrated is left as it was. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listProjects } from "../../src/accounts/store.ts";
import { openDatabase } from "../../src/database/database.ts";
import { NewerDatabaseError } from "../../src/database/migrate.ts";
import { MIGRATIONS } from "../../src/database/migrations/index.ts";
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

test("migrations are numbered upwards, each once", () => {
  const versions = MIGRATIONS.map(({ version }) => version);
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
});

for (const { version } of MIGRATIONS.slice(0, -1)) {
  test(`a file of schema ${version} comes to the same end, keeps its rows, and is copied before`, async () => {
    const path = fileOf(version, `from-${version}.db`);
    const db = await openDatabase(path);
    expect((await listProjects(db)).map(({ name }) => name)).toEqual(["kept"]);
    await db.close();
    expect(look(path, schemaText)).toBe(committed);
    const copy = `${path}.before-${latest}`;
    expect(versionOf(copy)).toBe(version);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });
}

test("a migration that fails leaves the file at the version before, and the next start goes on", async () => {
  const [first, second] = MIGRATIONS as [(typeof MIGRATIONS)[number], (typeof MIGRATIONS)[number]];
  const path = fileOf(first.version, "halted.db");
  const table = /CREATE TABLE (\w+)/.exec(second.sql)![1]!;
  const inTheWay = new Database(path);
  inTheWay.run(`CREATE VIEW ${table} AS SELECT 1`);
  inTheWay.close();
  await expect(openDatabase(path)).rejects.toThrow();
  expect(versionOf(path)).toBe(first.version);

  const cleared = new Database(path);
  cleared.run(`DROP VIEW ${table}`);
  cleared.close();
  await (await openDatabase(path)).close();
  expect(look(path, schemaText)).toBe(committed);
});

test("a file of a later version is refused and not touched", async () => {
  const path = fileOf(latest, "later.db");
  const database = new Database(path);
  database.run(`PRAGMA user_version = ${latest + 1}`);
  database.close();
  await expect(openDatabase(path)).rejects.toThrow(NewerDatabaseError);
  expect(versionOf(path)).toBe(latest + 1);
});
