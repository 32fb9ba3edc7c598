import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChores } from "../src/chores.ts";
import { foldersOfFile } from "./support/folder-of-file.ts";
import { type Gateway, startGateway } from "./support/gateway.ts";

const newFolder = foldersOfFile();

const TABLES = [
  "calls",
  "file_pieces",
  "idempotency_keys",
  "kept_answers",
  "limit_counters",
  "memory_messages",
  "user_spend",
  "video_jobs",
];
const held = ({ platform }: Gateway) =>
  TABLES.map((table) => [table, platform.db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)!.count > 0]);

test("what ran out while the program was off is gone once it is back", async () => {
  const folder = newFolder();
  const before = await startGateway({ folder });
  before.clock.advance(-800 * 86_400_000);
  const key = await before.key({ settings: { cache: { ttlS: 60 }, userBudget: { nanoUsd: 1e9, period: "day" } } });
  await before.send(key, "POST", "/v1/images/generations", { prompt: "a fox", user: "ada" });
  const body = { messages: [{ role: "user", content: "hi" }], session_id: "s" };
  await before.send(key, "POST", "/v1/chat", body, { "idempotency-key": "k" });
  await before.send(key, "POST", "/v1/video/generations", { prompt: "a train" });
  before.clock.advance(3_000);
  before.platform.background.wake();
  await before.platform.background.idle();
  expect(held(before)).toEqual(TABLES.map((table) => [table, true]));
  await before.stop();

  const abandoned = join(folder, ".signalbox.db.download-1.partial");
  writeFileSync(abandoned, "a copy whose maker was killed");
  const after = await startGateway({ folder });
  await after.platform.background.idle();
  expect([held(after), existsSync(abandoned)]).toEqual([TABLES.map((table) => [table, false]), false]);
  await after.stop();
});

test("a stop does not wait until all that ran out is deleted", async () => {
  const gateway = await startGateway();
  const { platform } = gateway;
  const left = () =>
    platform.db.get(
      "SELECT (SELECT count(*) FROM file_pieces) AS files, (SELECT count(*) FROM memory_sessions) AS sessions, (SELECT count(*) FROM idempotency_keys) AS answers, (SELECT count(*) FROM calls) AS calls",
    );
  const key = await gateway.key();
  await gateway.send(key, "POST", "/v1/images/generations", { prompt: "a fox" });
  const body = { messages: [{ role: "user", content: "hi" }], session_id: "s" };
  await gateway.send(key, "POST", "/v1/chat", body, { "idempotency-key": "k" });
  await platform.background.idle();
  gateway.clock.advance(800 * 86_400_000);
  platform.draining = true;
  startChores(platform);
  await platform.background.idle();
  expect(left()).toEqual({ files: 1, sessions: 1, answers: 1, calls: 2 });
  await gateway.stop();
});
