/** Reads the ledger: calls of a range outside segments, pieces of exports, single calls. */

import type { Database as Connection } from "bun:sqlite";
import type { Mode } from "../accounts/api-key.ts";
import type { Db, Value } from "../database/database.ts";
import { inScope, modesOf } from "./call-scope.ts";
import type { LogFilter } from "./list/filter.ts";
import { NAMES, type NameColumn } from "./segments/segment-store.ts";
import type { CallRow, PackedCall } from "./store.ts";

export type StoredCall = CallRow & PackedCall;
export type StoredDetail = StoredCall & {
  feedback_score: number | null;
  feedback_comment: string | null;
  shadow_model: string | null;
  shadow_cost_nano_usd: number | null;
  shadow_latency_ms: number | null;
  shadow_comparison: string | null;
};

type Where = { text: string; params: Value[] };

const whereOf = (filter: LogFilter): Where => {
  const scope = inScope(filter);
  const conditions = [scope.text];
  const { params } = scope;
  const add = (condition: string, value: Value | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    params.push(value);
  };
  add("started_at >= ?", filter.fromMs);
  add("started_at < ?", filter.toMs);
  for (const [column, name] of Object.entries(filter.names)) add(`${NAMES[column as NameColumn]} = ?`, name);
  for (const [column, { least, most }] of Object.entries(filter.figures)) {
    add(`${column} >= ?`, least);
    add(`${column} <= ?`, most);
  }
  return { text: conditions.join(" AND "), params };
};

/** The index is named, because SQLite cannot know that one user has few calls and one mode has many. */
const callsOf = (filter: LogFilter): string =>
  `calls INDEXED BY ${filter.names.user_id === undefined ? "calls_by_time" : "calls_by_user"}`;

export const SORT_COLUMNS = {
  timestamp: "started_at",
  cost: "cost_nano_usd",
  latency: "latency_ms",
  tokens: "total_tokens",
} as const;
export type Sort = { by: keyof typeof SORT_COLUMNS; order: "asc" | "desc" };

const COMPANIONS = "LEFT JOIN call_details d ON d.call_seq = c.seq LEFT JOIN call_bodies b ON b.call_seq = c.seq";
const STORED_CALL = "c.*, d.data AS details, b.prompt, b.output";

/** The first calls of a range outside segments. The index holds the figure they are ranked by. Columns: seq, figure. */
export const firstStatement = (filter: LogFilter, { by, order }: Sort, most: number): Where => {
  const column = SORT_COLUMNS[by];
  const { text, params } = whereOf(filter);
  return {
    text: `SELECT seq, ${column} FROM ${callsOf(filter)} WHERE ${text} ORDER BY ${column} ${order}, seq ${order} LIMIT ?`,
    params: [...params, most],
  };
};

/** Counts calls; `withCost` also sums their costs, which requires reading each. */
export const countStatement = (filter: LogFilter, withCost: boolean): Where => {
  const { text, params } = whereOf(filter);
  const cost = withCost ? "coalesce(sum(cost_nano_usd), 0)" : "0";
  return { text: `SELECT count(*) AS count, ${cost} AS costNanoUsd FROM ${callsOf(filter)} WHERE ${text}`, params };
};

/** A call's position in the order of time. */
export type Place = { seq: number; startedAtMs: number };

/**
 * The positions of the next calls by time, after `after`: each is a short read, so that a slow reader pins no snapshot. The calls are read
 * one by one, because each may hold megabytes.
 */
export const placesStatement = (filter: LogFilter, order: "asc" | "desc", limit: number, after?: Place): Where => {
  const rest = after === undefined ? filter : restAfter(filter, order, after);
  const beyond = after === undefined ? "" : ` AND (started_at, seq) ${order === "asc" ? ">" : "<"} (?, ?)`;
  // The index holds each mode's calls in order of time, so SQLite merges the two and reads no further than the page.
  const modes = modesOf(filter).map((mode) => whereOf({ ...rest, mode }));
  return {
    text: `${modes
      .map(({ text }) => `SELECT seq, started_at AS startedAtMs FROM ${callsOf(filter)} WHERE ${text}${beyond}`)
      .join(" UNION ALL ")} ORDER BY startedAtMs ${order}, seq ${order} LIMIT ?`,
    params: [...modes.flatMap(({ params }) => [...params, ...(after ? [after.startedAtMs, after.seq] : [])]), limit],
  };
};

/** The range itself begins at the position; given two bounds, SQLite might use the wrong one and read again what it has read. */
const restAfter = (filter: LogFilter, order: "asc" | "desc", { startedAtMs }: Place): LogFilter =>
  order === "asc" ? { ...filter, fromMs: startedAtMs } : { ...filter, toMs: startedAtMs + 1 };

/** At any time and in any mode; counts no further than `most`. */
export const countOfUser = (connection: Connection, projectId: string, userId: string, most: number): number =>
  connection
    .query<{ count: number }, any[]>(
      "SELECT count(*) AS count FROM (SELECT 1 FROM calls INDEXED BY calls_by_user WHERE project_id = ? AND user_id = ? LIMIT ?)",
    )
    .get(projectId, userId, most)!.count;

/** `name`: a key's or user's id; null for calls without a user. */
export type NamedSums = { name: string | null; calls: number; tokens: number; costNanoUsd: number };
export type SummedRange = { projectId: string; mode: Mode; fromMs: number; toMs: number; column: "key_id" | "user_id" };

export const sumsOfRows = (connection: Connection, { projectId, mode, fromMs, toMs, column }: SummedRange): NamedSums[] =>
  connection
    .query<NamedSums, any[]>(
      `SELECT ${column} AS name, count(*) AS calls, sum(total_tokens) AS tokens, sum(cost_nano_usd) AS costNanoUsd
       FROM calls INDEXED BY calls_by_time WHERE project_id = ? AND mode = ? AND started_at >= ? AND started_at < ? GROUP BY 1`,
    )
    .all(projectId, mode, fromMs, toMs);

/** With the call's `seq` and project: a deleted call's `seq` may be given to the next call, of any project. */
export const CALL_STATEMENT = `SELECT ${STORED_CALL} FROM calls c ${COMPANIONS} WHERE c.seq = ? AND c.project_id = ?`;

export const callOfSeq = (connection: Connection, seq: number, projectId: string): StoredCall | null =>
  connection.query<StoredCall, [number, string]>(CALL_STATEMENT).get(seq, projectId);

/** What one turn of a reader's thread reads of many calls, so that others come in between: so many, or of long ones fewer. */
export const CALLS_A_TURN = 100;
const CHARACTERS_A_TURN = 2_000_000;

/** Returns how many calls were read, deleted ones included: at least one, if there is one. */
export const readSome = (
  connection: Connection,
  { projectId, seqs }: { projectId: string; seqs: readonly number[] },
  take: (call: StoredCall) => void,
): number => {
  let characters = 0;
  let read = 0;
  while (read < Math.min(seqs.length, CALLS_A_TURN) && characters < CHARACTERS_A_TURN) {
    const call = callOfSeq(connection, seqs[read++]!, projectId);
    // Deleted meanwhile.
    if (call === null) continue;
    characters += call.prompt_length + call.output_length;
    take(call);
  }
  return read;
};

export const findCall = async (
  db: Db,
  projectId: string,
  id: string,
  mode: LogFilter["mode"],
): Promise<StoredDetail | undefined> =>
  db.get<StoredDetail>(
    `SELECT ${STORED_CALL}, f.score AS feedback_score, f.comment AS feedback_comment, s.model AS shadow_model,
       s.cost_nano_usd AS shadow_cost_nano_usd, s.latency_ms AS shadow_latency_ms, s.quality_comparison AS shadow_comparison
     FROM calls c ${COMPANIONS} LEFT JOIN call_feedback f ON f.call_seq = c.seq LEFT JOIN call_shadows s ON s.call_seq = c.seq
     WHERE c.id = ? AND c.project_id = ? AND (? = 'all' OR c.mode = ?)`,
    id,
    projectId,
    mode,
    mode,
  );
