import { beforeEach, expect, test } from "bun:test";
import { byCommand } from "../../src/history/author.ts";
import { correctCost } from "../../src/logs/amend/correct-cost.ts";
import type { Attempt, Call } from "../../src/logs/call.ts";
import { forgetUser } from "../../src/logs/forget/forget-user.ts";
import { allCalls, type LogFilter } from "../../src/logs/list/filter.ts";
import type { readPage } from "../../src/logs/list/read-page.ts";
import type { NamedSums, Sort } from "../../src/logs/read-store.ts";
import { makeSegments } from "../../src/logs/segments/make-segments.ts";
import { beginSegment, type columnsOfRange, fillSegment, type Range } from "../../src/logs/segments/segment-store.ts";
import type { sumByName } from "../../src/logs/segments/sum-by-name.ts";
import { noUsage } from "../../src/providers/provider.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { knownAttempt, record } from "../support/known-call.ts";
import { randomFrom } from "../support/random.ts";

let key: TestKey;
let made = 0;
const HOUR = 3_600_000;
const { integer, chance, pick } = randomFrom(11);
const TASKS = ["code", "writing", "math"] as const;
const MODELS = ["gpt-4o", "gpt-4o-mini", "claude-haiku-4-5"];

const gateway = await gatewayOfFile();
const now = gateway.clock.now();
beforeEach(async () => {
  key = await gateway.key({ project: `segmented ${made++}` });
});

/** Some hours hold many calls and some one, some moments several; figures are few, so that many calls tie. */
const anyCall = (changes: Partial<Call> = {}): Partial<Call> => {
  const startedAtMs = now - (1 + integer(chance(0.5) ? 4 : 400)) * HOUR - integer(20) * 1_000;
  return {
    id: `call_segmented_${made++}`,
    mode: chance(0.8) ? "live" : "test",
    startedAtMs,
    completedAtMs: startedAtMs + integer(40),
    costNanoUsd: integer(40) * 1_000,
    usage: { ...noUsage(), input: integer(40) },
    kind: pick(["chat", "image"]),
    taskType: pick(TASKS),
    model: pick(MODELS),
    status: chance(0.8) ? 200 : 503,
    userId: pick(["ann", "bob"]),
    sessionId: pick([undefined, "morning", 'évening "quoted"']),
    keyId: pick(["key_1", "key_2"]),
    attempts: pick([["first"], ["first", "retry"], ["first", "retry", "fallback"]] as const).map(attemptFor),
    ...(chance(0.2) && { reused: { callId: "call_of_before", savedNanoUsd: integer(2) } }),
    ...changes,
  };
};
const fill = (count: number, changes: Partial<Call> = {}) =>
  record(gateway, key, ...Array.from({ length: count }, () => anyCall(changes)));

const attemptFor = (purpose: Attempt["purpose"]): Attempt => knownAttempt({ purpose });

type Row = {
  id: string;
  seq: number;
  mode: string;
  started_at: number;
  task_type: string;
  model: string;
  status: number;
} & Record<"cost_nano_usd" | "latency_ms" | "total_tokens", number> & {
    user_id: string;
    session_id: string | null;
    key_id: string;
    retry_count: number;
    fallback_used: number;
    saved_nano_usd: number | null;
  };

const fits = (call: Row, filter: LogFilter): boolean =>
  (filter.mode === "all" || call.mode === filter.mode) &&
  call.started_at >= filter.fromMs &&
  call.started_at < filter.toMs &&
  Object.entries(filter.names).every(([column, name]) => namesOf(call)[column] === name) &&
  call.retry_count >= (filter.figures.retry_count?.least ?? 0) &&
  call.cost_nano_usd >= (filter.figures.cost_nano_usd?.least ?? 0) &&
  call.cost_nano_usd <= (filter.figures.cost_nano_usd?.most ?? Infinity);

const namesOf = (call: Row): Record<string, unknown> => ({
  ...call,
  outcome: call.status < 400 ? "success" : "failed",
  fallback_used: String(call.fallback_used === 1),
  cache_hit: String(call.saved_nano_usd !== null),
});

const COLUMNS = { timestamp: "started_at", cost: "cost_nano_usd", latency: "latency_ms", tokens: "total_tokens" } as const;

/** Pages by many filters, orders and places are those of the plain list of all calls. */
const expectPagesOfRows = async (): Promise<void> => {
  const { db } = gateway.platform;
  const rows = db.all<Row>(`SELECT *, total_tokens FROM calls WHERE project_id = '${key.project.id}'`);
  const changes: Partial<LogFilter>[] = [
    {},
    { mode: "all" },
    { mode: "test", names: { outcome: "success" } },
    { names: { task_type: "code" } },
    { names: { kind: "image" } },
    { names: { kind: "chat", model: "gpt-4o" }, mode: "all" },
    { names: { model: "nobody's" } },
    { names: { outcome: "failed" } },
    {
      names: { task_type: "math", model: "gpt-4o-mini", outcome: "success" },
      figures: { cost_nano_usd: { most: 30_000 } },
    },
    { figures: { cost_nano_usd: { least: 36_000 } }, mode: "all" },
    { figures: { cost_nano_usd: { least: 3_000, most: 9_000 } } },
    { names: { user_id: "ann", task_type: "code" } },
    { names: { session_id: 'évening "quoted"' } },
    { names: { session_id: "nobody's" }, mode: "all" },
    { names: { key_id: "key_1", outcome: "success" } },
    { figures: { retry_count: { least: 1 } } },
    { figures: { retry_count: { least: 2 } }, mode: "all" },
    { names: { fallback_used: "true", model: "gpt-4o" } },
    { names: { cache_hit: "true" } },
    { names: { cache_hit: "false", task_type: "code" }, mode: "all" },
    { names: { fallback_used: "false" }, figures: { retry_count: { least: 1 } }, mode: "all" },
    { fromMs: now - 3.5 * HOUR, toMs: now - 1.25 * HOUR },
    { fromMs: now - 200 * HOUR, toMs: now - 2 * HOUR, mode: "all", names: { outcome: "failed" } },
  ];
  for (const change of changes) {
    const filter = { ...allCalls({ projectId: key.project.id, mode: "live" }), ...change };
    const fitting = rows.filter((row) => fits(row, filter));
    for (const by of ["timestamp", "cost", "latency", "tokens"] as const) {
      for (const order of ["asc", "desc"] as const) {
        const sorted = fitting.toSorted(
          (a, b) => (order === "asc" ? 1 : -1) * (a[COLUMNS[by]] - b[COLUMNS[by]] || a.seq - b.seq),
        );
        for (const [limit, offset] of [
          [120, 0],
          [7, integer(fitting.length + 3)],
        ] as const) {
          const sort: Sort = { by, order };
          const withCost = chance(0.5);
          const page = await db.ask<typeof readPage>("readPage", { filter, sort, limit, offset, withCost });
          expect(page.total).toBe(fitting.length);
          expect(page.costNanoUsd).toBe(withCost ? fitting.reduce((sum, { cost_nano_usd }) => sum + cost_nano_usd, 0) : null);
          expect(page.seqs).toEqual(sorted.slice(offset, offset + limit).map(({ seq }) => seq));
        }
      }
    }
  }
};

/** Sums by key and user are those of the rows, in any range. */
const expectSumsOfRows = async (): Promise<void> => {
  const { db } = gateway.platform;
  for (const column of ["key_id", "user_id"] as const) {
    for (const [mode, fromMs, toMs, most] of [
      ["live", 0, now, 1_000],
      ["all", 0, now, 1_000],
      ["live", now - 200 * HOUR, now - 1.25 * HOUR, 1],
    ] as const) {
      const sums = await db.ask<typeof sumByName>("sumByName", {
        scope: { projectId: key.project.id, mode },
        ...{ fromMs, toMs, column, most },
      });
      expect(sums).toEqual(
        db.all<NamedSums>(
          `SELECT ${column} AS name, count(*) AS calls, sum(total_tokens) AS tokens, sum(cost_nano_usd) AS costNanoUsd FROM calls
           WHERE project_id = ? AND (? = 'all' OR mode = ?) AND started_at >= ? AND started_at < ? GROUP BY 1 ORDER BY 4 DESC, 1 LIMIT ?`,
          ...[key.project.id, mode, mode, fromMs, toMs, most],
        ),
      );
    }
  }
};

test("sums by key and user are those of the rows, with segments and without", async () => {
  await fill(300);
  await fill(30, { userId: undefined as never });
  await fill(10, { userId: 'a "quoted"\nüser' });
  await expectSumsOfRows();
  await make();
  expect(segmented()).toBeGreaterThan(200);
  await expectSumsOfRows();
  await fill(12);
  await expectSumsOfRows();
});

type Stored = { mode: string; from_ms: number; to_ms: number; calls: number };
const segments = () =>
  gateway.platform.db.all<Stored>(
    "SELECT mode, from_ms, to_ms, calls FROM call_segments WHERE project_id = ? ORDER BY mode, to_ms",
    key.project.id,
  );
const segmented = () => segments().reduce((sum, { calls }) => sum + calls, 0);
const make = () => makeSegments(gateway.platform, 40);

test("pages are those of the plain list: without segments, with them, with some taken away, and made anew", async () => {
  await fill(600);
  await expectPagesOfRows();
  await make();
  expect(segmented()).toBeGreaterThan(500);
  await expectPagesOfRows();
  // Late ones fall into segments that are there, new ones come after them.
  await fill(12);
  const changed = await fill(5, { mode: "live", startedAtMs: now - 1 });
  for (const { id } of changed) await correctCost(gateway.platform, id, 77_000);
  const before = segments().length;
  await expectPagesOfRows();
  await make();
  expect(segments().length).toBeGreaterThan(before);
  await expectPagesOfRows();
  await forgetUser(gateway.platform, byCommand(gateway.clock.now()), key.project.id, "bob");
  await expectPagesOfRows();
  await make();
  await expectPagesOfRows();
}, 60_000);

test("segments do not overlap, hold what lies between them, and leave the last calls alone", async () => {
  await fill(300);
  await fill(3, { startedAtMs: now - 60_000, mode: "live" });
  await make();
  for (const mode of ["live", "test"]) {
    const own = segments().filter((segment) => segment.mode === mode);
    expect(own.map(({ from_ms }) => from_ms)).toEqual([0, ...own.slice(0, -1).map(({ to_ms }) => to_ms)]);
    const { n } = gateway.platform.db.get<{ n: number }>(
      "SELECT count(*) AS n FROM calls WHERE project_id = ? AND mode = ? AND started_at < ?",
      key.project.id,
      mode,
      own.at(-1)!.to_ms,
    )!;
    expect(own.reduce((sum, { calls }) => sum + calls, 0)).toBe(n);
    expect(own.at(-1)!.to_ms).toBeLessThan(now - 180_000);
  }
});

test("a user with very many calls is looked for in the segments, one with few in the users' index", async () => {
  const all = allCalls({ projectId: key.project.id, mode: "live" });
  await fill(2_050, { userId: "ann", mode: "live" });
  await fill(20, { userId: "bob", mode: "live" });
  await makeSegments(gateway.platform, 500);
  const { db } = gateway.platform;
  for (const [userId, total] of [
    ["ann", 2_050],
    ["bob", 20],
  ] as const) {
    const order = { filter: { ...all, names: { user_id: userId } }, limit: 30, offset: 5 };
    const page = await db.ask<typeof readPage>("readPage", { ...order, withCost: false, sort: { by: "latency", order: "desc" } });
    expect(page.total).toBe(total);
    const rows = db.all<{ seq: number }>(
      "SELECT seq FROM calls WHERE project_id = ? AND user_id = ? ORDER BY latency_ms DESC, seq DESC LIMIT 30 OFFSET 5",
      key.project.id,
      userId,
    );
    expect(page.seqs).toEqual(rows.map(({ seq }) => seq));
  }
}, 60_000);

test("few calls need no segment", async () => {
  await fill(30, { mode: "live" });
  await make();
  expect(segments()).toEqual([]);
});

test("calls of one moment stay in one segment, however many they are", async () => {
  await fill(100, { mode: "live", startedAtMs: now - 5 * HOUR });
  await fill(1, { mode: "live", startedAtMs: now - 4 * HOUR });
  await make();
  expect(segments()).toMatchObject([{ calls: 100 }]);
});

test.each([
  ["comes late", () => fill(1, { mode: "live", startedAtMs: now - 5 * HOUR })],
  ["is priced anew", (id: string) => correctCost(gateway.platform, id, 1)],
  ["is forgotten", () => forgetUser(gateway.platform, byCommand(gateway.clock.now()), key.project.id, "cy")],
])("a segment goes when a call %s; its range is made anew, also of fewer calls than usual", async (_, change) => {
  const [first] = await fill(1, { mode: "live", startedAtMs: now - 5 * HOUR, userId: "cy" });
  await fill(30, { mode: "live", startedAtMs: now - 5 * HOUR });
  await fill(60, { mode: "live", startedAtMs: now - 2 * HOUR });
  await fill(1, { mode: "live", startedAtMs: now - HOUR });
  await makeSegments(gateway.platform, 31);
  const [before, after] = segments();
  await (change as (id: string) => Promise<unknown>)(first!.id);
  expect(segments()).toEqual([after!]);
  await makeSegments(gateway.platform, 500);
  expect(segments()).toMatchObject([{ from_ms: before!.from_ms, to_ms: before!.to_ms }, after!]);
});

test("a late call among new ones takes its own segment alone", async () => {
  const hours = [9, 7, 5, 3];
  for (const hour of hours) await fill(40, { mode: "live", startedAtMs: now - hour * HOUR });
  await fill(1, { mode: "live", startedAtMs: now - HOUR });
  await make();
  const before = segments();
  expect(before.length).toBe(4);
  await record(
    gateway,
    key,
    anyCall({ mode: "live", startedAtMs: now }),
    anyCall({ mode: "live", startedAtMs: now - 7 * HOUR }),
    anyCall({ mode: "test", startedAtMs: now - 3 * HOUR }),
  );
  expect(segments()).toEqual(before.filter((_, n) => n !== 1));
});

test("a call that comes while its segment is made is not missed", async () => {
  const { db } = gateway.platform;
  await fill(50, { mode: "live", startedAtMs: now - 5 * HOUR });
  const range: Range = { projectId: key.project.id, mode: "live", fromMs: 0, toMs: now };
  const id = (await db.write((sql) => beginSegment(sql, range)))!;
  const columns = await db.ask<typeof columnsOfRange>("columnsOfRange", range);
  expect(columns.calls).toBe(50);
  await fill(1, { mode: "live", startedAtMs: now - 5 * HOUR });
  await db.write((sql) => fillSegment(sql, id, columns));
  expect(segments()).toEqual([]);
});

test("a segment whose calls were all deleted before it was made holds none", async () => {
  const { db } = gateway.platform;
  const range: Range = { projectId: key.project.id, mode: "live", fromMs: 0, toMs: now - HOUR };
  const id = (await db.write((sql) => beginSegment(sql, range)))!;
  const columns = await db.ask<typeof columnsOfRange>("columnsOfRange", range);
  await db.write((sql) => fillSegment(sql, id, columns));
  expect(segments()).toMatchObject([{ calls: 0 }]);
  await expectPagesOfRows();
  await expectSumsOfRows();
});

test("no two segments are begun of one range, and one that was never filled is begun again", async () => {
  const { db } = gateway.platform;
  await fill(60, { mode: "live", startedAtMs: now - 5 * HOUR });
  const range: Range = { projectId: key.project.id, mode: "live", fromMs: 0, toMs: now - HOUR };
  await db.write((sql) => beginSegment(sql, range));
  expect(await db.write((sql) => beginSegment(sql, { ...range, fromMs: now - 2 * HOUR, toMs: now }))).toBeUndefined();
  await expectPagesOfRows();
  await fill(1, { mode: "live", startedAtMs: now - HOUR });
  await make();
  expect(segments()).toMatchObject([{ calls: 60 }]);
});

test("segments without all columns, as an older program makes them, are neither read nor kept", async () => {
  const { db } = gateway.platform;
  await fill(60, { mode: "live", startedAtMs: now - 5 * HOUR });
  await fill(1, { mode: "live", startedAtMs: now - HOUR });
  await make();
  const before = segments();
  await db.write((sql) => sql.run("UPDATE call_segments SET retry_count = NULL WHERE project_id = ?", key.project.id));
  await expectPagesOfRows();
  await make();
  expect(segments()).toEqual(before);
  const { whole } = db.get<{ whole: number }>("SELECT min(retry_count IS NOT NULL) AS whole FROM call_segments")!;
  expect(whole).toBe(1);
});
