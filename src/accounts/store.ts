/** Projects and API keys in the database. */

import { conflict } from "../api-error.ts";
import type { Db, Sql } from "../database/database.ts";
import type { Author } from "../history/author.ts";
import { changedFields } from "../history/change.ts";
import { recordChange } from "../history/store.ts";
import { newId } from "../lib/ids.ts";
import { DEFAULT_TIER, type Tier } from "../limits/tiers.ts";
import { type ApiKey, hashApiKey, logHashOf, type Mode, newApiKeyText, type Scope } from "./api-key.ts";
import { type KeyTerms, toWireTerms } from "./key-terms.ts";
import type { Project, ProjectSettings } from "./project.ts";
import { toSettingsBody } from "./project-settings.ts";

type ProjectRow = Omit<Project, "settings"> & { settings: string };
type KeyRow = Omit<ApiKey, "scopes" | "models" | "logHash"> & {
  scopes: string | null;
  models: string | null;
  secretHash: string;
};

const SELECT_PROJECT = "SELECT id, name, tier, settings, created_at AS createdAtMs FROM projects";
const SELECT_KEY = `SELECT id, project_id AS projectId, name, mode, secret_hash AS secretHash, last_four AS lastFour, scopes,
  models, budget_nano_usd AS budgetNanoUsd, budget_period AS budgetPeriod, requests_per_minute AS requestsPerMinute,
  tokens_per_minute AS tokensPerMinute, expires_at AS expiresAtMs, revoked_at AS revokedAtMs, last_used_at AS lastUsedAtMs,
  created_at AS createdAtMs FROM api_keys`;

const toProject = (row: ProjectRow): Project => ({ ...row, settings: JSON.parse(row.settings) as ProjectSettings });

const toKey = ({ secretHash, scopes, models, ...row }: KeyRow): ApiKey => ({
  ...row,
  scopes: scopes === null ? null : (JSON.parse(scopes) as Scope[]),
  models: models === null ? null : (JSON.parse(models) as string[]),
  logHash: logHashOf(secretHash),
});

export const listProjects = async (db: Db): Promise<Project[]> =>
  db.all<ProjectRow>(`${SELECT_PROJECT} ORDER BY created_at, id`).map(toProject);

export const findProjectByName = async (db: Db, name: string): Promise<Project | undefined> => {
  const row = db.get<ProjectRow>(`${SELECT_PROJECT} WHERE name = ?`, name);
  return row && toProject(row);
};

export const findProject = async (db: Db, id: string): Promise<Project | undefined> => {
  const row = db.get<ProjectRow>(`${SELECT_PROJECT} WHERE id = ?`, id);
  return row && toProject(row);
};

/** As the history tells of it. */
const told = ({ name, tier, settings }: Pick<Project, "name" | "tier" | "settings">) => ({
  name,
  tier,
  ...toSettingsBody(settings),
});

/** Undefined if there is a project of that name already. */
export const insertProject = (db: Db, by: Author, name: string, tier: Tier): Promise<Project | undefined> =>
  db.write((sql) => insertProjectRow(sql, by, name, tier));

const insertProjectRow = (sql: Sql, by: Author, name: string, tier: Tier): Project | undefined => {
  const project: Project = { id: newId("proj"), name, tier, settings: {}, createdAtMs: by.atMs };
  const text = "INSERT OR IGNORE INTO projects (id, name, tier, created_at) VALUES (?, ?, ?, ?)";
  if (sql.run(text, project.id, name, tier, by.atMs).changes === 0) return undefined;
  const fields = changedFields({}, told(project));
  recordChange(sql, by, { action: "project.created", id: project.id, name, projectId: project.id, fields });
  return project;
};

/** The project of that name, created on `tier` if it does not exist; if it does, a given tier is set. */
export const upsertProject = (db: Db, by: Author, name: string, tier: Tier | undefined): Promise<Project> =>
  db.write((sql) => {
    const row = sql.get<ProjectRow>(`${SELECT_PROJECT} WHERE name = ?`, name);
    if (row === undefined) return insertProjectRow(sql, by, name, tier ?? DEFAULT_TIER)!;
    const before = toProject(row);
    return updateProjectRow(sql, by, before, { ...before, tier: tier ?? before.tier });
  });

type ProjectChange = Partial<Pick<Project, "name" | "tier" | "settings">>;

/**
 * Reads, changes and writes in one transaction, so that simultaneous changes do not undo each other; everything refers to the id, so a new
 * name changes nothing else. Undefined if there is no such project; throws 409 for the name of another one.
 */
export const changeProject = (
  db: Db,
  by: Author,
  id: string,
  change: (before: Project) => ProjectChange,
): Promise<Project | undefined> =>
  db.write((sql) => {
    const row = sql.get<ProjectRow>(`${SELECT_PROJECT} WHERE id = ?`, id);
    if (row === undefined) return undefined;
    const before = toProject(row);
    return updateProjectRow(sql, by, before, { ...before, ...change(before) });
  });

const updateProjectRow = (sql: Sql, by: Author, before: Project, after: Project): Project => {
  const { id, name, tier, settings } = after;
  const text = "UPDATE OR IGNORE projects SET name = ?, tier = ?, settings = ? WHERE id = ?";
  if (sql.run(text, name, tier, JSON.stringify(settings), id).changes === 0)
    throw conflict(`There is a project "${name}" already.`, "name");
  recordChange(sql, by, { action: "project.changed", id, name, projectId: id, fields: changedFields(told(before), told(after)) });
  return after;
};

export const hasOtherProject = (sql: Sql, id: string): boolean =>
  sql.get("SELECT 1 FROM projects WHERE id <> ?", id) !== undefined;

/** The project's keys, policies and schemas go with its row. What the keys have spent is deleted by `deleteSpendingOfDeletedKeys`. */
export const deleteProjectRow = (sql: Sql, by: Author, id: string): void => {
  const row = sql.get<ProjectRow>(`${SELECT_PROJECT} WHERE id = ?`, id);
  if (row === undefined) return;
  const { name, ...project } = toProject(row);
  const fields = changedFields(told({ name, ...project }), {});
  recordChange(sql, by, { action: "project.deleted", id, name, projectId: id, fields });
  sql.run("DELETE FROM projects WHERE id = ?", id);
};

/** Of a project that is deleted, none. */
export const projectSettings = (sql: Sql, id: string): ProjectSettings => {
  const row = sql.get<ProjectRow>(`${SELECT_PROJECT} WHERE id = ?`, id);
  return row === undefined ? {} : toProject(row).settings;
};

/** `replaces` is the id of the key that it is made in place of. */
type NewKey = KeyTerms & { projectId: string; mode: Mode; replaces?: string | undefined };

const columnsOf = (terms: KeyTerms) => ({
  name: terms.name,
  scopes: terms.scopes && JSON.stringify(terms.scopes),
  models: terms.models && JSON.stringify(terms.models),
  budget_nano_usd: terms.budgetNanoUsd,
  budget_period: terms.budgetPeriod,
  requests_per_minute: terms.requestsPerMinute,
  tokens_per_minute: terms.tokensPerMinute,
  expires_at: terms.expiresAtMs,
});

/** Returns the stored record and the key itself, which is stored nowhere and cannot be shown again. */
export const insertKey = async (db: Db, by: Author, key: NewKey): Promise<{ record: ApiKey; text: string }> => {
  const text = newApiKeyText(key.mode);
  const row = await db.write((sql) => {
    const id = newId("key");
    sql.insert("api_keys", {
      id,
      project_id: key.projectId,
      mode: key.mode,
      secret_hash: hashApiKey(text),
      last_four: text.slice(-4),
      created_at: by.atMs,
      ...columnsOf(key),
    });
    if (key.replaces !== undefined) carrySpendingOver(sql, key.replaces, id);
    const { mode, replaces, name, projectId } = key;
    const fields = changedFields({}, { mode, replaces, ...toWireTerms(key) });
    recordChange(sql, by, { action: "key.created", id, name, projectId, fields });
    return sql.get<KeyRow>(`${SELECT_KEY} WHERE id = ?`, id)!;
  });
  return { record: toKey(row), text };
};

/** A key that replaces another has spent what that one has, so that rotating a key does not renew its budget. */
const carrySpendingOver = (sql: Sql, oldId: string, keyId: string): void =>
  void sql.run(
    "INSERT INTO key_spend (key_id, day, spent_nano_usd) SELECT ?, day, spent_nano_usd FROM key_spend WHERE key_id = ?",
    keyId,
    oldId,
  );

export const listKeys = async (db: Db, projectId?: string): Promise<ApiKey[]> =>
  (projectId === undefined
    ? db.all<KeyRow>(`${SELECT_KEY} ORDER BY created_at, id`)
    : db.all<KeyRow>(`${SELECT_KEY} WHERE project_id = ? ORDER BY created_at, id`, projectId)
  ).map(toKey);

/** What is not given stays as it is. Undefined if there is no such valid key. */
export const changeKey = (db: Db, by: Author, id: string, change: Partial<KeyTerms>): Promise<ApiKey | undefined> =>
  db.write((sql) => {
    const row = sql.get<KeyRow>(`${SELECT_KEY} WHERE id = ? AND revoked_at IS NULL`, id);
    if (row === undefined) return undefined;
    const before = toKey(row);
    const changed = { ...before, ...change };
    const columns = columnsOf(changed);
    const assignments = Object.keys(columns).map((name) => `${name} = ?`);
    sql.run(`UPDATE api_keys SET ${assignments.join(", ")} WHERE id = ?`, ...Object.values(columns), id);
    const fields = changedFields(toWireTerms(before), toWireTerms(changed));
    recordChange(sql, by, { action: "key.changed", id, name: changed.name, projectId: before.projectId, fields });
    return changed;
  });

/** False if there was no such valid key. */
export const revokeKey = (db: Db, by: Author, id: string): Promise<boolean> =>
  db.write((sql) => {
    const text = "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING name, project_id AS projectId";
    const key = sql.get<Pick<KeyRow, "name" | "projectId">>(text, by.atMs, id);
    if (key !== undefined) recordChange(sql, by, { action: "key.revoked", id, ...key });
    return key !== undefined;
  });

/** Synchronous, because every request waits for it; the look-up is one indexed row. */
export const findKeyBySecret = (db: Db, secretHash: string): { key: ApiKey; project: Project } | undefined => {
  const key = db.get<KeyRow>(`${SELECT_KEY} WHERE secret_hash = ?`, secretHash);
  const project = key && db.get<ProjectRow>(`${SELECT_PROJECT} WHERE id = ?`, key.projectId);
  return key && project && { key: toKey(key), project: toProject(project) };
};

export const updateLastUsed = (db: Db, uses: Map<string, number>): Promise<void> =>
  db.write((sql) => {
    for (const [id, at] of uses) sql.run("UPDATE api_keys SET last_used_at = ? WHERE id = ?", at, id);
  });
