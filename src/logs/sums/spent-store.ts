/** What a project has spent in some UTC days, deleted calls included: for its budget, which therefore agrees with its usage. */

import type { Mode } from "../../accounts/api-key.ts";
import type { Days } from "../../accounts/purses.ts";
import type { Db } from "../../database/database.ts";
import { DAY_MS } from "../../lib/clock.ts";

/** Nano-USD. At once, because a call waits for it; calls that are in the log but not yet in its sums are counted, too. */
export const spentInDays = (db: Db, projectId: string, mode: Mode, { beginning, end }: Days): number => {
  const first = numberOf(beginning) ?? 0;
  const after = numberOf(end) ?? Number.MAX_SAFE_INTEGER;
  const { spent } = db.get<{ spent: number }>(
    `SELECT total(cost) AS spent FROM (
       SELECT sum(cost_nano_usd) AS cost FROM call_days WHERE project_id = ?1 AND mode = ?2 AND day >= ?3 AND day < ?4
       UNION ALL
       SELECT sum(cost_nano_usd) FROM calls_to_sum JOIN calls ON seq = call_seq
       WHERE project_id = ?1 AND mode = ?2 AND started_at / ${DAY_MS} >= ?3 AND started_at / ${DAY_MS} < ?4)`,
    projectId,
    mode,
    first,
    after,
  )!;
  return spent;
};

/** Days since 1970 of `2026-11-20` or of the first of `2026-11`; undefined for what is before or after all days. */
const numberOf = (day: string): number | undefined => {
  const ms = Date.parse(day);
  return Number.isNaN(ms) ? undefined : ms / DAY_MS;
};
