/** Stored policies. Their order is the order of evaluation: priority, then age. */

import { invalidRequest, limitExceeded } from "../api-error.ts";
import type { Db, Sql } from "../database/database.ts";
import type { Author } from "../history/author.ts";
import { recordChange } from "../history/store.ts";
import { changesOfPolicy } from "./changes-of-policy.ts";
import type { Policy } from "./policy.ts";

type Row = Omit<Policy, "config" | "enabled"> & { config: string; enabled: number };

const SELECT = `SELECT id, name, policy_type AS type, config, priority, enabled, template, created_at AS createdAtMs,
  updated_at AS updatedAtMs FROM policies`;
const IN_ORDER = "ORDER BY priority, created_at, id";

const toPolicy = (row: Row): Policy => ({ ...row, config: JSON.parse(row.config), enabled: row.enabled === 1 }) as Policy;

export const listPolicies = async (db: Db, projectId: string): Promise<Policy[]> =>
  db.all<Row>(`${SELECT} WHERE project_id = ? ${IN_ORDER}`, projectId).map(toPolicy);

export const findPolicy = async (db: Db, projectId: string, id: string): Promise<Policy | undefined> =>
  policyIn(db, projectId, id);

const policyIn = (source: Db | Sql, projectId: string, id: string): Policy | undefined => {
  const row = source.get<Row>(`${SELECT} WHERE project_id = ? AND id = ?`, projectId, id);
  return row && toPolicy(row);
};

/**
 * Over all policies of a project, as JSON: blocked terms, which may be most of it, are compiled on the serving thread, a million characters in
 * about a quarter of a second.
 */
const MOST_CONFIG_CHARACTERS = 1_000_000;

/** Throws 400. A config that is no longer than it was is always accepted. */
const requireRoom = (sql: Sql, projectId: string, id: string, config: string): void => {
  const { others, own } = sql.get<{ others: number; own: number }>(
    `SELECT total(length(config)) FILTER (WHERE id <> ?1) AS others, total(length(config)) FILTER (WHERE id = ?1) AS own
      FROM policies WHERE project_id = ?2`,
    id,
    projectId,
  )!;
  const all = others + config.length;
  if (all <= MOST_CONFIG_CHARACTERS || config.length <= own) return;
  const [most, given] = [MOST_CONFIG_CHARACTERS, all].map((count) => count.toLocaleString("en-US"));
  throw invalidRequest(
    `The \`config\` of all policies may have at most ${most} characters in all; they would have ${given}.`,
    "config",
  );
};

/** Counts and inserts in one transaction, so that parallel requests never hold more than `most`; throws 403 `limit_exceeded`, or 400. */
export const insertPolicy = (db: Db, by: Author, projectId: string, policy: Policy, most: number): Promise<void> =>
  db.write((sql) => {
    const { held } = sql.get<{ held: number }>("SELECT count(*) AS held FROM policies WHERE project_id = ?", projectId)!;
    if (held >= most) throw limitExceeded("policies", most, held);
    const config = JSON.stringify(policy.config);
    requireRoom(sql, projectId, policy.id, config);
    sql.insert("policies", {
      id: policy.id,
      name: policy.name,
      policy_type: policy.type,
      config,
      priority: policy.priority,
      enabled: policy.enabled ? 1 : 0,
      template: policy.template,
      created_at: policy.createdAtMs,
      updated_at: policy.updatedAtMs,
      project_id: projectId,
    });
    const { id, name } = policy;
    recordChange(sql, by, { action: "policy.created", id, name, projectId, fields: changesOfPolicy(undefined, policy) });
  });

/** Reads, changes and writes in one transaction. Undefined where the project has no such policy; throws 400 as `insertPolicy` does. */
export const updatePolicy = (
  db: Db,
  by: Author,
  projectId: string,
  id: string,
  change: (policy: Policy) => Policy,
): Promise<Policy | undefined> =>
  db.write((sql) => {
    const policy = policyIn(sql, projectId, id);
    if (policy === undefined) return undefined;
    const changed = change(policy);
    const config = JSON.stringify(changed.config);
    requireRoom(sql, projectId, id, config);
    sql.run(
      "UPDATE policies SET name = ?, config = ?, priority = ?, enabled = ?, updated_at = ?, version = version + 1 WHERE project_id = ? AND id = ?",
      changed.name,
      config,
      changed.priority,
      changed.enabled ? 1 : 0,
      changed.updatedAtMs,
      projectId,
      id,
    );
    const { name } = changed;
    recordChange(sql, by, { action: "policy.changed", id, name, projectId, fields: changesOfPolicy(policy, changed) });
    return changed;
  });

/** False where the project has no such policy. */
export const deletePolicy = (db: Db, by: Author, projectId: string, id: string): Promise<boolean> =>
  db.write((sql) => {
    const policy = policyIn(sql, projectId, id);
    if (policy === undefined) return false;
    sql.run("DELETE FROM policies WHERE project_id = ? AND id = ?", projectId, id);
    const { name } = policy;
    recordChange(sql, by, { action: "policy.deleted", id, name, projectId, fields: changesOfPolicy(policy, undefined) });
    return true;
  });

/** Changes whenever an enabled policy of the project does, whichever process changed it; read from the index alone. */
export const stampOfPolicies = (db: Db, projectId: string): string =>
  db
    .all<{ id: string; version: number }>(
      `SELECT id, version FROM policies WHERE project_id = ? AND enabled = 1 ${IN_ORDER}`,
      projectId,
    )
    .map(({ id, version }) => `${id} ${version}`)
    .join(" ");
