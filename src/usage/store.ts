/** A project's usage, from the sums kept with its calls; by key and user from the ledger's rows. */

import type { Db, Value } from "../database/database.ts";
import { DAY_MS } from "../lib/clock.ts";
import { type CallScope, modesOf } from "../logs/call-scope.ts";
import { addUpCalls } from "../logs/sums/add-up.ts";

export type UsageSums = { calls: number; tokens: number; cost_nano_usd: number };
type UsageGroup = UsageSums & { name: string | null };

const TOKENS = "input_tokens + cache_read_tokens + cache_write_tokens + output_tokens + reasoning_tokens";

/** Days are counted since 1970, `end` exclusive. */
const fromDays = (scope: CallScope, [first, end]: readonly [number, number]): { text: string; params: Value[] } => {
  const modes = modesOf(scope);
  return {
    text: `FROM call_days WHERE project_id = ? AND mode IN (${modes.map(() => "?").join(", ")}) AND day >= ? AND day < ?`,
    params: [scope.projectId, ...modes, first, end],
  };
};

export const sumUsage = async (db: Db, scope: CallScope, range: readonly [number, number]): Promise<UsageSums> => {
  const { text, params } = fromDays(scope, range);
  await addUpCalls(db);
  const [sums] = await db.scan<UsageSums>(
    `SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(${TOKENS}), 0) AS tokens, coalesce(sum(cost_nano_usd), 0) AS cost_nano_usd ${text}`,
    params,
  );
  return sums!;
};

export type UsageGrouping = "model" | "day" | "key" | "user";

/** Dearest first, at most `most`. Keys and users are counted in the log, so without calls that were deleted from it. */
export const groupUsage = async (
  db: Db,
  scope: CallScope,
  range: readonly [number, number],
  by: UsageGrouping,
  most: number,
): Promise<UsageGroup[]> => {
  if (by === "model" || by === "day") {
    const { text, params } = fromDays(scope, range);
    await addUpCalls(db);
    const name = by === "model" ? "nullif(model, '')" : "date(day * 86400, 'unixepoch')";
    return db.scan<UsageGroup>(
      `SELECT ${name} AS name, sum(calls) AS calls, sum(${TOKENS}) AS tokens, sum(cost_nano_usd) AS cost_nano_usd ${text}
       GROUP BY 1 ORDER BY ${by === "day" ? "1" : "4 DESC, 1"} LIMIT ?`,
      [...params, most],
    );
  }
  const modes = modesOf(scope);
  return db.scan<UsageGroup>(
    `SELECT ${by === "key" ? "key_id" : "user_id"} AS name, count(*) AS calls, sum(total_tokens) AS tokens, sum(cost_nano_usd) AS cost_nano_usd
     FROM calls WHERE project_id = ? AND started_at >= ? AND started_at < ? AND mode IN (${modes.map(() => "?").join(", ")})
     GROUP BY 1 ORDER BY 4 DESC, 1 LIMIT ?`,
    [scope.projectId, range[0] * DAY_MS, range[1] * DAY_MS, ...modes, most],
  );
};
