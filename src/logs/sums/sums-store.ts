/**
 * Keeps the sums that metrics read in step with the log. A call is only listed with its row; the listed calls are added up later, many at
 * once (add-up.ts), so that no answer waits for it. The list is in the file, so nothing is missing after a crash.
 */

import type { Db, Sql } from "../../database/database.ts";
import type { Call } from "../call.ts";
import { addToAttemptHours, type Try, triesOf } from "./attempt-sums-store.ts";
import { addToDays, addToGoneDays, takeFromDays } from "./rollup.ts";

/** Call it in the transaction that writes the call's row. */
export const listToSum = (sql: Sql, seq: number, call: Call): void =>
  void sql.run("INSERT INTO calls_to_sum (call_seq, attempts) VALUES (?, ?)", seq, JSON.stringify(triesOf(call)));

export const areCallsListed = (db: Db): boolean => db.get("SELECT 1 FROM calls_to_sum LIMIT 1") !== undefined;

type Listed = { seq: number; projectId: string; mode: string; startedAtMs: number; attempts: string };

/** Adds up at most `most` of the listed calls; returns how many. */
export const sumSomeCalls = (sql: Sql, most: number): number => {
  const listed = sql.all<Listed>(
    `SELECT seq, project_id AS projectId, mode, started_at AS startedAtMs, attempts
     FROM calls_to_sum JOIN calls ON seq = call_seq ORDER BY call_seq LIMIT ?`,
    most,
  );
  if (listed.length === 0) return 0;
  const seqs = listed.map(({ seq }) => seq);
  addToDays(sql, seqs);
  addToHours(sql, seqs);
  addToAttemptHours(
    sql,
    listed.map(({ attempts, ...call }) => ({ ...call, tries: JSON.parse(attempts) as Try[] })),
  );
  sql.run("DELETE FROM calls_to_sum WHERE call_seq <= ?", seqs.at(-1)!);
  return listed.length;
};

const addToHours = (sql: Sql, seqs: readonly number[]): void =>
  void sql.run(
    `INSERT INTO call_hours (project_id, mode, hour, calls)
     SELECT project_id, mode, started_at / 3600000, count(*) FROM calls WHERE seq IN (SELECT value FROM json_each(?)) GROUP BY 1, 2, 3
     ON CONFLICT (project_id, mode, hour) DO UPDATE SET calls = calls + excluded.calls`,
    JSON.stringify(seqs),
  );

const AT_ONCE = 1_000;

const sumAllCalls = (sql: Sql): void => {
  while (sumSomeCalls(sql, AT_ONCE) > 0);
};

/** Runs `change` on a call's row and keeps the daily sums in step. */
export const changeCall = (sql: Sql, seq: number, change: () => void): void => {
  sumAllCalls(sql);
  takeFromDays(sql, [seq]);
  change();
  addToDays(sql, [seq]);
};

/**
 * Call it before the rows of `seqs` are deleted. Gap: the contract does not say whether deleted calls still count. Bill and metrics keep
 * them, as sums that name no user; the log, its summary and its totals do not.
 */
export const markGone = (sql: Sql, seqs: readonly number[]): void => {
  sumAllCalls(sql);
  takeFromDays(sql, seqs);
  addToGoneDays(sql, seqs);
};
