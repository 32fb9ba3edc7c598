/** The messages of sessions: appending turns, reading, clearing, and deleting those of a forgotten user. */
import type { Db, Sql } from "../database/database.ts";
import type { ChatMessage } from "../providers/provider.ts";
import type { Session, StoredMessage } from "./session.ts";
import { findSession, type Holding, MESSAGES_AT_ONCE, openWithin, SESSIONS_AT_ONCE } from "./store.ts";

export type NewMessage = { message: ChatMessage; tokens: number };

/**
 * Appends a turn in one transaction, so that turns of simultaneous calls never mix. `messages` returns what is new of the turn, given the
 * last `tailLength` messages of the session.
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
      sql.insert("memory_messages", {
        session: id,
        sequence: next + index,
        project_id: projectId,
        message: JSON.stringify(message),
        tokens,
        user_id: turn.userId,
        created_at: nowMs,
      });
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

type MessageRow = Omit<StoredMessage, "message"> & { message: string };

const COLUMNS = "sequence, message, tokens, created_at AS createdAtMs";

const toMessage = (row: MessageRow): StoredMessage => ({ ...row, message: JSON.parse(row.message) });

const tailWithin = (sql: Sql, id: string, length: number): ChatMessage[] =>
  sql
    .all<MessageRow>(`SELECT ${COLUMNS} FROM memory_messages WHERE session = ? ORDER BY sequence DESC LIMIT ?`, id, length)
    .map((row) => toMessage(row).message)
    .reverse();

/** In order; at most the newest `most`. */
export const messagesAfter = (db: Db, projectId: string, session: Session, sequence: number, most = 100_000): StoredMessage[] =>
  db
    .all<MessageRow>(
      `SELECT ${COLUMNS} FROM memory_messages WHERE session = ? AND project_id = ? AND sequence > ? ORDER BY sequence DESC LIMIT ?`,
      session.id,
      projectId,
      sequence,
      most,
    )
    .map(toMessage)
    .reverse();

/** Clears a session but keeps it; undefined if there is none, else the number of removed messages. */
export const clearSession = (db: Db, projectId: string, sessionId: string, nowMs: number): Promise<number | undefined> =>
  db.write((sql) => {
    const session = findSession(sql, projectId, sessionId, nowMs);
    if (session === undefined) return undefined;
    sql.run("DELETE FROM memory_messages WHERE session = ?", session.id);
    sql.run(
      `UPDATE memory_sessions SET message_count = 0, token_count = 0, summary = NULL, summary_tokens = 0,
        summary_upto = next_sequence - 1, summary_version = summary_version + 1, updated_at = ? WHERE id = ?`,
      nowMs,
      session.id,
    );
    return session.messageCount;
  });

/** Call it after messages were removed: updates the session's counts. */
export const recount = (sql: Sql, id: string): void => {
  sql.run(
    `UPDATE memory_sessions SET message_count = (SELECT count(*) FROM memory_messages WHERE session = ?1),
      token_count = (SELECT coalesce(sum(tokens), 0) FROM memory_messages WHERE session = ?1 AND sequence > summary_upto) WHERE id = ?1`,
    id,
  );
};

/**
 * Deletes some of a user's messages and their answers; false if there were none. A summary that covers any of them goes too; the other
 * users' messages are then summarised again, since they are still there.
 */
export const deleteSomeMessagesOfUser = (db: Db, projectId: string, userId: string): Promise<boolean> =>
  db.write((sql) => {
    const touched = sql.all<{ id: string; first: number }>(
      "SELECT session AS id, min(sequence) AS first FROM memory_messages WHERE project_id = ? AND user_id = ? GROUP BY session LIMIT ?",
      projectId,
      userId,
      SESSIONS_AT_ONCE,
    );
    let room = MESSAGES_AT_ONCE;
    for (const { id, first } of touched) {
      if (room === 0) break;
      room -= sql.run(
        `DELETE FROM memory_messages WHERE session = ?1 AND sequence IN (
          SELECT sequence FROM memory_messages WHERE session = ?1 AND user_id = ?2 ORDER BY sequence LIMIT ?3)`,
        id,
        userId,
        room,
      ).changes;
      sql.run(
        "UPDATE memory_sessions SET summary = NULL, summary_tokens = 0, summary_upto = 0 WHERE id = ? AND summary_upto >= ?",
        id,
        first,
      );
      // Even if no summary covers them yet, because one may be in progress.
      sql.run("UPDATE memory_sessions SET summary_version = summary_version + 1 WHERE id = ?", id);
      recount(sql, id);
      sql.run("DELETE FROM memory_sessions WHERE id = ? AND message_count = 0", id);
    }
    return touched.length > 0;
  });
