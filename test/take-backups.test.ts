/** Backups that the running server makes by itself. */

import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeBackup } from "../src/take-backups.ts";
import { signIn } from "./support/dashboard.ts";
import { foldersOfFile } from "./support/folder-of-file.ts";
import { startGateway } from "./support/gateway.ts";

const newFolder = foldersOfFile();
const HOUR = 3_600_000;

const startWith = async (settings: string, folder = newFolder()) => {
  const gateway = await startGateway({ folder, settings });
  await gateway.platform.background.idle();
  return {
    ...gateway,
    passHours: (hours: number) => {
      gateway.clock.advance(hours * HOUR);
      return takeBackup(gateway.platform);
    },
  };
};
const stamps = (folder: string): string[] =>
  readdirSync(folder)
    .map((name) => name.slice(-"2026-11-23T03-00-00.db".length))
    .sort();

test("the first comes with the start, the next when it is time, and of all of them the newest stay", async () => {
  const folder = join(newFolder(), "made", "by it");
  const server = await startWith(`backups: { folder: ${folder}, every_hours: 6, keep: 3 }`);
  const [first] = stamps(folder);
  expect(statSync(join(folder, readdirSync(folder)[0]!)).mode & 0o777).toBe(0o600);
  await server.passHours(5);
  expect(stamps(folder)).toEqual([first!]);
  writeFileSync(join(folder, "notes-2020-01-01T00-00-00.db"), "somebody else's");
  writeFileSync(join(folder, "signalbox-2026-11-01T03-00-00.db.partial"), "of a process that was killed");
  for (const _ of "1234") await server.passHours(6);
  const left = stamps(folder);
  expect([left.length, left[0], left.includes(first!)]).toEqual([4, "2020-01-01T00-00-00.db", false]);
  await server.stop();
});

test("a restart at noon makes no second one, and the next day's comes after midnight", async () => {
  const folder = newFolder();
  const settings = `backups: { folder: ${join(folder, "backups")} }`;
  await (await startWith(settings, folder)).stop();
  const again = await startWith(settings, folder);
  expect(stamps(join(folder, "backups"))).toHaveLength(1);
  await again.passHours(11);
  expect(stamps(join(folder, "backups"))).toHaveLength(1);
  await again.passHours(2);
  expect(stamps(join(folder, "backups"))).toHaveLength(2);
  await again.stop();
});

test("one is a whole database, with which a server can be started", async () => {
  const backups = newFolder();
  const server = await startWith(`backups: { folder: ${backups} }`);
  const key = await server.key({ project: "kept" });
  await server.passHours(24);
  await server.stop();
  const folder = newFolder();
  copyFileSync(join(backups, readdirSync(backups).sort().at(-1)!), join(folder, "signalbox.db"));
  const restored = await startGateway({ folder });
  expect((await restored.send(key, "GET", "/v1/usage")).status).toBe(200);
  await restored.stop();
});

test("the dashboard tells of them", async () => {
  const folder = newFolder();
  const server = await startWith(`backups: { folder: ${folder}, every_hours: 6, keep: 3 }`);
  const { operator } = await signIn(server);
  const { backups } = await (await operator.send("GET", "/backups")).json();
  expect(backups).toEqual({ folder, every_hours: 6, keep: 3, newest_at: expect.stringMatching(/^2026-11-20T12:\d\d/) });
  await server.stop();
  const without = await startWith("");
  const { operator: other } = await signIn(without);
  expect(await (await other.send("GET", "/backups")).json()).toEqual({ backups: null });
  await without.stop();
});

test("where none can be made, the server works all the same", async () => {
  const file = join(newFolder(), "a-file");
  writeFileSync(file, "");
  const server = await startWith(`backups: { folder: ${join(file, "backups")} }`);
  expect((await server.send(await server.key(), "GET", "/v1/usage")).status).toBe(200);
  await server.stop();
});

test("none are made unless they are asked for", async () => {
  const folder = newFolder();
  const server = await startWith("", folder);
  await server.passHours(48);
  expect(existsSync(join(folder, "backups"))).toBe(false);
  await server.stop();
});
