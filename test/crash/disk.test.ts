/** Disks that fill up, files that others hold, write-ahead logs that a power cut has torn: no answer without its row, and no repair by hand. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/database/database.ts";
import { MIGRATIONS } from "../../src/database/migrations/index.ts";
import { openConnection } from "../../src/database/open-connection.ts";
import { asSyncFailure } from "../../src/database/unwritable.ts";
import { keepFile } from "../../src/files/keep-file.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { startGateway } from "../support/gateway.ts";
import { runProgram } from "../support/run-program.ts";
import { tearWal } from "./tear-wal.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-disk-"));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const QUESTION = { messages: [{ role: "user", content: "Which trains were late at the signal box, and why?" }] };

for (const damage of ["cut", "garbled"] as const) {
  test(`a write-ahead log that is ${damage} anywhere opens, and what survives is a prefix of what was written`, async () => {
    const figures = await tearWal(newFolder(), { damage, offsets: 50, seed: 5 });
    expect(figures).toEqual({ opened: 50, sound: 50, prefixes: 50 });
  }, 60_000);
}

test("a full disk: no 2xx without its row; once there is room it goes on by itself", async () => {
  const gateway = await startGateway();
  try {
    const key = await gateway.key();
    const { db } = gateway.platform;
    const ask = () => gateway.send(key, "POST", "/v1/chat", QUESTION);
    const logged = () => db.get<{ n: number }>("SELECT count(*) AS n FROM calls")!.n;
    const limitPages = (pages: number) => db.write((sql) => void sql.get(`PRAGMA max_page_count = ${pages}`));
    const { page_count: pages } = db.get<{ page_count: number }>("PRAGMA page_count")!;
    expect((await ask()).status).toBe(200);

    await limitPages(pages + 4);
    let answered = 1;
    let refused = 0;
    for (let asked = 0; asked < 200 && refused < 5; asked++) {
      const response = await ask();
      if (response.ok) answered++;
      else {
        refused++;
        expect([response.status, ((await response.json()) as any).error.type]).toEqual([503, "service_unavailable"]);
      }
    }
    expect(refused).toBe(5);
    expect(logged()).toBe(answered);
    for (const [path, body] of [
      ["/v1/documents", { filename: "report.txt", content: "The 8:15 was late. ".repeat(20_000) }],
      ["/v1/images/generations", { prompt: "a signal lamp", model: "image-a-2", n: 10 }],
    ] as const) {
      const response = await gateway.send(key, "POST", path, body);
      const { error } = (await response.json()) as any;
      expect([path, response.status, error.type]).toEqual([path, 503, "service_unavailable"]);
    }
    const stream = await (await gateway.send(key, "POST", "/v1/chat/stream", QUESTION)).text();
    expect(stream).not.toContain("[DONE]");

    await limitPages(1_000_000);
    expect((await ask()).status).toBe(200);
    expect(logged()).toBe(answered + 1);
    expect(db.get<{ integrity_check: string }>("PRAGMA integrity_check")!.integrity_check).toBe("ok");
  } finally {
    await gateway.stop();
  }
});

test("of an upload that the disk cannot hold nothing is left", async () => {
  const gateway = await startGateway();
  try {
    const key = await gateway.key();
    const { db } = gateway.platform;
    const { write } = db;
    let writes = 0;
    db.write = (work) => {
      writes++;
      if (writes === 2) return Promise.reject(Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }));
      return write(work);
    };
    const file = { filename: "report.txt", content: "The 8:15 was late. ".repeat(60_000) };
    expect((await gateway.send(key, "POST", "/v1/documents", file)).status).toBe(503);
    db.write = write;
    expect(db.get<{ n: number }>("SELECT count(*) AS n FROM document_files")).toEqual({ n: 0 });

    let pieces = 0;
    db.write = (work) => {
      pieces++;
      if (pieces === 3) return Promise.reject(Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }));
      return write(work);
    };
    const clip = { projectId: key.project.id, mediaType: "video/mp4", label: "clip", extension: "mp4", lifetimeMs: 1_000 };
    await expect(keepFile(gateway.platform, { ...clip, bytes: new Uint8Array(3_000_000) })).rejects.toThrow("disk is full");
    expect(db.get<{ n: number }>("SELECT (SELECT count(*) FROM files) + (SELECT count(*) FROM file_pieces) AS n")).toEqual({
      n: 0,
    });
    db.write = write;
  } finally {
    await gateway.stop();
  }
});

test("a document whose commit was written but not synced is refused, and if it is found later it is whole", async () => {
  const gateway = await startGateway();
  try {
    const key = await gateway.key();
    const { db, background } = gateway.platform;
    const { write } = db;
    db.write = async (work) => {
      const value = await write(work);
      if ((value as { filename?: string } | undefined)?.filename === undefined) return value;
      throw asSyncFailure(new Error("EIO: i/o error, fdatasync"));
    };
    const file = { filename: "report.txt", content: "The 8:15 was late." };
    expect((await gateway.send(key, "POST", "/v1/documents", file)).status).toBe(503);
    db.write = write;
    background.wake();
    await background.idle();
    const { documents } = (await (await gateway.send(key, "GET", "/v1/documents")).json()) as any;
    expect(documents).toMatchObject([{ filename: "report.txt", status: "ready" }]);
  } finally {
    await gateway.stop();
  }
});

/** Another process that takes the writer's lock and holds it until it is told. */
const holdFile = async (path: string) => {
  const script = `const { Database } = require("bun:sqlite");
    const database = new Database(${JSON.stringify(path)});
    database.run("PRAGMA busy_timeout = 5000");
    database.run("BEGIN IMMEDIATE");
    console.log("held");
    for await (const _ of console) break;
    database.run("COMMIT");`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read();
  return async () => {
    child.stdin.write("go\n");
    child.stdin.end();
    await child.exited;
  };
};

test("a file that another process holds: calls wait for it, everything else goes on", async () => {
  const gateway = await startGateway();
  try {
    const key = await gateway.key();
    const release = await holdFile(gateway.platform.db.path);
    let isAnswered = false;
    const asked = gateway.send(key, "POST", "/v1/chat", QUESTION).finally(() => {
      isAnswered = true;
    });
    // Answered while the file is held: the serving thread does not wait with the writer. Few looks, because the call waits for 5 s at most.
    for (let look = 0; look < 2; look++) {
      expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
      expect((await gateway.send(key, "GET", "/v1/logs")).status).toBe(200);
    }
    expect(isAnswered).toBe(false);
    await release();
    const response = await asked;
    expect(response.status).toBe(200);
    const log = await gateway.send(key, "GET", `/v1/logs/${response.headers.get("x-svc-request-id")}`);
    expect(log.status).toBe(200);
  } finally {
    await gateway.stop();
  }
});

test("a file that is held for too long refuses the write, and takes the next one once it is free", async () => {
  const db = await openDatabase(join(newFolder(), "held.db"), { patienceMs: 100 });
  const release = await holdFile(db.path);
  const put = (name: string) =>
    db.write((sql) => sql.run("INSERT INTO settings (name, value, updated_at) VALUES (?, '1', 0)", name).changes);
  await expect(put("refused")).rejects.toThrow(/locked/);
  await release();
  expect(await put("taken")).toBe(1);
  expect(db.all("SELECT name FROM settings")).toEqual([{ name: "taken" }]);
  await db.close();
});

test("a backup made under writes is whole, and the restored file serves", async () => {
  const folder = newFolder();
  const gateway = await startGateway({ folder });
  const key = await gateway.key();
  const copy = join(folder, "copy.db");
  let writing = true;
  let answered = 0;
  const writers = Array.from({ length: 4 }, async () => {
    while (writing) if ((await gateway.send(key, "POST", "/v1/chat", QUESTION)).ok) answered++;
  });
  while (answered < 50) await Bun.sleep(1);
  const before = answered;
  await gateway.platform.db.backup(copy);
  writing = false;
  await Promise.all(writers);
  await gateway.stop();

  const database = new Database(copy, { readonly: true });
  const one = (sql: string) => database.query(sql).values()[0]![0];
  expect(one("PRAGMA integrity_check")).toBe("ok");
  expect(one("SELECT count(*) FROM calls")).toBeGreaterThanOrEqual(before);
  const added = "(SELECT coalesce(sum(calls), 0) FROM call_days) + (SELECT count(*) FROM calls_to_sum)";
  expect(one("SELECT count(*) FROM calls")).toBe(one(`SELECT ${added}`) as number);
  expect(one("SELECT sum(cost_nano_usd) FROM calls")).toBe(one("SELECT sum(spent_nano_usd) FROM key_spend") as number);
  database.close();

  const elsewhere = newFolder();
  const restored = await runProgram(selfCommand(["restore", copy, "--db", join(elsewhere, "signalbox.db")]), { cwd: folder });
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  const serving = await startGateway({ folder: elsewhere });
  expect((await serving.send(key, "POST", "/v1/chat", QUESTION)).status).toBe(200);
  await serving.stop();
}, 60_000);

test("a migration that was killed between any two steps goes on from there", async () => {
  const folder = newFolder();
  const schemaOf = (path: string) => {
    const database = new Database(path, { readonly: true });
    const schema = database.query("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").values();
    database.close();
    return schema;
  };
  const fresh = join(folder, "fresh.db");
  await (await openDatabase(fresh)).close();
  for (let steps = 1; steps < MIGRATIONS.length; steps++) {
    const path = join(folder, `after-${steps}.db`);
    const connection = openConnection(path);
    for (const { version, sql } of MIGRATIONS.slice(0, steps)) {
      connection.run(sql);
      connection.run(`PRAGMA user_version = ${version}`);
    }
    connection.close();
    await (await openDatabase(path)).close();
    expect([steps, schemaOf(path)]).toEqual([steps, schemaOf(fresh)]);
  }
}, 60_000);
