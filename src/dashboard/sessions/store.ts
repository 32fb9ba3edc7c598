/** Stores sessions, with only a digest of each secret (safety-notes T11). */

import type { Db } from "../../database/database.ts";

export type Session = { secretHash: string; createdAtMs: number; seenAtMs: number };
type Row = { secret_hash: string; created_at: number; seen_at: number };

export const insertSession = (
  db: Db,
  secretHash: string,
  from: { ip: string | null; userAgent: string | null },
  now: number,
): Promise<void> =>
  db.write((sql) => {
    sql.insert("dashboard_sessions", {
      secret_hash: secretHash,
      ip: from.ip,
      user_agent: from.userAgent?.slice(0, 300),
      created_at: now,
      seen_at: now,
    });
  });

export const findSession = (db: Db, secretHash: string): Session | undefined => {
  const row = db.get<Row>("SELECT * FROM dashboard_sessions WHERE secret_hash = ?", secretHash);
  return row && { secretHash: row.secret_hash, createdAtMs: row.created_at, seenAtMs: row.seen_at };
};

export const updateSeen = (db: Db, secretHash: string, now: number): Promise<void> =>
  db.write((sql) => void sql.run("UPDATE dashboard_sessions SET seen_at = ? WHERE secret_hash = ?", now, secretHash));

export const deleteSession = (db: Db, secretHash: string): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM dashboard_sessions WHERE secret_hash = ?", secretHash));

/** Signs out all other browsers after a change of password. */
export const deleteOtherSessions = (db: Db, secretHash: string): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM dashboard_sessions WHERE secret_hash <> ?", secretHash));

export const deleteSessionsBefore = (db: Db, limits: { createdAtMs: number; seenAtMs: number }): Promise<void> =>
  db.write(
    (sql) =>
      void sql.run("DELETE FROM dashboard_sessions WHERE created_at < ? OR seen_at < ?", limits.createdAtMs, limits.seenAtMs),
  );
