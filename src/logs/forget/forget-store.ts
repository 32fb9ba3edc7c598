/**
 * Deletes calls: those of a forgotten user, and those beyond the retention. Bodies, details, vectors and feedback go with the row. Or only
 * the texts of a call.
 */

import type { Db, Sql } from "../../database/database.ts";
import { DAY_MS, HOUR_MS } from "../../lib/clock.ts";
import { withoutTexts } from "../store.ts";
import { markGone } from "../sums/sums-store.ts";

export type FoundCall = { id: string };

/** At most `most` of the user's calls, in every mode. */
export const callsOfUser = (db: Db, projectId: string, userId: string, most: number): FoundCall[] =>
  db.all<FoundCall>("SELECT id FROM calls WHERE project_id = ? AND user_id = ? LIMIT ?", projectId, userId, most);

/** At most `most` of the project's calls before `beforeMs`. */
export const callsBefore = (db: Db, projectId: string, beforeMs: number, most: number): FoundCall[] =>
  db.all<FoundCall>(
    "SELECT id FROM calls INDEXED BY calls_by_time WHERE project_id = ? AND mode IN ('live', 'test') AND started_at < ? LIMIT ?",
    projectId,
    beforeMs,
    most,
  );

/** Returns how many there still were, and for how long deleting them blocked the serving thread. */
export const deleteCalls = (db: Db, calls: readonly FoundCall[]): Promise<{ deleted: number; heldMs: number }> =>
  db.write((sql) => {
    const began = performance.now();
    // By their ids: if some were deleted since they were found, other calls may have their `seq` by now.
    const ids = JSON.stringify(calls.map(({ id }) => id));
    const found = sql.all<{ seq: number }>("SELECT seq FROM calls WHERE id IN (SELECT value FROM json_each(?))", ids);
    const seqs = found.map(({ seq }) => seq);
    markGone(sql, seqs);
    const { changes } = sql.run("DELETE FROM calls WHERE seq IN (SELECT value FROM json_each(?))", JSON.stringify(seqs));
    return { deleted: changes, heldMs: performance.now() - began };
  });

/** Takes prompt and answer out of a call, and the answer out of the response cache. False if the call is no longer in the log. */
export const clearTexts = (sql: Sql, projectId: string, callId: string): boolean => {
  const call = sql.get<{ seq: number; data: Uint8Array }>(
    "SELECT seq, data FROM calls JOIN call_details ON call_seq = seq WHERE id = ? AND project_id = ?",
    callId,
    projectId,
  );
  if (call === undefined) return false;
  sql.run("UPDATE call_details SET data = ?, embedding = NULL WHERE call_seq = ?", withoutTexts(call.data), call.seq);
  sql.run("DELETE FROM call_bodies WHERE call_seq = ?", call.seq);
  sql.run("DELETE FROM kept_answers WHERE call_seq = ?", call.seq);
  return true;
};

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
