/** Fills a database with the made-up history, through the product's own writer: what is measured is what a gateway would have written. */

import { statSync } from "node:fs";
import { type Db, openDatabase } from "../../src/database/database.ts";
import { MIGRATIONS } from "../../src/database/migrations/index.ts";
import { insertCall } from "../../src/logs/store.ts";
import { addUpCalls } from "../../src/logs/sums/add-up.ts";
import { makeCall, PROJECTS } from "./make-call.ts";

export type Built = {
  /** A file with another schema is built anew: to migrate it would be measured, too. */
  schema: number;
  calls: number;
  endMs: number;
  bytesPerCall: number;
  cpuMicrosPerCall: number;
  callsPerSecond: number;
};

export const SCHEMA = MIGRATIONS.at(-1)!.version;

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
  // A running gateway does so each second.
  await addUpCalls(db);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - began) / 1000;
  await db.close();
  return {
    schema: SCHEMA,
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
