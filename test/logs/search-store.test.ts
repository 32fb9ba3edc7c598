import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { correctCost } from "../../src/logs/correct-cost.ts";
import type { LogFilter } from "../../src/logs/filter.ts";
import { pageStatement, pieceStatement, type Sort } from "../../src/logs/search-store.ts";
import { noUsage } from "../../src/providers/provider.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { record } from "../support/known-call.ts";
import { randomFrom } from "../support/random.ts";

let gateway: Gateway;
let projectId: string;
const HOUR = 3_600_000;
beforeAll(async () => {
  gateway = await startGateway();
  const key = await gateway.key({ project: "searched" });
  projectId = key.project.id;
  const now = gateway.clock.now();
  // Modes take turns, and every third call begins with the one before it.
  const calls = Array.from({ length: 30 }, (_, n) => ({
    id: `call_${String(n).padStart(2, "0")}`,
    startedAtMs: now - 9 * HOUR + (n % 3 === 2 ? n - 1 : n) * 60_000,
    mode: n % 2 === 0 ? ("live" as const) : ("test" as const),
    userId: n % 5 === 0 ? "ann" : "bob",
  }));
  await record(gateway, key, ...calls);
});
afterAll(() => gateway.stop());

const filterOf = (changes: Partial<LogFilter> = {}): LogFilter => ({ mode: "live", fromMs: 0, toMs: null, ...changes });
const planOf = ({ text, params }: ReturnType<typeof pageStatement>): string => {
  const connection = new Database(gateway.platform.db.path, { readonly: true });
  const steps = connection.query<{ detail: string }, any[]>(`EXPLAIN QUERY PLAN ${text}`).all(...params);
  connection.close();
  return steps.map(({ detail }) => detail).join("\n");
};

const SORTS: Sort["by"][] = ["timestamp", "cost", "latency", "tokens"];

test.each(["cost", "latency", "tokens"] as const)("a page sorted by %s is looked for within the hours that can hold it", (by) => {
  for (const filter of [filterOf(), filterOf({ mode: "all" }), filterOf({ toMs: 9e15, model: "gpt-4o", maxCostNanoUsd: 9e9 })]) {
    const steps = planOf(pageStatement(projectId, filter, { by, order: "desc" }, 50, 0)).split("\n");
    const reads = steps.filter((step) => step.includes("calls_by_time"));
    expect(reads.length).toBe(2);
    for (const read of reads) expect(read).toContain("(project_id=? AND mode=? AND started_at>? AND started_at<?)");
    expect(steps.some((step) => /SCAN (calls|call_hours)/.test(step))).toBe(false);
  }
});

test.each(SORTS)("a page sorted by %s is found in the index, without a look at the rows it leaves out", (by) => {
  const rich = filterOf({ toMs: 9e15, taskType: "code", model: "gpt-4o", minCostNanoUsd: 1, outcome: "failed" });
  for (const filter of [filterOf(), filterOf({ mode: "all" }), rich]) {
    const plan = planOf(pageStatement(projectId, filter, { by, order: "desc" }, 50, 0));
    expect(plan).toMatch(/SEARCH calls USING (COVERING )?INDEX calls_by_time \(project_id=\? AND mode=\? AND started_at>\?/);
    // Pages by time are read in the index's order, and no further than they go.
    const sorting = plan.slice(0, plan.indexOf("SCAN page")).includes("USE TEMP B-TREE FOR ORDER BY");
    expect(sorting).toBe(by !== "timestamp");
  }
});

test("one user's calls are found among that user's", () => {
  for (const by of SORTS)
    expect(planOf(pageStatement(projectId, filterOf({ userId: "ann" }), { by, order: "asc" }, 50, 0))).toContain("calls_by_user");
});

test("an export's next piece begins in the index where the one before ended", () => {
  for (const order of ["asc", "desc"] as const) {
    const { params } = pieceStatement(projectId, filterOf({ toMs: 9e15 }), order, 10, { startedAtMs: 77, seq: 5 });
    // Project, mode, and then the range: it is the place that bounds it.
    expect(params.slice(2, 4)).toEqual(order === "asc" ? [77, 9e15] : [0, 78]);
  }
});

test.each([
  ["live", 15],
  ["test", 15],
  ["all", 30],
] as const)("pieces of %s calls, put together, are the page of all of them", (mode, count) => {
  const read = ({ text, params }: ReturnType<typeof pageStatement>) =>
    gateway.platform.db.all<{ id: string; seq: number; started_at: number }>(text, ...params);
  for (const order of ["asc", "desc"] as const) {
    const whole = read(pageStatement(projectId, filterOf({ mode }), { by: "timestamp", order }, 100, 0)).map(({ id }) => id);
    expect(whole).toEqual(order === "asc" ? whole.toSorted() : whole.toSorted().reverse());
    const pieces: string[] = [];
    let after: { startedAtMs: number; seq: number } | undefined;
    for (;;) {
      const rows = read(pieceStatement(projectId, filterOf({ mode }), order, 4, after));
      if (rows.length === 0) break;
      pieces.push(...rows.map(({ id }) => id));
      after = { startedAtMs: rows.at(-1)!.started_at, seq: rows.at(-1)!.seq };
    }
    expect(pieces).toEqual(whole);
    expect(whole.length).toBe(count);
  }
});

test("the first by cost, latency or tokens are the first of all, wherever in the range they lie", async () => {
  const { integer, chance, pick } = randomFrom(7);
  const key = await gateway.key({ project: "ranked" });
  const now = gateway.clock.now();
  // Some hours hold many calls and some one; figures are few, so that many calls tie.
  const calls = Array.from({ length: 600 }, (_, n) => {
    const startedAtMs = now - integer(chance(0.5) ? 4 : 400) * HOUR - integer(HOUR);
    return {
      id: `call_ranked_${n}`,
      mode: chance(0.8) ? ("live" as const) : ("test" as const),
      startedAtMs,
      completedAtMs: startedAtMs + integer(40),
      costNanoUsd: integer(40) * 1_000,
      usage: { ...noUsage(), input: integer(40) },
      model: pick(["gpt-4o", "gpt-4o-mini"]),
      status: chance(0.8) ? 200 : 503,
    };
  });
  await record(gateway, key, ...calls);
  // What was the dearest is no longer: the bounds are wider than the calls now.
  const dear = calls.filter(({ costNanoUsd }) => costNanoUsd > 37_000).slice(0, 20);
  for (const call of dear) {
    await correctCost(gateway.platform, call.id, 5);
    call.costNanoUsd = 5;
  }
  const { db } = gateway.platform;
  const stored =
    db.all<Stored>(`SELECT id, seq, mode, started_at, model, status, cost_nano_usd, latency_ms, total_tokens FROM calls
    WHERE project_id = '${key.project.id}'`);
  const filters: Partial<LogFilter>[] = [
    {},
    { mode: "all" },
    { model: "gpt-4o" },
    { outcome: "success" },
    { maxCostNanoUsd: 2_000 },
    { minCostNanoUsd: 36_000, mode: "all" },
    { fromMs: now - 3.5 * HOUR, toMs: now - 1.25 * HOUR },
    { fromMs: now - 200 * HOUR, toMs: now - 2 * HOUR, model: "gpt-4o-mini", maxCostNanoUsd: 30_000 },
  ];
  const columns = { cost: "cost_nano_usd", latency: "latency_ms", tokens: "total_tokens" } as const;
  for (const by of ["cost", "latency", "tokens"] as const) {
    for (const order of ["asc", "desc"] as const) {
      for (const changes of filters) {
        const filter = filterOf(changes);
        const ranked = stored
          .filter((call) => fits(call, filter))
          .sort((a, b) => (order === "asc" ? 1 : -1) * (a[columns[by]] - b[columns[by]] || a.seq - b.seq))
          .map(({ id }) => id);
        for (const [limit, offset] of [
          [1, 0],
          [7, 0],
          [7, 14],
          [50, 100],
          [100, 450],
        ] as const) {
          const { text, params } = pageStatement(key.project.id, filter, { by, order }, limit, offset);
          expect(db.all<Stored>(text, ...params).map(({ id }) => id)).toEqual(ranked.slice(offset, offset + limit));
        }
      }
    }
  }
});

type Stored = { id: string; seq: number; mode: string; started_at: number; model: string; status: number } & Record<
  "cost_nano_usd" | "latency_ms" | "total_tokens",
  number
>;

const fits = (call: Stored, filter: LogFilter): boolean =>
  (filter.mode === "all" || call.mode === filter.mode) &&
  call.started_at >= filter.fromMs &&
  (filter.toMs === null || call.started_at < filter.toMs) &&
  (filter.model === undefined || call.model === filter.model) &&
  (filter.outcome !== "success" || call.status < 400) &&
  call.cost_nano_usd >= (filter.minCostNanoUsd ?? 0) &&
  call.cost_nano_usd <= (filter.maxCostNanoUsd ?? Infinity);
