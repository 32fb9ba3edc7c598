/** Stored answers by project, route and key. A `running` row belongs to the request whose id it carries. */

import type { Db, Value } from "../../database/database.ts";
import { DAY_MS } from "../../lib/clock.ts";

export type IdempotencyPlace = { projectId: string; route: string; key: string };
export type StoredAnswer = { status: number; headers: [string, string][]; body: Uint8Array };
/** Without its body, which may be large. */
export type EarlierAnswer = Omit<StoredAnswer, "body"> & { bodyBytes: number };
export type IdempotencyState =
  | { kind: "new" }
  | { kind: "running" }
  | { kind: "mismatch" }
  | { kind: "done"; answer: EarlierAnswer };

const KEPT_MS = DAY_MS;

const AT_PLACE = "project_id = ? AND route = ? AND idempotency_key = ?";
const placed = ({ projectId, route, key }: IdempotencyPlace) => [projectId, route, key] as const;

type Row = {
  body_hash: string;
  state: string;
  status: number | null;
  headers: string | null;
  body_bytes: number | null;
  owner: string;
  created_at: number;
};

type Begin = {
  bodyHash: string;
  owner: string;
  now: number;
  /** A request that began longer ago than this is not waited for any more. */
  longestRunMs: number;
  /** Requests that this process is still answering; all others will never finish. */
  underWay: ReadonlySet<string>;
};

export const beginIdempotent = (
  db: Db,
  place: IdempotencyPlace,
  { bodyHash, owner, now, longestRunMs, underWay }: Begin,
): Promise<IdempotencyState> =>
  db.write((sql): IdempotencyState => {
    const row = sql.get<Row>(
      `SELECT body_hash, state, status, headers, length(body) AS body_bytes, owner, created_at
       FROM idempotency_keys WHERE ${AT_PLACE}`,
      ...placed(place),
    );
    const isLeft = row?.state === "running" && !underWay.has(row.owner);
    if (row === undefined || isLeft || now - row.created_at > (row.state === "running" ? longestRunMs : KEPT_MS)) {
      sql.run(
        `INSERT OR REPLACE INTO idempotency_keys (project_id, route, idempotency_key, body_hash, state, owner, created_at)
         VALUES (?, ?, ?, ?, 'running', ?, ?)`,
        ...placed(place),
        bodyHash,
        owner,
        now,
      );
      return { kind: "new" };
    }
    if (row.body_hash !== bodyHash) return { kind: "mismatch" };
    if (row.state === "running") return { kind: "running" };
    return {
      kind: "done",
      answer: { status: row.status!, headers: JSON.parse(row.headers!), bodyBytes: row.body_bytes ?? 0 },
    };
  });

/** Whether a request with this key has been seen, answered or not. */
export const isClaimed = (db: Db, place: IdempotencyPlace): boolean =>
  db.get(`SELECT 1 FROM idempotency_keys WHERE ${AT_PLACE}`, ...placed(place)) !== undefined;

/** Undefined if the answer is no longer stored. */
export const findAnswerBody = (db: Db, place: IdempotencyPlace): Uint8Array<ArrayBuffer> | undefined =>
  db.get<{ body: Uint8Array<ArrayBuffer> }>(
    `SELECT coalesce(body, x'') AS body FROM idempotency_keys WHERE ${AT_PLACE} AND state = 'done'`,
    ...placed(place),
  )?.body;

export const finishIdempotent = (db: Db, place: IdempotencyPlace, owner: string, answer: StoredAnswer): Promise<void> =>
  db.write((sql) => {
    const stored = [answer.status, JSON.stringify(answer.headers), answer.body] as const;
    const sets = "state = 'done', status = ?, headers = ?, body = ?";
    sql.run(`UPDATE idempotency_keys SET ${sets} WHERE ${AT_PLACE} AND owner = ?`, ...stored, ...placed(place), owner);
  });

export const forgetIdempotent = (db: Db, place: IdempotencyPlace, owner: string): Promise<void> =>
  db.write((sql) => void sql.run(`DELETE FROM idempotency_keys WHERE ${AT_PLACE} AND owner = ?`, ...placed(place), owner));

const ROWS_AT_ONCE = 100;
const BYTES_AT_ONCE = 2_000_000;

/** Deletes some of those rows, so few that no commit is long: each may hold megabytes. False if there were none. */
const deleteSome = (db: Db, where: string, ...params: Value[]): Promise<boolean> =>
  db.write((sql) => {
    const found = sql.all<{ rowid: number; bytes: number }>(
      `SELECT rowid, coalesce(length(body), 0) AS bytes FROM idempotency_keys WHERE ${where} LIMIT ?`,
      ...params,
      ROWS_AT_ONCE,
    );
    let room = BYTES_AT_ONCE;
    for (const { rowid, bytes } of found) {
      sql.run("DELETE FROM idempotency_keys WHERE rowid = ?", rowid);
      room -= bytes;
      if (room <= 0) break;
    }
    return found.length > 0;
  });

export const deleteSomeOldAnswers = (db: Db, now: number): Promise<boolean> => deleteSome(db, "created_at < ?", now - KEPT_MS);

export const deleteSomeAnswersOf = (db: Db, projectId: string): Promise<boolean> => deleteSome(db, "project_id = ?", projectId);

/** The answers to these requests. */
export const deleteSomeAnswersTo = (db: Db, projectId: string, requestIds: readonly string[]): Promise<boolean> =>
  deleteSome(db, "project_id = ? AND owner IN (SELECT value FROM json_each(?))", projectId, JSON.stringify(requestIds));
