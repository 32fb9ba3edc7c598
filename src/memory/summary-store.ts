/** The summary of a session: one caller at a time writes it, and it is stored only if nothing changed meanwhile. */
import type { Db } from "../database/database.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { recount } from "./message-store.ts";
import type { Session } from "./session.ts";

/** True for one caller at a time, until `untilMs` or `storeSummary`. */
export const claimFold = (db: Db, projectId: string, session: Session, nowMs: number, untilMs: number): Promise<boolean> =>
  db.write(
    (sql) =>
      sql.run(
        "UPDATE memory_sessions SET folding_until = ? WHERE id = ? AND project_id = ? AND folding_until <= ?",
        untilMs,
        session.id,
        projectId,
        nowMs,
      ).changes > 0,
  );

export const releaseFold = (db: Db, projectId: string, session: Session): Promise<void> =>
  db.write((sql) => {
    sql.run("UPDATE memory_sessions SET folding_until = 0 WHERE id = ? AND project_id = ?", session.id, projectId);
  });

/**
 * Compare-and-set on the version that was read: false if the session was cleared, deleted or summarised meanwhile. Summarised messages stay
 * readable, except the oldest of very many; of these each user's last one stays, by which it is known whom the summary may speak of when a
 * user is forgotten.
 */
export const storeSummary = (
  db: Db,
  projectId: string,
  session: Session,
  { summary, tokens, upto }: { summary: string; tokens: number; upto: number },
): Promise<boolean> =>
  db.write((sql) => {
    const { changes } = sql.run(
      `UPDATE memory_sessions SET summary = ?, summary_tokens = ?, summary_upto = ?, summary_version = summary_version + 1
        WHERE id = ? AND project_id = ? AND summary_version = ?`,
      summary,
      tokens,
      upto,
      session.id,
      projectId,
      session.summaryVersion,
    );
    if (changes === 0) return false;
    sql.run(
      `DELETE FROM memory_messages WHERE session = ?1 AND sequence <= ?2
        AND sequence < (SELECT next_sequence FROM memory_sessions WHERE id = ?1) - ?3
        AND sequence NOT IN (SELECT max(sequence) FROM memory_messages WHERE session = ?1 AND user_id IS NOT NULL GROUP BY user_id)`,
      session.id,
      upto,
      BOUNDS.sessionMessages,
    );
    recount(sql, session.id);
    return true;
  });
