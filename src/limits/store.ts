/** The counters of days and months, as they survive a restart. */

import type { Db, Sql } from "../database/database.ts";

/** `period` is a UTC day (`2026-11-20`) or month (`2026-11`). */
export type CounterKey = { projectId: string; mode: string; group: string; period: string };

/** 0 if nothing was counted. */
export const findCounter = (db: Db, { projectId, mode, group, period }: CounterKey): number =>
  db.get<{ used: number }>(
    "SELECT used FROM limit_counters WHERE project_id = ? AND mode = ? AND limit_group = ? AND period = ?",
    projectId,
    mode,
    group,
    period,
  )?.used ?? 0;

/** `used` replaces the stored count. */
export const putCounter = (sql: Sql, { projectId, mode, group, period }: CounterKey, used: number): void =>
  void sql.run(
    `INSERT INTO limit_counters (project_id, mode, limit_group, period, used) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (project_id, mode, limit_group, period) DO UPDATE SET used = excluded.used`,
    projectId,
    mode,
    group,
    period,
    used,
  );

/** Deletes days and months before `month` (`2026-11`); returns how many. Both sort as texts: a day comes after its month. */
export const deleteCountersBefore = (db: Db, month: string): Promise<number> =>
  db.write((sql) => sql.run("DELETE FROM limit_counters WHERE period < ?", month).changes);

export const deleteCountersOf = (db: Db, projectId: string): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM limit_counters WHERE project_id = ?", projectId));
