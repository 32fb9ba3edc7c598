/** Backups hold everything and change nothing; what a restore replaces is kept. */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { runProgram } from "../support/run-program.ts";
import { commandsIn } from "./commands-in.ts";

setDefaultTimeout(60_000);

const newFolder = foldersOfFile();

test("backup and restore carry everything, never overwrite unasked, and nobody else may read them", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  await json("projects create kept");
  expect(await json("backup copies/first.db")).toMatchObject({ file: "copies/first.db" });
  expect(statSync(join(folder, "copies/first.db")).mode & 0o777).toBe(0o600);
  expect((await run("backup copies/first.db")).stderr).toBe(
    "signalbox: copies/first.db exists already; a backup never overwrites.\n",
  );
  expect((await run("backup copies/second.db")).stdout).toMatch(/^copies\/second\.db: \d+ bytes\.\n$/);
  await Bun.write(join(folder, "data/signalbox.db.key"), "secret");
  expect((await run("backup copies/third.db")).stdout).toContain("Keep the key file (data/signalbox.db.key) with it.");
  await json("projects create later");
  await json("restore copies/first.db");
  expect((await json("projects list")).map(({ name }: any) => name)).toEqual(["kept"]);
  expect(existsSync(join(folder, "data/signalbox.db.replaced"))).toBe(true);
  expect(await run("restore copies/first.db")).toMatchObject({ code: 1, stderr: expect.stringContaining("would be lost") });
  await json("restore copies/first.db --force");
  await json("restore copies/first.db --db elsewhere/new.db");
  expect((await json("projects list --db elsewhere/new.db")).map(({ name }: any) => name)).toEqual(["kept"]);
});

test("a backup of an earlier version is restored as it is", async () => {
  const folder = newFolder();
  const { json } = commandsIn(folder);
  const old = Bun.gunzipSync(await Bun.file(join(import.meta.dir, "../fixtures/database/0.1.0.db.gz")).bytes());
  await Bun.write(join(folder, "old.db"), old);
  await json("restore old.db");
  expect((await json("projects list")).map(({ name }: any) => name)).toContain("kept");
});

test("a restore keeps what was there with the calls of its write-ahead log, and is undone by restoring that", async () => {
  const folder = newFolder();
  const { json } = commandsIn(folder);
  const names = async (words = "") => (await json(`projects list ${words}`.trim())).map(({ name }: any) => name);
  await json("projects create early");
  await json("backup early.db");
  // As a crash leaves it: the last write is in the log alone.
  const database = new Database(join(folder, "data/signalbox.db"));
  database.run("PRAGMA wal_autocheckpoint = 0");
  database.run("INSERT INTO projects (id, name, tier, created_at) VALUES ('proj_late', 'late', 'free', 9e12)");
  for (const suffix of ["", "-wal"]) cpSync(join(folder, `data/signalbox.db${suffix}`), join(folder, `crashed.db${suffix}`));
  database.close();

  await json("restore early.db --db crashed.db");
  expect(await names("--db crashed.db")).toEqual(["early"]);
  await json("restore crashed.db.replaced --force --db crashed.db");
  expect(await names("--db crashed.db")).toEqual(["early", "late"]);
  expect(await names("--db crashed.db.replaced")).toEqual(["early"]);
});

test("a restore that was interrupted can be made again, and what it had set aside by then stays", async () => {
  const folder = newFolder();
  const { json } = commandsIn(folder);
  const names = async (words: string) => (await json(`projects list ${words}`)).map(({ name }: any) => name);
  await json("projects create early --db here.db");
  await json("backup early.db --db here.db");
  await json("projects create late --db here.db");
  const inFolder = (name: string) => join(folder, name);
  renameSync(inFolder("here.db"), inFolder("here.db.replaced"));
  cpSync(inFolder("early.db"), inFolder("here.db.restoring"));

  await json("restore early.db --db here.db");
  expect(await names("--db here.db")).toEqual(["early"]);
  expect(await names("--db here.db.replaced")).toEqual(["early", "late"]);
  expect(existsSync(inFolder("here.db.restoring"))).toBe(false);
});

const NOBODY = 65_534;

test.if(process.getuid?.() === 0)("a restore by root leaves the file to the user who serves it", async () => {
  const folder = newFolder();
  const { json } = commandsIn(folder);
  const data = join(folder, "data");
  const file = join(data, "signalbox.db");
  await json("projects create kept");
  await json("backup copy.db");
  for (const path of [data, file]) chownSync(path, NOBODY, NOBODY);
  await json("restore copy.db");
  expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: NOBODY });
  rmSync(file);
  await json("restore copy.db");
  expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: NOBODY });
});

test("a backup changes nothing of the file, so that a newer program can make it before it is started", async () => {
  const folder = newFolder();
  const { json, run } = commandsIn(folder);
  await json("projects create kept");
  const versionOf = (file: string, set?: number) => {
    const database = new Database(join(folder, file));
    if (set !== undefined) database.run(`PRAGMA user_version = ${set}`);
    const { user_version } = database.query("PRAGMA user_version").get() as { user_version: number };
    database.close();
    return user_version;
  };
  const earlier = versionOf("data/signalbox.db") - 1;
  versionOf("data/signalbox.db", earlier);
  expect(await json("backup copy.db")).toMatchObject({ file: "copy.db" });
  expect([versionOf("data/signalbox.db"), versionOf("copy.db")]).toEqual([earlier, earlier]);
  await Bun.write(join(folder, "notes.txt"), "not a database, only a file of some length that is none");
  expect((await run("backup other.db --db notes.txt")).stderr).toBe(
    "signalbox: The database notes.txt cannot be used: it is not a SQLite database.\n",
  );
  expect(readdirSync(folder).filter((name) => name.startsWith("other"))).toEqual([]);
});

test("a backup that does not fit on the disk names the copy, and leaves nothing of it", async () => {
  const folder = newFolder();
  await commandsIn(folder).json("projects create kept");
  const limited = ["/bin/sh", "-c", 'ulimit -f 200; exec "$@"', "sh", ...selfCommand(["backup", "copies/large.db"])];
  const { code, stderr } = await runProgram(limited, { cwd: folder });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^signalbox: The database copies\/large\.db cannot be used: the disk is full/),
  ]);
  expect(readdirSync(join(folder, "copies"))).toEqual([]);
});

test("what cannot be restored or opened is refused in one line that names it", async () => {
  const folder = newFolder();
  const { run } = commandsIn(folder);
  const notes = join(folder, "notes.txt");
  await Bun.write(notes, "not a database, only a file of some length that is none");
  for (const words of ["restore notes.txt", "restore missing.db", "keys list --db notes.txt", "serve --port 0 --db notes.txt"]) {
    const { code, stderr } = await run(words);
    expect({ words, code }).toEqual({ words, code: 1 });
    expect(stderr).toMatch(/^signalbox: [^\n]*(?:notes\.txt|missing\.db)[^\n]*\n$/);
  }
  expect(await Bun.file(notes).text()).toStartWith("not a database");
});

test("the database of another program is refused before a byte of it changes; a replicator's own tables are none", async () => {
  const folder = newFolder();
  const { run } = commandsIn(folder);
  for (const table of ["notes", "calls", "projects"]) {
    const file = join(folder, `${table}.db`);
    const database = new Database(file);
    database.run(`CREATE TABLE ${table} (text)`);
    database.run("PRAGMA user_version = 3");
    database.close();
    const before = await Bun.file(file).bytes();
    const refusal = `The database ${table}.db cannot be used: it belongs to another program.\n`;
    for (const words of ["keys list", "serve --port 0"])
      expect(await run(`${words} --db ${table}.db`)).toMatchObject({ code: 1, stderr: `signalbox: ${refusal}` });
    expect(await run(`doctor --db ${table}.db`)).toMatchObject({ code: 1, stdout: expect.stringContaining(refusal) });
    expect(Buffer.compare(before, await Bun.file(file).bytes())).toBe(0);
    expect(await run(`restore ${table}.db --db other.db`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${table}.db is not a sound Signalbox database: no such table`),
    });
  }
  const replicated = new Database(join(folder, "replicated.db"));
  replicated.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
  replicated.close();
  expect(await run("keys list --db replicated.db")).toMatchObject({ code: 0 });
});
