import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createWorkerThread } from "../../src/lib/worker-thread.ts";
import { foldersOfFile } from "../support/folder-of-file.ts";

const newFolder = foldersOfFile();

const HOLD = `import { Database } from "bun:sqlite";
  self.onmessage = ({ data: { id, input } }) => {
    const connection = new Database(input);
    connection.run("BEGIN EXCLUSIVE");
    globalThis.connection = connection;
    postMessage({ id, answer: "held" });
  };`;

test("a thread that has stopped holds no lock on the database any more", async () => {
  const folder = newFolder();
  const path = join(folder, "a.db");
  const database = new Database(path);
  database.run("CREATE TABLE written (text TEXT) STRICT");
  const thread = createWorkerThread<{ hold(path: string): string }>(URL.createObjectURL(new Blob([HOLD])));
  expect(await thread.ask("hold", path)).toBe("held");
  expect(() => database.run("INSERT INTO written VALUES ('early')")).toThrow("locked");
  await thread.stop();
  database.run("INSERT INTO written VALUES ('late')");
  database.close();
});

const ONE_ANSWER = `self.onmessage = ({ data: { id, question, input } }) => {
    if (question === "end") process.exit(0);
    postMessage({ id, answer: input });
  };`;

test("a question to a thread that ends by itself is refused, and the next one starts another", async () => {
  const thread = createWorkerThread<{ echo(text: string): string; end(input: null): void }>(
    URL.createObjectURL(new Blob([ONE_ANSWER])),
  );
  expect(await thread.ask("echo", "first")).toBe("first");
  await expect(thread.ask("end", null)).rejects.toThrow("ended");
  expect(await thread.ask("echo", "second")).toBe("second");
  await thread.stop();
});
