import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { allCalls, type LogFilter } from "../../src/logs/list/filter.ts";
import { countStatement, firstStatement, type Place, placesStatement, type Sort } from "../../src/logs/read-store.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { record } from "../support/known-call.ts";

let projectId: string;
const HOUR = 3_600_000;
const gateway = await gatewayOfFile();
beforeAll(async () => {
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

const filterOf = (changes: Partial<LogFilter> = {}): LogFilter => ({ ...allCalls({ projectId, mode: "live" }), ...changes });
const planOf = ({ text, params }: ReturnType<typeof placesStatement>): string => {
  const connection = new Database(gateway.platform.db.path, { readonly: true });
  const steps = connection.query<{ detail: string }, any[]>(`EXPLAIN QUERY PLAN ${text}`).all(...params);
  connection.close();
  return steps.map(({ detail }) => detail).join("\n");
};

const SORTS: Sort["by"][] = ["timestamp", "cost", "latency", "tokens"];
const RICH = filterOf({
  names: { task_type: "code", model: "gpt-4o", outcome: "failed" },
  figures: { cost_nano_usd: { least: 1 } },
});

test.each(SORTS)("calls are ranked by %s in the index, without a look at the rows", (by) => {
  for (const filter of [filterOf(), RICH]) {
    const plan = planOf(firstStatement(filter, { by, order: "desc" }, 50));
    expect(plan).toMatch(/SEARCH calls USING (COVERING )?INDEX calls_by_time \(project_id=\? AND mode=\? AND started_at>\?/);
    // By time they are read in the index's order; only those of one moment are sorted.
    expect(plan.includes("USE TEMP B-TREE FOR ORDER BY")).toBe(by !== "timestamp");
  }
});

test("calls are counted in the index", () => {
  for (const filter of [filterOf(), RICH])
    for (const withCost of [false, true])
      expect(planOf(countStatement(filter, withCost))).toContain("COVERING INDEX calls_by_time");
});

test("one user's calls are found among that user's", () => {
  const filter = filterOf({ names: { user_id: "ann" } });
  for (const by of SORTS) expect(planOf(firstStatement(filter, { by, order: "asc" }, 50))).toContain("calls_by_user");
  expect(planOf(countStatement(filter, false))).toContain("calls_by_user");
});

test("an export's next piece begins in the index where the one before ended", () => {
  for (const order of ["asc", "desc"] as const) {
    const { params } = placesStatement(filterOf({ toMs: 99 }), order, 10, { startedAtMs: 77, seq: 5 });
    // Project, mode, and then the range: it is the place that bounds it.
    expect(params.slice(2, 4)).toEqual(order === "asc" ? [77, 99] : [0, 78]);
  }
});

test.each([
  ["live", 15],
  ["test", 15],
  ["all", 30],
] as const)("pieces of %s calls, put together, are all of them", (mode, count) => {
  const read = ({ text, params }: ReturnType<typeof placesStatement>) =>
    gateway.platform.db.all<Place>(text, ...params).map((place) => {
      const { id } = gateway.platform.db.get<{ id: string }>("SELECT id FROM calls WHERE seq = ?", place.seq)!;
      return { ...place, id };
    });
  for (const order of ["asc", "desc"] as const) {
    const whole = read(placesStatement(filterOf({ mode }), order, 100)).map(({ id }) => id);
    expect(whole).toEqual(order === "asc" ? whole.toSorted() : whole.toSorted().reverse());
    const pieces: string[] = [];
    let after: Place | undefined;
    for (;;) {
      const rows = read(placesStatement(filterOf({ mode }), order, 4, after));
      if (rows.length === 0) break;
      pieces.push(...rows.map(({ id }) => id));
      after = rows.at(-1)!;
    }
    expect(pieces).toEqual(whole);
    expect(whole.length).toBe(count);
  }
});
