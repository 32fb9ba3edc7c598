/** The sessions table. Expired sessions are treated as deleted, even before they are swept. */
import { limitExceeded } from "../api-error.ts";
import type { Db, Sql, Value } from "../database/database.ts";
import { HOUR_MS } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Session } from "./session.ts";

const COLUMNS = `id, session_id AS sessionId, message_count AS messageCount, token_count AS tokenCount, summary,
  summary_tokens AS summaryTokens, summary_upto AS summaryUpto, summary_version AS summaryVersion,
  created_at AS createdAtMs, updated_at AS updatedAtMs, expires_at AS expiresAtMs`;

type Reading = Pick<Sql, "get">;

const readSession = (sql: Reading, projectId: string, sessionId: string, nowMs: number): Session | undefined =>
  sql.get<Session>(
    `SELECT ${COLUMNS} FROM memory_sessions WHERE project_id = ? AND session_id = ? AND expires_at > ?`,
    projectId,
    sessionId,
    nowMs,
  );

/** Sessions without any turn are not shown. */
export const findSession = (sql: Reading, projectId: string, sessionId: string, nowMs: number): Session | undefined => {
  const session = readSession(sql, projectId, sessionId, nowMs);
  return session && session.updatedAtMs > 0 ? session : undefined;
};

/** The most recently used first. */
export const listSessions = (
  db: Db,
  projectId: string,
  { nowMs, limit, offset }: { nowMs: number; limit: number; offset: number },
): { sessions: Session[]; total: number } => {
  const where = "project_id = ? AND expires_at > ? AND updated_at > 0";
  const sessions = db.all<Session>(
    `SELECT ${COLUMNS} FROM memory_sessions WHERE ${where} ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ?`,
    projectId,
    nowMs,
    limit,
    offset,
  );
  const { total } = db.get<{ total: number }>(`SELECT count(*) AS total FROM memory_sessions WHERE ${where}`, projectId, nowMs)!;
  return { sessions, total };
};

/** Longer than any call: a session that is older and has no turn belongs to a call that failed. The first turn prolongs it. */
const OPENED_MS = HOUR_MS;

export type Holding = {
  /** Most sessions that the tier allows. */
  most: number;
  nowMs: number;
  expiresAtMs: number;
};

/**
 * The session, created if it does not exist. Counts and inserts in one transaction, so that parallel calls never exceed the tier's limit;
 * throws 403 `limit_exceeded`.
 */
export const openSession = (db: Db, projectId: string, sessionId: string, holding: Holding): Promise<Session> =>
  db.write((sql) => openWithin(sql, projectId, sessionId, holding));

export const openWithin = (sql: Sql, projectId: string, sessionId: string, { most, nowMs }: Holding): Session => {
  const there = readSession(sql, projectId, sessionId, nowMs);
  if (there !== undefined) return there;
  sql.run("DELETE FROM memory_sessions WHERE project_id = ? AND session_id = ?", projectId, sessionId);
  const { held } = sql.get<{ held: number }>(
    "SELECT count(*) AS held FROM memory_sessions WHERE project_id = ? AND expires_at > ?",
    projectId,
    nowMs,
  )!;
  if (held >= most) throw limitExceeded("memory sessions", most, held);
  sql.insert("memory_sessions", {
    id: newId("sess"),
    project_id: projectId,
    session_id: sessionId,
    created_at: nowMs,
    updated_at: 0,
    expires_at: nowMs + OPENED_MS,
  });
  return readSession(sql, projectId, sessionId, nowMs)!;
};

export const deleteSession = (db: Db, projectId: string, sessionId: string, nowMs: number): Promise<boolean> =>
  db.write(
    (sql) =>
      sql.run(
        "DELETE FROM memory_sessions WHERE project_id = ? AND session_id = ? AND expires_at > ? AND updated_at > 0",
        projectId,
        sessionId,
        nowMs,
      ).changes > 0,
  );

const UNUSED = "project_id = ? AND session_id = ? AND updated_at = 0";

/** Opened, but without any turn. */
export const isUnusedSession = (db: Db, projectId: string, sessionId: string): boolean =>
  db.get(`SELECT 1 FROM memory_sessions WHERE ${UNUSED}`, projectId, sessionId) !== undefined;

export const deleteUnusedSession = (db: Db, projectId: string, sessionId: string): Promise<void> =>
  db.write((sql) => void sql.run(`DELETE FROM memory_sessions WHERE ${UNUSED}`, projectId, sessionId));

/** Looked at, and deleted, in one commit. */
export const SESSIONS_AT_ONCE = 20;
export const MESSAGES_AT_ONCE = 500;

/** Deletes some of those sessions, and of a long one some messages, so that no commit is long. False if there were none. */
const deleteSome = (db: Db, where: string, ...params: Value[]): Promise<boolean> =>
  db.write((sql) => {
    const found = sql.all<{ id: string }>(`SELECT id FROM memory_sessions WHERE ${where} LIMIT ?`, ...params, SESSIONS_AT_ONCE);
    let room = MESSAGES_AT_ONCE;
    for (const { id } of found) {
      room -= sql.run(
        `DELETE FROM memory_messages
         WHERE session = ?1 AND sequence IN (SELECT sequence FROM memory_messages WHERE session = ?1 LIMIT ?2)`,
        id,
        room,
      ).changes;
      if (room === 0) break;
      sql.run("DELETE FROM memory_sessions WHERE id = ?", id);
    }
    return found.length > 0;
  });

export const deleteSomeExpiredSessions = (db: Db, nowMs: number): Promise<boolean> => deleteSome(db, "expires_at <= ?", nowMs);

export const deleteSomeSessionsOf = (db: Db, projectId: string): Promise<boolean> => deleteSome(db, "project_id = ?", projectId);
