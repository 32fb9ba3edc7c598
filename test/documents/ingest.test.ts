import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDatabase } from "../../src/database/database.ts";
import { chunkText } from "../../src/documents/chunk/chunk-text.ts";
import { startGateway } from "../support/gateway.ts";
import { type RunningProgram, startProgram } from "../support/run-program.ts";
import { longText, query, uploadFile, type WireDocument } from "./documents.ts";

const folders: string[] = [];
const running: RunningProgram[] = [];
const MAIN = join(import.meta.dir, "../../src/main.ts");
afterEach(async () => {
  for (const program of running.splice(0)) await program.end("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-crash-"));
  folders.push(folder);
  return folder;
};

/** A server of its own process, so that it can be killed. */
const serve = async (database: string): Promise<RunningProgram> => {
  const program = await startProgram([process.execPath, "run", MAIN, "serve", "--db", database, "--port", "0"], {
    cwd: dirname(database),
    env: { SIGNALBOX_ADMIN_PASSWORD: "correct horse battery" },
  });
  running.push(program);
  return program;
};

const makeKey = async (database: string): Promise<string> => {
  const command = [process.execPath, "run", MAIN, "keys", "create", "--project", "crash", "--db", database, "--json"];
  const child = Bun.spawn(command, { env: { PATH: process.env["PATH"] ?? "" }, stdout: "pipe", stderr: "inherit" });
  return ((await new Response(child.stdout).json()) as { key: string }).key;
};

const upload = async (url: string, key: string, content: string): Promise<string> => {
  const response = await fetch(`${url}/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ filename: "long.txt", content, encoding: "utf8" }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as WireDocument).id;
};

const status = async (url: string, key: string, id: string): Promise<WireDocument> =>
  (await fetch(`${url}/v1/documents/${id}`, { headers: { authorization: `Bearer ${key}` } })).json() as Promise<WireDocument>;

const until = async <T>(look: () => Promise<T>, done: (value: T) => boolean): Promise<T> => {
  for (;;) {
    const value = await look();
    if (done(value)) return value;
    await Bun.sleep(5);
  }
};

const chunksOf = async (database: string): Promise<{ chunk_index: number; content: string; indexed: number }[]> => {
  const db = await openDatabase(database);
  try {
    return db.all(
      `SELECT c.chunk_index, c.content, (SELECT count(*) FROM chunk_batches b
         WHERE b.document_number = c.document_number AND c.id >= b.first_chunk_id AND c.id < b.first_chunk_id + length(b.lengths) / 4) AS indexed
       FROM chunks c ORDER BY c.chunk_index`,
    );
  } finally {
    await db.close();
  }
};

test("kill -9 at any moment loses no accepted document and doubles no chunk", async () => {
  const text = longText(2_500);
  const expected = chunkText(text).map(({ content }, at) => ({ chunk_index: at, content, indexed: 1 }));
  const killed = join(makeFolder(), "killed.db");
  let server = await serve(killed);
  const sameKey = await makeKey(killed);
  const document = await upload(server.url, sameKey, text);
  // At once, then after some progress twice: never three claims that end in the same place.
  for (const progress of [0, 10, 40]) {
    await until(
      () => status(server.url, sameKey, document),
      (now) => now.progress_percent >= progress || now.status !== "processing",
    );
    await server.end("SIGKILL");
    server = await serve(killed);
  }
  const ended = await until(
    () => status(server.url, sameKey, document),
    (now) => now.status !== "processing",
  );
  expect(ended).toMatchObject({ status: "ready", chunk_count: expected.length });
  await server.end();
  expect(await chunksOf(killed)).toEqual(expected);
}, 120_000);

describe("a document whose process was killed while it was read", () => {
  /** As it is after a start, when that many processes have died holding its job. */
  const afterDeaths = async (deaths: number) => {
    const folder = makeFolder();
    const gateway = await startGateway({ folder });
    const key = await gateway.key();
    await gateway.platform.background.stop();
    const { id } = (await (await uploadFile(gateway, key, "a.txt", "text")).json()) as WireDocument;
    await gateway.platform.db.write((sql) =>
      sql.run("UPDATE jobs SET attempts = 1, interruptions = ?, lease_until = 1 WHERE kind = 'document.ingest'", deaths - 1),
    );
    await gateway.stop();
    const again = await startGateway({ folder });
    again.clock.advance(60_000);
    again.platform.background.wake();
    await again.platform.background.idle();
    const document = await (await again.send(key, "GET", `/v1/documents/${id}`)).json();
    await again.stop();
    return document;
  };

  test("again and again at the same place is not lost", async () => {
    for (const deaths of [1, 4, 20]) expect(await afterDeaths(deaths)).toMatchObject({ status: "ready" });
  });

  test("ever and ever again is taken for the cause", async () => {
    const message = expect.stringContaining("could not be processed");
    expect(await afterDeaths(21)).toMatchObject({ status: "failed", error_message: message });
  });
});

test("what an upload left that never became a document is cleared at the next start", async () => {
  const gateway = await startGateway({ folder: makeFolder() });
  await gateway.platform.db.write((sql) => sql.run("INSERT INTO document_files VALUES ('doc_lost', 0, x'00')"));
  await gateway.stop();
  const again = await startGateway({ folder: gateway.folder });
  expect(again.platform.db.get("SELECT 1 FROM document_files")).toBeUndefined();
  await again.stop();
});

test("progress is seen while a document is processed, and nothing of it is found before it is ready", async () => {
  const gateway = await startGateway();
  const key = await gateway.key();
  const { id } = (await (await uploadFile(gateway, key, "long.txt", longText(3_000))).json()) as WireDocument;
  const seen: number[] = [];
  for (;;) {
    const document = (await (await gateway.send(key, "GET", `/v1/documents/${id}`)).json()) as WireDocument;
    seen.push(document.progress_percent);
    const hits = await query(gateway, key, { query: "topic7", threshold: 0 });
    if (document.status === "ready") break;
    // Between the two requests it may have become ready; never the other way round.
    const after = (await (await gateway.send(key, "GET", `/v1/documents/${id}`)).json()) as WireDocument;
    if (after.status === "processing") expect(hits).toEqual([]);
  }
  expect(seen.toSorted((left, right) => left - right)).toEqual(seen);
  expect(seen.filter((percent) => percent > 0 && percent < 100).length).toBeGreaterThan(0);
  expect(seen.at(-1)).toBe(100);
  expect((await query(gateway, key, { query: "topic7" }))[0]!.content).toContain("topic7 ");
  await gateway.stop();
}, 60_000);
