/**
 * What a call's row costs: `bun run bench/ledger/run.ts [--calls N] [--root DIR]`. Callers record one call after another, each waiting some
 * milliseconds between two; CPU time of the whole process per call, that of the same callers without a ledger taken off. `--root`
 * measures another checkout in the same minutes: on a shared machine only such pairs can be compared.
 */

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeCall, PROJECTS } from "../million-calls/make-call.ts";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "24000" }, root: { type: "string", default: join(import.meta.dir, "../..") } },
});
const source = (path: string) => import(join(resolve(values.root), "src", path));
const { openDatabase }: typeof import("../../src/database/database.ts") = await source("database/database.ts");
const { createBudgets }: typeof import("../../src/accounts/budgets.ts") = await source("accounts/budgets.ts");
const { recordCall }: typeof import("../../src/logs/record-call.ts") = await source("logs/record-call.ts");

/** Checkouts from before November 21st sum each call in its own transaction. */
const { addUpCalls }: typeof import("../../src/logs/sums/add-up.ts") = await source("logs/sums/add-up.ts").catch(() => ({
  addUpCalls: async () => {},
}));

/** 2 KB, as in the gateway's bench. */
const PROMPT = "Please look at the following report of the signal box and tell me which of the trains were late and why. "
  .repeat(20)
  .slice(0, 2_000);

const path = join(tmpdir(), `signalbox-ledger-${process.pid}.db`);
const db = await openDatabase(path);
setInterval(() => addUpCalls(db), 1_000).unref();
const clock = { now: () => Date.now() };
const log: any = { warn() {} };
const platform: any = {
  db,
  budgets: createBudgets(db, clock, log, () => 0),
  limits: { ofKey: { use() {} } },
  telemetry: { callRecorded() {} },
};
const project: any = { id: PROJECTS[0], settings: {} };

let made = 0;
const aCall = () => {
  const now = Date.now();
  const call = makeCall(made++, 1_000_000, now, PROMPT);
  return { ...call, id: `call_${crypto.randomUUID()}`, projectId: PROJECTS[0]!, startedAtMs: now - 20, completedAtMs: now };
};

/** CPU microseconds a call. */
const measure = async (count: number, atOnce: number, record: (call: ReturnType<typeof aCall>) => unknown): Promise<number> => {
  let left = count;
  const caller = async () => {
    while (left-- > 0) {
      await record(aCall());
      await Bun.sleep(3 + 6 * Math.random());
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: atOnce }, caller));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
};

const written = (call: ReturnType<typeof aCall>) => recordCall(platform, project, call);
const count = Number(values.calls);
await measure(count, 16, written);
for (const [atOnce, calls] of [
  [16, count],
  [1, Math.ceil(count / 16)],
] as const) {
  const nothing = await measure(calls, atOnce, () => {});
  const cost = (await measure(calls, atOnce, written)) - nothing;
  console.log(`${atOnce} at once: ${cost.toFixed(0)} µs CPU a call`);
}
await db.close();
for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
