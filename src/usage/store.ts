/** Usage by key and by user, which the sums do not name, from the ledger's rows. */

import type { Db } from "../database/database.ts";
import { DAY_MS } from "../lib/clock.ts";
import { type CallScope, inScope } from "../logs/call-scope.ts";
import type { Range } from "../logs/sums/read-rollup.ts";

type Group = { name: string | null; calls: number; tokens: number; cost_nano_usd: number };

/** Dearest first, at most `most`. */
export const sumLoggedBy = (
  db: Db,
  scope: CallScope,
  [first, end]: Range,
  by: "key" | "user",
  most: number,
): Promise<Group[]> => {
  const { text, params } = inScope(scope);
  return db.scan<Group>(
    `SELECT ${by}_id AS name, count(*) AS calls, sum(total_tokens) AS tokens, sum(cost_nano_usd) AS cost_nano_usd
     FROM calls WHERE ${text} AND started_at >= ? AND started_at < ? GROUP BY 1 ORDER BY 4 DESC, 1 LIMIT ?`,
    [...params, first * DAY_MS, end * DAY_MS, most],
  );
};
