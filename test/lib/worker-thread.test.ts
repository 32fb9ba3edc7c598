import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkerThread } from "../../src/lib/worker-thread.ts";

const HOLD = `import { Database } from "bun:sqlite";
  self.onmessage = ({ data: { id, question } }) => {
    const connection = new Database(question);
    connection.run("BEGIN EXCLUSIVE");
    globalThis.connection = connection;
    postMessage({ id, answer: "held" });
  };`;

test("a thread that has stopped holds no lock on the database any more", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-thread-"));
  const path = join(folder, "a.db");
  const database = new Database(path);
  database.run("CREATE TABLE written (text TEXT) STRICT");
  const thread = createWorkerThread<string, string>(URL.createObjectURL(new Blob([HOLD])));
  expect(await thread.ask(path)).toBe("held");
  expect(() => database.run("INSERT INTO written VALUES ('early')")).toThrow("locked");
  await thread.stop();
  database.run("INSERT INTO written VALUES ('late')");
  database.close();
  rmSync(folder, { recursive: true });
});
