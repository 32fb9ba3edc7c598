/** Calls are added up in batches, changed and taken out again: the sums must always be those of the rows. */

import { beforeAll, expect, test } from "bun:test";
import type { Sql } from "../../../src/database/database.ts";
import { updateCost } from "../../../src/logs/amend/cost-store.ts";
import { saveFeedback } from "../../../src/logs/amend/feedback-store.ts";
import { type Attempt, type Call, FAILURE_MODES } from "../../../src/logs/call.ts";
import { callsOfUser, deleteCalls } from "../../../src/logs/forget/forget-store.ts";
import { insertCall } from "../../../src/logs/store.ts";
import { addUpCalls } from "../../../src/logs/sums/add-up.ts";
import { DAY_KEY, DAY_MEASURES } from "../../../src/logs/sums/rollup.ts";
import { markGone } from "../../../src/logs/sums/sums-store.ts";
import { NOON } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { knownAttempt, knownCall, record } from "../../support/known-call.ts";
import { randomFrom } from "../../support/random.ts";

const HOUR = 3_600_000;
const COUNT = 600;

const { next: random, integer: upTo, chance, pick: pickOf } = randomFrom(20_261_120);
const pick = <T>(...items: readonly T[]): T => pickOf(items);

const anAttempt = (number: number): Attempt =>
  knownAttempt({
    number,
    model: pick("gpt-4o", "claude-haiku-4-5"),
    provider: pick("openai", "anthropic"),
    purpose: number === 1 ? "first" : pick("retry", "fallback"),
    success: chance(0.6),
    latencyMs: random() * 5_000,
    ...(chance(0.5) && { failure: pick<string>(...FAILURE_MODES, "truncated", "rate_limit", "bad_request") }),
  });

/** Every field that a sum is made of takes every kind of value; waits and shares have fractions. */
const aCall = (): Partial<Call> => {
  const startedAtMs = NOON - upTo(50) * HOUR;
  return {
    mode: pick("live", "test"),
    kind: pick("chat", "image", "embedding"),
    startedAtMs,
    completedAtMs: startedAtMs + upTo(9_000),
    upstreamMs: random() * 8_000,
    status: pick(200, 200, 400, 503),
    streamed: chance(0.5),
    taskType: pick(undefined, "code", "writing") as never,
    complexity: pick(undefined, random(), 0.0000005) as never,
    model: pick(undefined, "gpt-4o", "claude-haiku-4-5") as never,
    provider: pick(undefined, "openai", "anthropic") as never,
    firstChoice: pick(undefined, "gpt-4o", "claude-haiku-4-5") as never,
    pinned: pick(undefined, true, false) as never,
    attempts: Array.from({ length: upTo(4) }, (_, n) => anAttempt(n + 1)),
    validationPassed: pick(undefined, true, false) as never,
    failureMode: pick(undefined, undefined, ...FAILURE_MODES) as never,
    qualityScore: pick(undefined, random(), 0.1234565) as never,
    costWarning: pick(undefined, { ceiling_usd: 1 }),
    usage: { input: upTo(900), cacheRead: upTo(9), cacheWrite: upTo(9), output: upTo(900), reasoning: upTo(90) },
    costNanoUsd: upTo(9_000_000),
    messageCount: 1 + upTo(9),
  };
};

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "summed" });
beforeAll(async () => {
  await record(gateway, key, ...Array.from({ length: COUNT }, aCall));
  await addUpCalls(gateway.platform.db);
});

const names = Object.keys(DAY_MEASURES);
const keptDays = (of = key) =>
  gateway.platform.db.all<Record<string, unknown>>(
    `SELECT ${[...DAY_KEY, ...names].join(", ")} FROM call_days WHERE project_id = ? ORDER BY ${DAY_KEY.join(", ")}`,
    of.project.id,
  );

const daysOfRows = (of = key) =>
  gateway.platform.db
    .all<Record<string, unknown>>(
      `SELECT project_id, mode, started_at / 86400000 AS day, kind, coalesce(task_type, '') AS task_type, coalesce(provider, '') AS provider,
       coalesce(model, '') AS model, 0 AS gone, ${Object.entries(DAY_MEASURES)
         .map(([name, measure]) => `sum(${measure}) AS ${name}`)
         .join(", ")}
     FROM calls c WHERE project_id = ? GROUP BY project_id, mode, 3, kind, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7`,
      of.project.id,
    )
    .map((row) => Object.fromEntries([...DAY_KEY, ...names].map((name) => [name, row[name]])));

test("a day's sums are what its rows add up to, measure by measure", () => {
  const fromRows = daysOfRows();
  expect(fromRows.length).toBeGreaterThan(100);
  expect(keptDays()).toEqual(fromRows);
});

test("calls that are changed, forgotten or rolled back before they are added up leave the sums in step", async () => {
  const { db } = gateway.platform;
  const other = await gateway.key({ project: "summed in between" });
  const recordSome = () =>
    record(gateway, other, ...Array.from({ length: 8 }, () => ({ ...aCall(), userId: pick("ann", "bob", "eve") })));
  let calls = await recordSome();
  const steps = [
    () =>
      saveFeedback(db, other.project.id, { callId: pickOf(calls).id, mode: pick("live", "test"), score: random(), atMs: NOON }),
    () => db.write((sql) => updateCost(sql, pickOf(calls).id, upTo(1_000))),
    () => deleteCalls(db, callsOfUser(db, other.project.id, pick("ann", "bob", "eve"), 50)),
    () => addUpCalls(db),
    () =>
      db
        .write((sql) => {
          insertCall(sql, knownCall(other), true);
          updateCost(sql, pickOf(calls).id, upTo(1_000));
          throw new Error("rolled back");
        })
        .catch(() => {}),
  ];
  for (let round = 0; round < 40; round++) {
    const recorded = recordSome();
    await Promise.all(Array.from({ length: 4 }, () => pickOf(steps)()));
    calls = await recorded;
  }
  await addUpCalls(db);
  expect(daysOfRows(other).length).toBeGreaterThan(20);
  expect(keptDays(other).filter(({ gone, calls }) => gone === 0 && calls !== 0)).toEqual(daysOfRows(other));
});

test("an hour has as many calls as rows", () => {
  const { db } = gateway.platform;
  const ofRows =
    "SELECT mode, started_at / 3600000 AS hour, count(*) AS calls FROM calls WHERE project_id = ? GROUP BY 1, 2 ORDER BY 1, 2";
  const kept = "SELECT mode, hour, calls FROM call_hours WHERE project_id = ? ORDER BY 1, 2";
  expect(db.all(kept, key.project.id)).toEqual(db.all(ofRows, key.project.id));
});

test("every call taken out again leaves nothing behind but what is marked as gone", async () => {
  const { db } = gateway.platform;
  const other = await gateway.key({ project: "summed and gone" });
  await record(gateway, other, ...Array.from({ length: COUNT }, aCall));
  await addUpCalls(db);
  const before = keptDays(other);
  await db.write((sql: Sql) => {
    const seqs = sql.all<{ seq: number }>("SELECT seq FROM calls WHERE project_id = ?", other.project.id).map(({ seq }) => seq);
    markGone(sql, seqs);
  });
  const after = keptDays(other);
  for (const day of after.filter(({ gone }) => gone === 0)) expect(names.map((name) => day[name])).toEqual(names.map(() => 0));
  expect(after.filter(({ gone }) => gone === 1).map((day) => ({ ...day, gone: 0 }))).toEqual(before as never);
});

test("calls are added up once, whatever fails beside them in the same commit", async () => {
  const { db } = gateway.platform;
  const other = await gateway.key({ project: "beside" });
  await record(gateway, other, ...Array.from({ length: 120 }, aCall));
  const failing = () =>
    db.write(() => {
      throw new Error("no");
    });
  const [summed, ...others] = await Promise.allSettled([addUpCalls(db), failing(), failing()]);
  expect([summed.status, ...others.map(({ status }) => status)]).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(keptDays(other)).toEqual(daysOfRows(other));
});
