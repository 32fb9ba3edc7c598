/** The table of segments (migrations 0014, 0018, 0022 and 0028): its columns, what a range holds, and which calls to pack next. */

import type { Database as Connection } from "bun:sqlite";
import type { Mode } from "../../accounts/api-key.ts";
import type { Sql } from "../../database/database.ts";
import type { Call } from "../call.ts";

/** Calls of one project and mode: from `fromMs` on, before `toMs`. */
export type Range = { projectId: string; mode: Mode; fromMs: number; toMs: number };

/** Columns of names, each with its expression over a row, and of figures: what calls are filtered and sorted by. */
export const NAMES = {
  outcome: "CASE WHEN status < 400 THEN 'success' ELSE 'failed' END",
  task_type: "task_type",
  kind: "kind",
  model: "model",
  key_id: "key_id",
  user_id: "user_id",
  session_id: "session_id",
  fallback_used: "CASE WHEN fallback_used THEN 'true' ELSE 'false' END",
  cache_hit: "CASE WHEN saved_nano_usd IS NULL THEN 'false' ELSE 'true' END",
};
const FIGURES = ["cost_nano_usd", "latency_ms", "total_tokens", "retry_count", "seq", "started_at"] as const;
const COLUMNS = [...Object.keys(NAMES), ...FIGURES];
export type NameColumn = keyof typeof NAMES;
export type FigureColumn = (typeof FIGURES)[number];

export type Segment = { id: number; fromMs: number; toMs: number; calls: number };

/** Filled, and by a program that has all columns: an older one that still runs may have begun it after a newer command migrated the file. */
const COMPLETE = COLUMNS.map((column) => `${column} IS NOT NULL`).join(" AND ");

/** In the order of time. */
export const segmentsOf = (connection: Connection, { projectId, mode, fromMs, toMs }: Range): Segment[] =>
  connection
    .query<Segment, any[]>(
      `SELECT id, from_ms AS fromMs, to_ms AS toMs, calls FROM call_segments INDEXED BY call_segments_by_end
       WHERE project_id = ? AND mode = ? AND to_ms > ? AND from_ms < ? AND ${COMPLETE} ORDER BY to_ms`,
    )
    .all(projectId, mode, fromMs, toMs);

/** A part of a range: a segment, or a gap between two, whose calls are read from their rows. */
export type Part = { mode: Mode; fromMs: number; toMs: number; segment?: Segment };

/** The whole range, in the order of time. A segment at one of its ends may reach beyond it. */
export const partsOf = ({ mode, fromMs, toMs }: Range, segments: readonly Segment[]): Part[] => {
  const parts: Part[] = [];
  let restMs = fromMs;
  for (const segment of segments) {
    if (segment.fromMs > restMs) parts.push({ mode, fromMs: restMs, toMs: segment.fromMs });
    parts.push({ mode, fromMs: segment.fromMs, toMs: segment.toMs, segment });
    restMs = segment.toMs;
  }
  if (restMs < toMs) parts.push({ mode, fromMs: restMs, toMs });
  return parts;
};

const bytesOf = (connection: Connection, { id }: Segment, column: NameColumn | FigureColumn): Uint8Array<ArrayBuffer> =>
  connection
    .query<{ bytes: Uint8Array<ArrayBuffer> }, [number]>(`SELECT ${column} AS bytes FROM call_segments WHERE id = ?`)
    .get(id)!.bytes;

export const figuresOf = (connection: Connection, segment: Segment, column: FigureColumn): Float64Array =>
  new Float64Array(bytesOf(connection, segment, column).buffer);

/** The code of each call, and in `lines` the names in the order of their codes: JSON, each between two line breaks. */
export const namesOf = (connection: Connection, segment: Segment, column: NameColumn): { codes: Uint16Array; lines: string } => {
  const { buffer } = bytesOf(connection, segment, column);
  const codes = new Uint16Array(buffer, 0, segment.calls);
  return { codes, lines: Buffer.from(buffer, codes.byteLength).toString("utf8") };
};

/** -1 if no call of the segment has that name. */
export const codeOf = (lines: string, name: string): number => {
  const at = lines.indexOf(`\n${JSON.stringify(name)}\n`);
  return at < 0 ? -1 : lines.slice(0, at).split("\n").length - 1;
};

/**
 * The next range of at most `most` calls to pack: gaps between two segments as soon as they have calls, and what follows the last one, up
 * to `toMs`, as soon as there are enough.
 */
export const nextToSegment = (connection: Connection, { most, ...whole }: Range & { most: number }): Range | null => {
  const { projectId, mode } = whole;
  const nthStart = connection.query<{ at: number }, any[]>(
    `SELECT started_at AS at FROM calls INDEXED BY calls_by_time
     WHERE project_id = ? AND mode = ? AND started_at >= ? AND started_at < ? ORDER BY started_at LIMIT 1 OFFSET ?`,
  );
  for (const { fromMs, toMs, segment } of partsOf(whole, segmentsOf(connection, whole))) {
    if (segment !== undefined) continue;
    const first = nthStart.get(projectId, mode, fromMs, toMs, 0);
    if (first === null) continue;
    const next = nthStart.get(projectId, mode, fromMs, toMs, most);
    // Calls of the same millisecond stay together, however many they are.
    if (next !== null) return { projectId, mode, fromMs, toMs: Math.max(next.at, first.at + 1) };
    if (toMs < whole.toMs) return { projectId, mode, fromMs, toMs };
  }
  return null;
};

/** The contents of a segment of the range, for `fillSegment`. */
export const columnsOfRange = (connection: Connection, { projectId, mode, fromMs, toMs }: Range) => {
  const rows = connection
    .query(
      `SELECT ${[...Object.values(NAMES), ...FIGURES].join(", ")}
       FROM calls INDEXED BY calls_by_time WHERE project_id = ? AND mode = ? AND started_at >= ? AND started_at < ?`,
    )
    .values(projectId, mode, fromMs, toMs) as any[][];
  const columns = COLUMNS.map((column, n) => {
    const values = rows.map((row) => row[n]);
    return column in NAMES ? packNames(values) : new Uint8Array(Float64Array.from(values).buffer);
  });
  return { calls: rows.length, columns };
};

/** A code of 2 bytes for each call, then the names in the order of their codes, whose JSON contains no line break. */
const packNames = (values: readonly (string | null)[]): Uint8Array => {
  const codes = new Map<string | null, number>();
  for (const value of values) if (!codes.has(value)) codes.set(value, codes.size);
  const perCall = Uint16Array.from(values, (value) => codes.get(value)!);
  const lines = [...codes.keys()].map((name) => `${JSON.stringify(name)}\n`);
  return new Uint8Array(Buffer.concat([new Uint8Array(perCall.buffer), Buffer.from(`\n${lines.join("")}`)]));
};

/** From here on a change to its calls removes the segment. Returns its id; undefined if the range overlaps another's. */
export const beginSegment = (sql: Sql, { projectId, mode, fromMs, toMs }: Range): number | undefined => {
  const { changes, lastInsertRowid } = sql.run(
    `INSERT INTO call_segments (project_id, mode, from_ms, to_ms) SELECT ?1, ?2, ?3, ?4
     WHERE NOT EXISTS (SELECT 1 FROM call_segments WHERE project_id = ?1 AND mode = ?2 AND to_ms > ?3 AND from_ms < ?4)`,
    projectId,
    mode,
    fromMs,
    toMs,
  );
  return changes === 0 ? undefined : lastInsertRowid;
};

/** Does nothing if the segment was removed meanwhile. */
export const fillSegment = (sql: Sql, id: number, { calls, columns }: ReturnType<typeof columnsOfRange>): void => {
  sql.run(
    `UPDATE call_segments SET calls = ?, ${COLUMNS.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
    calls,
    ...columns,
    id,
  );
};

/** Removes the segment of the time in which an added call began, since it does not contain it. */
export const dropSegmentOf = (
  sql: Sql,
  { projectId, mode, startedAtMs }: Pick<Call, "projectId" | "mode" | "startedAtMs">,
): void =>
  void sql.run(
    "DELETE FROM call_segments WHERE project_id = ? AND mode = ? AND to_ms > ? AND from_ms <= ?",
    projectId,
    mode,
    startedAtMs,
    startedAtMs,
  );

/** Left over from a process that was killed, or from an older program. */
export const deleteUnfinishedSegments = (sql: Sql): void => {
  sql.run(`DELETE FROM call_segments WHERE NOT (${COMPLETE})`);
};
