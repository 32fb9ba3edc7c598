/** Deletes calls: those of a forgotten user, and those beyond the retention. Bodies, details, vectors and feedback go with the row. */

import type { Db, Sql } from "../../database/database.ts";
import { DAY_MS, HOUR_MS } from "../../lib/clock.ts";
import { markGone } from "../sums/sums-store.ts";

/**
 * Few enough that one batch blocks the serving thread for only some milliseconds: each call touches a separate page of the users' index.
 */
export const BATCH = 50;

const deleteCalls = (sql: Sql, calls: readonly { seq: number }[]): void => {
  const seqs = calls.map(({ seq }) => seq);
  markGone(sql, seqs);
  sql.run("DELETE FROM calls WHERE seq IN (SELECT value FROM json_each(?))", JSON.stringify(seqs));
};

/**
 * Deletes a batch of the user's calls, in every mode, with the stored answers to repeated requests; returns how many, 0 when none is left.
 */
export const deleteCallsOfUser = (db: Db, projectId: string, userId: string): Promise<number> =>
  db.write((sql) => {
    const calls = sql.all<{ seq: number; id: string }>(
      "SELECT seq, id FROM calls WHERE project_id = ? AND user_id = ? LIMIT ?",
      projectId,
      userId,
      BATCH,
    );
    if (calls.length === 0) return 0;
    sql.run(
      "DELETE FROM idempotency_keys WHERE project_id = ? AND owner IN (SELECT value FROM json_each(?))",
      projectId,
      JSON.stringify(calls.map(({ id }) => id)),
    );
    deleteCalls(sql, calls);
    return calls.length;
  });

/** Deletes at most `most` of the project's calls before `beforeMs`; returns how many, and for how long that blocked the serving thread. */
export const deleteOldCalls = (
  db: Db,
  projectId: string,
  beforeMs: number,
  most: number,
): Promise<{ deleted: number; heldMs: number }> =>
  db.write((sql) => {
    const began = performance.now();
    const calls = sql.all<{ seq: number }>(
      "SELECT seq FROM calls INDEXED BY calls_by_time WHERE project_id = ? AND mode IN ('live', 'test') AND started_at < ? LIMIT ?",
      projectId,
      beforeMs,
      most,
    );
    if (calls.length > 0) deleteCalls(sql, calls);
    return { deleted: calls.length, heldMs: performance.now() - began };
  });

const SUMS = [
  { table: "call_days", unit: "day", unitMs: DAY_MS, atOnce: 4, kept: "with the log" },
  { table: "call_hours", unit: "hour", unitMs: HOUR_MS, atOnce: 24, kept: "for metrics" },
  { table: "attempt_hours", unit: "hour", unitMs: HOUR_MS, atOnce: 24, kept: "for metrics" },
] as const;

/** Deletes some of a project's sums that are older than any query can ask for; false when none is left. They are found by their keys. */
export const deleteOldSums = (db: Db, projectId: string, logBeforeMs: number, metricsBeforeMs: number): Promise<boolean> =>
  db.write((sql) => {
    let isMore = false;
    for (const { table, unit, unitMs, atOnce, kept } of SUMS) {
      const end = Math.floor((kept === "with the log" ? logBeforeMs : metricsBeforeMs) / unitMs);
      for (const mode of ["live", "test"]) {
        const of = `FROM ${table} WHERE project_id = ? AND mode = ?`;
        const first = sql.get<{ first: number | null }>(`SELECT min(${unit}) AS first ${of}`, projectId, mode)!.first;
        if (first === null || first >= end) continue;
        sql.run(`DELETE ${of} AND ${unit} < ?`, projectId, mode, Math.min(end, first + atOnce));
        isMore = true;
      }
    }
    return isMore;
  });

const FREE_PAGES_KEPT = 512;
const VACUUM_PAGES = 8;

/** Returns a few free pages to the file system; false when few are left. Some are kept for the next calls. */
export const shrinkFile = (db: Db): Promise<boolean> =>
  db.write((sql) => {
    const free = sql.get<{ freelist_count: number }>("PRAGMA freelist_count")!.freelist_count;
    if (free < FREE_PAGES_KEPT) return false;
    sql.all(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    return true;
  });
