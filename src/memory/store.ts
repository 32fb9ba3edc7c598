/** Sessions and their messages. A session whose time is over is as if it were not there, also before it is swept. */
import { limitExceeded } from "../api-error.ts";
import type { Db, Sql } from "../database/database.ts";
import { newId } from "../lib/ids.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { ChatMessage } from "../providers/provider.ts";
import type { Session, StoredMessage } from "./session.ts";

type SessionRow = {
  id: string;
  session_id: string;
  message_count: number;
  token_count: number;
  summary: string | null;
  summary_tokens: number;
  summary_upto: number;
  summary_version: number;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

const COLUMNS = `id, session_id, message_count, token_count, summary, summary_tokens, summary_upto, summary_version,
  created_at, updated_at, expires_at`;

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  sessionId: row.session_id,
  messageCount: row.message_count,
  tokenCount: row.token_count,
  summary: row.summary,
  summaryTokens: row.summary_tokens,
  summaryUpto: row.summary_upto,
  summaryVersion: row.summary_version,
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
  expiresAtMs: row.expires_at,
});

type Reading = Pick<Sql, "get">;

const readSession = (sql: Reading, projectId: string, sessionId: string, nowMs: number): Session | undefined => {
  const row = sql.get<SessionRow>(
    `SELECT ${COLUMNS} FROM memory_sessions WHERE project_id = ? AND session_id = ? AND expires_at > ?`,
    projectId,
    sessionId,
    nowMs,
  );
  return row && toSession(row);
};

/** A session that was opened but never held a turn is not shown. */
export const findSession = async (db: Db, projectId: string, sessionId: string, nowMs: number): Promise<Session | undefined> => {
  const session = readSession(db, projectId, sessionId, nowMs);
  return session && session.updatedAtMs > 0 ? session : undefined;
};

/** The one used last comes first. */
export const listSessions = async (
  db: Db,
  projectId: string,
  { nowMs, limit, offset }: { nowMs: number; limit: number; offset: number },
): Promise<{ sessions: Session[]; total: number }> => {
  const where = "project_id = ? AND expires_at > ? AND updated_at > 0";
  const rows = db.all<SessionRow>(
    `SELECT ${COLUMNS} FROM memory_sessions WHERE ${where} ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ?`,
    projectId,
    nowMs,
    limit,
    offset,
  );
  const { total } = db.get<{ total: number }>(`SELECT count(*) AS total FROM memory_sessions WHERE ${where}`, projectId, nowMs)!;
  return { sessions: rows.map(toSession), total };
};

export type Holding = {
  /** Sessions that the tier holds. */
  most: number;
  nowMs: number;
  expiresAtMs: number;
};

/**
 * The session, made where it is not there. Counts and inserts in one transaction, so that parallel calls never hold more than the tier
 * allows; throws 403 `limit_exceeded`.
 */
export const openSession = (db: Db, projectId: string, sessionId: string, holding: Holding): Promise<Session> =>
  db.write((sql) => openWithin(sql, projectId, sessionId, holding));

const openWithin = (sql: Sql, projectId: string, sessionId: string, { most, nowMs, expiresAtMs }: Holding): Session => {
  const there = readSession(sql, projectId, sessionId, nowMs);
  if (there !== undefined) return there;
  sql.run("DELETE FROM memory_sessions WHERE project_id = ? AND session_id = ?", projectId, sessionId);
  const { held } = sql.get<{ held: number }>(
    "SELECT count(*) AS held FROM memory_sessions WHERE project_id = ? AND expires_at > ?",
    projectId,
    nowMs,
  )!;
  if (held >= most) throw limitExceeded(`This project's tier holds ${most} memory sessions; ${held} are kept.`, most, held);
  sql.run(
    "INSERT INTO memory_sessions (id, project_id, session_id, created_at, updated_at, expires_at) VALUES (?, ?, ?, ?, 0, ?)",
    newId("sess"),
    projectId,
    sessionId,
    nowMs,
    expiresAtMs,
  );
  return readSession(sql, projectId, sessionId, nowMs)!;
};

export type NewMessage = { message: ChatMessage; tokens: number };

/**
 * Appends the turn behind what is stored, all of it in one transaction: turns of simultaneous calls never mix. `messages` gives what of
 * the turn is new, seeing the last `tailLength` messages of the session.
 */
export const appendTurn = (
  db: Db,
  projectId: string,
  sessionId: string,
  turn: { holding: Holding; userId: string | null; messages: (tail: ChatMessage[]) => NewMessage[]; tailLength: number },
): Promise<void> =>
  db.write((sql) => {
    const { id } = openWithin(sql, projectId, sessionId, turn.holding);
    const { next } = sql.get<{ next: number }>("SELECT next_sequence AS next FROM memory_sessions WHERE id = ?", id)!;
    const added = turn.messages(tailWithin(sql, id, turn.tailLength));
    const { nowMs, expiresAtMs } = turn.holding;
    for (const [index, { message, tokens }] of added.entries()) {
      sql.run(
        "INSERT INTO memory_messages (session, sequence, project_id, message, tokens, user_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        id,
        next + index,
        projectId,
        JSON.stringify(message),
        tokens,
        turn.userId,
        nowMs,
      );
    }
    sql.run(
      `UPDATE memory_sessions SET next_sequence = next_sequence + ?, message_count = message_count + ?, token_count = token_count + ?,
        updated_at = ?, expires_at = ? WHERE id = ?`,
      added.length,
      added.length,
      added.reduce((sum, { tokens }) => sum + tokens, 0),
      nowMs,
      expiresAtMs,
      id,
    );
  });

type MessageRow = { sequence: number; message: string; tokens: number; created_at: number };

const toMessage = (row: MessageRow): StoredMessage => ({
  sequence: row.sequence,
  message: JSON.parse(row.message),
  tokens: row.tokens,
  createdAtMs: row.created_at,
});

const tailWithin = (sql: Sql, id: string, length: number): ChatMessage[] =>
  sql
    .all<MessageRow>("SELECT * FROM memory_messages WHERE session = ? ORDER BY sequence DESC LIMIT ?", id, length)
    .map((row) => toMessage(row).message)
    .reverse();

/** In order; at most the newest `most`. */
export const messagesAfter = async (
  db: Db,
  projectId: string,
  session: Session,
  sequence: number,
  most = 100_000,
): Promise<StoredMessage[]> =>
  db
    .all<MessageRow>(
      "SELECT sequence, message, tokens, created_at FROM memory_messages WHERE session = ? AND project_id = ? AND sequence > ? ORDER BY sequence DESC LIMIT ?",
      session.id,
      projectId,
      sequence,
      most,
    )
    .map(toMessage)
    .reverse();

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
 * Compare-and-set on the version that was read: false where the session was cleared, deleted or summarised meanwhile. What is
 * summarised stays to be read, but for the oldest of very many messages.
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
        AND sequence < (SELECT next_sequence FROM memory_sessions WHERE id = ?1) - ?3`,
      session.id,
      upto,
      BOUNDS.sessionMessages,
    );
    recount(sql, session.id);
    return true;
  });

const recount = (sql: Sql, id: string): void => {
  sql.run(
    `UPDATE memory_sessions SET message_count = (SELECT count(*) FROM memory_messages WHERE session = ?1),
      token_count = (SELECT coalesce(sum(tokens), 0) FROM memory_messages WHERE session = ?1 AND sequence > summary_upto) WHERE id = ?1`,
    id,
  );
};

/** Empties a session that stays; undefined where there is none, else how many messages went. */
export const clearSession = (db: Db, projectId: string, sessionId: string, nowMs: number): Promise<number | undefined> =>
  db.write((sql) => {
    const session = readSession(sql, projectId, sessionId, nowMs);
    if (session === undefined || session.updatedAtMs === 0) return undefined;
    sql.run("DELETE FROM memory_messages WHERE session = ?", session.id);
    sql.run(
      `UPDATE memory_sessions SET message_count = 0, token_count = 0, summary = NULL, summary_tokens = 0,
        summary_upto = next_sequence - 1, summary_version = summary_version + 1, updated_at = ? WHERE id = ?`,
      nowMs,
      session.id,
    );
    return session.messageCount;
  });

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

/** Opened, and never held a turn. */
export const isUnusedSession = (db: Db, projectId: string, sessionId: string): boolean =>
  db.get(`SELECT 1 FROM memory_sessions WHERE ${UNUSED}`, projectId, sessionId) !== undefined;

export const deleteUnusedSession = (db: Db, projectId: string, sessionId: string): Promise<void> =>
  db.write((sql) => void sql.run(`DELETE FROM memory_sessions WHERE ${UNUSED}`, projectId, sessionId));

/** How many sessions went, at most `batch`: those whose time is over, and those opened before `openedBeforeMs` that never held a turn. */
export const deleteExpiredSessions = (db: Db, nowMs: number, openedBeforeMs: number, batch: number): Promise<number> =>
  db.write(
    (sql) =>
      sql.run(
        `DELETE FROM memory_sessions WHERE id IN (
          SELECT id FROM memory_sessions WHERE expires_at <= ? OR (updated_at = 0 AND created_at < ?) LIMIT ?)`,
        nowMs,
        openedBeforeMs,
        batch,
      ).changes,
  );

/**
 * Deletes what a user said and was answered, within the caller's transaction. A summary that covers any of it goes too; what others said
 * is then summarised anew, since their messages are still there.
 */
export const deleteMessagesOfUser = (sql: Sql, projectId: string, userId: string): void => {
  const touched = sql.all<{ id: string; first: number }>(
    "SELECT session AS id, min(sequence) AS first FROM memory_messages WHERE project_id = ? AND user_id = ? GROUP BY session",
    projectId,
    userId,
  );
  sql.run("DELETE FROM memory_messages WHERE project_id = ? AND user_id = ?", projectId, userId);
  for (const { id, first } of touched) {
    sql.run(
      "UPDATE memory_sessions SET summary = NULL, summary_tokens = 0, summary_upto = 0 WHERE id = ? AND summary_upto >= ?",
      id,
      first,
    );
    // Also where no summary covers it yet: one may be in the making.
    sql.run("UPDATE memory_sessions SET summary_version = summary_version + 1 WHERE id = ?", id);
    recount(sql, id);
    sql.run("DELETE FROM memory_sessions WHERE id = ? AND message_count = 0", id);
  }
};
