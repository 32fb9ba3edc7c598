/** A database file that is moved, deleted or replaced under the running server: no answer that is lost with it, and no other file spoilt. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-moved-"));
const file = join(folder, "signalbox.db");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const QUESTION = { messages: [{ role: "user", content: "Which trains were late at the signal box?" }] };
const ask = (gateway: Gateway, key: TestKey | string): Promise<Response> => gateway.send(key, "POST", "/v1/chat", QUESTION);
const logged = async (gateway: Gateway, key: TestKey | string): Promise<number> =>
  ((await (await gateway.send(key, "GET", "/v1/logs")).json()) as any).total;

test("a file that was moved away is written to again once it is back", async () => {
  const gateway = await startGateway({ folder });
  const key = await gateway.key();
  expect((await ask(gateway, key)).status).toBe(200);
  renameSync(file, join(folder, "elsewhere.db"));
  const refused = await ask(gateway, key);
  expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([503, "service_unavailable"]);
  expect((await gateway.send(null, "GET", "/metrics")).status).toBe(200);
  renameSync(join(folder, "elsewhere.db"), file);
  expect([(await ask(gateway, key)).status, await logged(gateway, key)]).toEqual([200, 2]);
  await gateway.stop();
});

test("without its write-ahead log a file is not written to either, and a stop brings what was in it", async () => {
  const gateway = await startGateway({ folder });
  const key = await gateway.key();
  const before = await logged(gateway, key);
  expect((await ask(gateway, key)).status).toBe(200);
  rmSync(`${file}-wal`);
  expect((await ask(gateway, key)).status).toBe(503);
  await gateway.stop();
  const next = await startGateway({ folder });
  expect(await logged(next, key)).toBe(before + 1);
  await next.stop();
});

test("a backup put in the file's place is served from the next start on, as it was made", async () => {
  const gateway = await startGateway({ folder });
  const key = await gateway.key();
  const { total: before } = (await (await gateway.send(key, "GET", "/v1/logs?start_date=2020-01-01")).json()) as any;
  const backup = join(folder, "backup.db");
  await gateway.platform.db.backup(backup);
  expect((await ask(gateway, key)).status).toBe(200);
  copyFileSync(backup, join(folder, "copy.db"));
  renameSync(join(folder, "copy.db"), file);
  const paths = ["/v1/logs", "/v1/logs/export?format=json", "/readyz"];
  const statuses = await Promise.all(paths.map(async (path) => (await gateway.send(key, "GET", path)).status));
  const query = await gateway.send(key, "POST", "/v1/documents/query", { query: "trains" });
  expect([...statuses, query.status, (await ask(gateway, key)).status]).toEqual([503, 503, 503, 503, 503]);
  await gateway.stop();
  using database = new Database(file, { readonly: true });
  expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  const next = await startGateway({ folder });
  expect((await ask(next, key)).status).toBe(200);
  expect(await logged(next, key)).toBe(before + 1);
  await next.stop();
});
