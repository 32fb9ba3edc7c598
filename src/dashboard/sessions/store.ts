/** Stores sessions, with only a digest of each secret (safety-notes T11). */

import type { Role } from "../../accounts/member.ts";
import type { Db, Sql } from "../../database/database.ts";

/** `name` and `role` are a member's; the operator has none. */
export type Session = { secretHash: string; createdAtMs: number; seenAtMs: number; name: string | null; role: Role | null };

/** False, and nothing is stored, if `may` says no. */
export const insertSession = (
  db: Db,
  secretHash: string,
  from: { member: string | null; ip: string | null; userAgent: string | null },
  now: number,
  may = (_sql: Sql) => true,
): Promise<boolean> =>
  db.write((sql) => {
    if (!may(sql)) return false;
    sql.insert("dashboard_sessions", {
      secret_hash: secretHash,
      member: from.member,
      ip: from.ip,
      user_agent: from.userAgent?.slice(0, 300),
      created_at: now,
      seen_at: now,
    });
    return true;
  });

/** A member's role is read anew each time, so that a change holds at once. */
export const findSession = (db: Db, secretHash: string): Session | undefined =>
  db.get<Session>(
    `SELECT secret_hash AS secretHash, dashboard_sessions.created_at AS createdAtMs, seen_at AS seenAtMs, name, role
      FROM dashboard_sessions LEFT JOIN members ON name = member WHERE secret_hash = ? AND (member IS NULL OR name IS NOT NULL)`,
    secretHash,
  );

export const updateSeen = (db: Db, secretHash: string, now: number): Promise<void> =>
  db.write((sql) => void sql.run("UPDATE dashboard_sessions SET seen_at = ? WHERE secret_hash = ?", now, secretHash));

export const deleteSession = (db: Db, secretHash: string): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM dashboard_sessions WHERE secret_hash = ?", secretHash));

/** Signs out the other browsers of the same member, or of the operator, after a change of password. */
export const deleteOtherSessions = (db: Db, { secretHash, name }: Pick<Session, "secretHash" | "name">): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM dashboard_sessions WHERE secret_hash <> ? AND member IS ?", secretHash, name));

export const deleteSessionsBefore = (db: Db, limits: { createdAtMs: number; seenAtMs: number }): Promise<void> =>
  db.write(
    (sql) =>
      void sql.run("DELETE FROM dashboard_sessions WHERE created_at < ? OR seen_at < ?", limits.createdAtMs, limits.seenAtMs),
  );
