/** Stored policies. Their order is the order of evaluation: priority, then age. */

import { limitExceeded } from "../api-error.ts";
import type { Db } from "../database/database.ts";
import type { Policy } from "./policy.ts";

type Row = Omit<Policy, "config" | "enabled"> & { config: string; enabled: number };

const SELECT = `SELECT id, name, policy_type AS type, config, priority, enabled, template, created_at AS createdAtMs,
  updated_at AS updatedAtMs FROM policies`;
const IN_ORDER = "ORDER BY priority, created_at, id";

const toPolicy = (row: Row): Policy => ({ ...row, config: JSON.parse(row.config), enabled: row.enabled === 1 }) as Policy;

export const listPolicies = async (db: Db, projectId: string): Promise<Policy[]> =>
  db.all<Row>(`${SELECT} WHERE project_id = ? ${IN_ORDER}`, projectId).map(toPolicy);

export const findPolicy = async (db: Db, projectId: string, id: string): Promise<Policy | undefined> => {
  const row = db.get<Row>(`${SELECT} WHERE project_id = ? AND id = ?`, projectId, id);
  return row && toPolicy(row);
};

/** Counts and inserts in one transaction, so that parallel requests never hold more than `most`; throws 403 `limit_exceeded`. */
export const insertPolicy = (db: Db, projectId: string, policy: Policy, most: number): Promise<void> =>
  db.write((sql) => {
    const { held } = sql.get<{ held: number }>("SELECT count(*) AS held FROM policies WHERE project_id = ?", projectId)!;
    if (held >= most) throw limitExceeded("policies", most, held);
    sql.run(
      `INSERT INTO policies (id, name, policy_type, config, priority, enabled, template, created_at, updated_at, project_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      policy.id,
      policy.name,
      policy.type,
      JSON.stringify(policy.config),
      policy.priority,
      policy.enabled ? 1 : 0,
      policy.template,
      policy.createdAtMs,
      policy.updatedAtMs,
      projectId,
    );
  });

/** Reads, changes and writes in one transaction. Undefined where the project has no such policy. */
export const updatePolicy = (
  db: Db,
  projectId: string,
  id: string,
  change: (policy: Policy) => Policy,
): Promise<Policy | undefined> =>
  db.write((sql) => {
    const row = sql.get<Row>(`${SELECT} WHERE project_id = ? AND id = ?`, projectId, id);
    if (row === undefined) return undefined;
    const changed = change(toPolicy(row));
    sql.run(
      "UPDATE policies SET name = ?, config = ?, priority = ?, enabled = ?, updated_at = ?, version = version + 1 WHERE project_id = ? AND id = ?",
      changed.name,
      JSON.stringify(changed.config),
      changed.priority,
      changed.enabled ? 1 : 0,
      changed.updatedAtMs,
      projectId,
      id,
    );
    return changed;
  });

export const deletePolicy = (db: Db, projectId: string, id: string): Promise<boolean> =>
  db.write((sql) => sql.run("DELETE FROM policies WHERE project_id = ? AND id = ?", projectId, id).changes > 0);

/** Changes whenever an enabled policy of the project does, whichever process changed it; read from the index alone. */
export const stampOfPolicies = (db: Db, projectId: string): string =>
  db
    .all<{ id: string; version: number }>(
      `SELECT id, version FROM policies WHERE project_id = ? AND enabled = 1 ${IN_ORDER}`,
      projectId,
    )
    .map(({ id, version }) => `${id} ${version}`)
    .join(" ");
