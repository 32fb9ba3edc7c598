/** Fills a database with the made-up history, through the product's own writer: what is measured is what a gateway would have written. */

import { statSync } from "node:fs";
import { type Db, openDatabase } from "../../src/database/database.ts";
import { insertCall } from "../../src/logs/store.ts";
import { makeCall, PROJECTS } from "./make-call.ts";

export type Built = { calls: number; endMs: number; bytesPerCall: number; cpuMicrosPerCall: number; callsPerSecond: number };

const GROUP = 64;

export const build = async (path: string, calls: number, onProgress: (done: number) => void): Promise<Built> => {
  const db = await openDatabase(path);
  await insertProjects(db);
  const endMs = Date.now();
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let n = 0; n < calls; n += GROUP) {
    const group = Array.from({ length: Math.min(GROUP, calls - n) }, (_, index) => makeCall(n + index, calls, endMs));
    await Promise.all(group.map((call) => db.write((sql) => insertCall(sql, call, false))));
    if (n % (GROUP * 500) === 0) onProgress(n);
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - began) / 1000;
  await db.close();
  return {
    calls,
    endMs,
    bytesPerCall: statSync(path).size / calls,
    cpuMicrosPerCall: (user + system) / calls,
    callsPerSecond: calls / seconds,
  };
};

const insertProjects = (db: Db) =>
  db.write((sql) => {
    for (const id of PROJECTS)
      sql.run("INSERT INTO projects (id, name, tier, created_at) VALUES (?, ?, 'enterprise', 0)", id, id);
  });
