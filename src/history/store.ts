/** The history of changes: written in the transaction of each change, so that a crash leaves both or neither. */

import type { Db, Sql, Value } from "../database/database.ts";
import type { Author } from "./author.ts";
import { type Change, type Fields, type Kind, kindOf } from "./change.ts";

/** Call it inside the unit of work that makes the change; of a project that is deleted, before it is. */
export const recordChange = (sql: Sql, by: Author, { action, id, name, projectId, fields }: Change): void => {
  if (fields !== undefined && Object.keys(fields).length === 0) return;
  const project = sql.get<{ name: string }>("SELECT name FROM projects WHERE id = ?", projectId ?? null);
  sql.insert("history", {
    changed_at: by.atMs,
    actor: by.actor,
    member: by.member,
    key_id: by.key?.id,
    key_name: by.key?.name,
    ip: by.ip,
    action,
    kind: kindOf(action),
    object_id: id,
    object_name: name,
    project_id: projectId,
    project_name: project?.name,
    fields: JSON.stringify(fields ?? {}),
  });
};

export type RecordedChange = {
  seq: number;
  changedAtMs: number;
  actor: Author["actor"];
  member: string | null;
  keyId: string | null;
  keyName: string | null;
  ip: string | null;
  action: Change["action"];
  objectId: string | null;
  objectName: string | null;
  projectId: string | null;
  projectName: string | null;
  fields: Fields;
};

/** `project`: its id, or a name that it had. `fromMs` is included, `untilMs` is not. */
export type HistoryFilter = {
  project?: string | undefined;
  kind?: string | undefined;
  fromMs?: number | undefined;
  untilMs?: number | undefined;
};

/** A page of it, newest first, read beside the serving thread. */
export const listChanges = async (
  db: Db,
  filter: HistoryFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ changes: RecordedChange[]; total: number }> => {
  const { where, params } = conditionsOf(filter);
  const [rows, [sum]] = await Promise.all([
    db.scan<Omit<RecordedChange, "fields"> & { fields: string }>(
      `SELECT seq, changed_at AS changedAtMs, actor, member, key_id AS keyId, key_name AS keyName, ip, action, object_id AS objectId,
        object_name AS objectName, project_id AS projectId, project_name AS projectName, fields
        FROM history ${where} ORDER BY changed_at DESC, seq DESC LIMIT ? OFFSET ?`,
      [...params, limit, offset],
    ),
    db.scan<{ total: number }>(`SELECT count(*) AS total FROM history ${where}`, params),
  ]);
  return { changes: rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as Fields })), total: sum!.total };
};

const conditionsOf = ({ project, kind, fromMs, untilMs }: HistoryFilter): { where: string; params: Value[] } => {
  const conditions: [text: string, value: Value | undefined][] = [
    ["? IN (project_id, project_name)", project],
    ["kind = ?", kind],
    ["changed_at >= ?", fromMs],
    ["changed_at < ?", untilMs],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  const where = given.length === 0 ? "" : `WHERE ${given.map(([text]) => text).join(" AND ")}`;
  return { where, params: given.map(([, value]) => value!) };
};

const DELETED_AT_ONCE = 500;

/** Deletes some that are older; false when none is left. */
export const deleteSomeChangesBefore = (db: Db, beforeMs: number): Promise<boolean> =>
  deleteSome(db, "WHERE changed_at < ? ORDER BY changed_at LIMIT ?", [beforeMs, DELETED_AT_ONCE]);

/** Deletes some of a kind beyond the newest `most`; false when none is left. */
export const deleteSomeChangesOver = (db: Db, kind: Kind, most: number): Promise<boolean> =>
  deleteSome(db, "WHERE kind = ? ORDER BY changed_at DESC, seq DESC LIMIT ? OFFSET ?", [kind, DELETED_AT_ONCE, most]);

/** Where there is nothing, which is almost always, nothing is written. */
const deleteSome = async (db: Db, which: string, params: Value[]): Promise<boolean> => {
  const found = db.all<{ seq: number }>(`SELECT seq FROM history ${which}`, ...params).map(({ seq }) => seq);
  if (found.length === 0) return false;
  await db.write((sql) => sql.run("DELETE FROM history WHERE seq IN (SELECT value FROM json_each(?))", JSON.stringify(found)));
  return true;
};
