/** Which call answered a question whose answer may be given again. The answer is in the call's row; without it there is nothing to give. */

import type { Db, Sql } from "../database/database.ts";
import type { KeptAs } from "./call.ts";

/** Replaces an earlier answer to the same question. */
export const insertKeptAnswer = (sql: Sql, callSeq: number, { question, untilMs }: KeptAs): void =>
  void sql.run(
    "INSERT OR REPLACE INTO kept_answers (question, call_seq, kept_until) VALUES (?, ?, ?)",
    question,
    callSeq,
    untilMs,
  );

/** The id of the call that answered the question at `sinceMs` or later, if its answer is still kept. */
export const findKeptAnswer = (db: Db, question: string, sinceMs: number, nowMs: number): string | undefined =>
  db.get<{ id: string }>(
    `SELECT c.id FROM kept_answers k JOIN calls c ON c.seq = k.call_seq
     WHERE k.question = ? AND k.kept_until > ? AND c.completed_at >= ?`,
    question,
    nowMs,
    sinceMs,
  )?.id;

const ROWS_AT_ONCE = 500;

/** False if there were none. */
export const deleteSomeKeptAnswers = (db: Db, nowMs: number): Promise<boolean> =>
  db.write(
    (sql) =>
      sql.run(
        "DELETE FROM kept_answers WHERE question IN (SELECT question FROM kept_answers WHERE kept_until <= ? LIMIT ?)",
        nowMs,
        ROWS_AT_ONCE,
      ).changes > 0,
  );
