/** Saved schemas and their versions. The id, the slug and `slug@version` name one; another project's is as if it were not there. */
import { conflict, limitExceeded } from "../api-error.ts";
import type { Db, Sql } from "../database/database.ts";
import type { Author } from "../history/author.ts";
import { changedFields } from "../history/change.ts";
import { recordChange } from "../history/store.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { SavedSchema } from "./saved-schema.ts";

type Row = Omit<SavedSchema, "schema"> & { schema: string };

const SELECT = `SELECT s.id, s.slug, s.name, s.description, v.schema, v.version, s.created_at AS createdAtMs, s.updated_at AS updatedAtMs
  FROM schemas s JOIN schema_versions v ON v.schema_id = s.id`;

const toSaved = (row: Row): SavedSchema => ({ ...row, schema: JSON.parse(row.schema) });

export const listSchemas = async (db: Db, projectId: string): Promise<SavedSchema[]> =>
  db.all<Row>(`${SELECT} AND v.version = s.version WHERE s.project_id = ? ORDER BY s.created_at, s.id`, projectId).map(toSaved);

/** `name` is an id or a slug, with `@version` for an earlier text. */
export const findSchema = async (db: Db, projectId: string, name: string): Promise<SavedSchema | undefined> => {
  const [, idOrSlug, version] = /^(.+)@(\d{1,9})$/.exec(name) ?? [];
  return savedAs(db, projectId, idOrSlug ?? name, version);
};

/** The latest version, unless one is named. */
const savedAs = (source: Db | Sql, projectId: string, idOrSlug: string, version?: string): SavedSchema | undefined => {
  const row = source.get<Row>(
    `${SELECT} AND v.version = coalesce(CAST(?1 AS INTEGER), s.version) WHERE s.project_id = ?2 AND (s.id = ?3 OR s.slug = ?3)`,
    version ?? null,
    projectId,
    idOrSlug,
  );
  return row && toSaved(row);
};

type Place = { projectId: string; slugIsFree: boolean; most: number };

/**
 * Throws 403 `limit_exceeded` where the project has `most` of them, and 409 `conflict` for a taken slug; with `slugIsFree` a number is
 * appended instead. Gives back what was stored.
 */
export const insertSchema = (
  db: Db,
  by: Author,
  saved: SavedSchema,
  { projectId, slugIsFree, most }: Place,
): Promise<SavedSchema> =>
  db.write((sql) => {
    const { held } = sql.get<{ held: number }>("SELECT count(*) AS held FROM schemas WHERE project_id = ?", projectId)!;
    if (held >= most) throw limitExceeded("schemas", most, held);
    const slug = slugIsFree ? freeSlug(sql, projectId, saved.slug) : saved.slug;
    requireFreeSlug(sql, projectId, slug, saved.id);
    sql.insert("schemas", {
      id: saved.id,
      project_id: projectId,
      slug,
      name: saved.name,
      description: saved.description,
      version: saved.version,
      created_at: saved.createdAtMs,
      updated_at: saved.updatedAtMs,
    });
    insertVersion(sql, saved);
    const stored = { ...saved, slug };
    recordSchema(sql, by, "created", projectId, { after: stored });
    return stored;
  });

/** Reads, changes and writes as the next version in one transaction. Undefined where the project has no such schema. */
export const updateSchema = (
  db: Db,
  by: Author,
  projectId: string,
  idOrSlug: string,
  change: (saved: SavedSchema) => SavedSchema,
): Promise<SavedSchema | undefined> =>
  db.write((sql) => {
    const saved = savedAs(sql, projectId, idOrSlug);
    if (saved === undefined) return undefined;
    const changed = { ...change(saved), version: saved.version + 1 };
    requireFreeSlug(sql, projectId, changed.slug, changed.id);
    sql.run(
      "UPDATE schemas SET slug = ?, name = ?, description = ?, version = ?, updated_at = ? WHERE id = ? AND project_id = ?",
      changed.slug,
      changed.name,
      changed.description,
      changed.version,
      changed.updatedAtMs,
      changed.id,
      projectId,
    );
    insertVersion(sql, changed);
    recordSchema(sql, by, "changed", projectId, { before: saved, after: changed });
    return changed;
  });

/** The id of what was deleted. */
export const deleteSchema = (db: Db, by: Author, projectId: string, idOrSlug: string): Promise<string | undefined> =>
  db.write((sql) => {
    const saved = savedAs(sql, projectId, idOrSlug);
    if (saved === undefined) return undefined;
    sql.run("DELETE FROM schemas WHERE id = ? AND project_id = ?", saved.id, projectId);
    recordSchema(sql, by, "deleted", projectId, { before: saved });
    return saved.id;
  });

const told = ({ name, slug, version }: SavedSchema) => ({ name, slug, version });

/** Its text and description are not told: the versions have them. */
const recordSchema = (
  sql: Sql,
  by: Author,
  verb: "created" | "changed" | "deleted",
  projectId: string,
  { before, after }: { before?: SavedSchema; after?: SavedSchema },
): void => {
  const { id, name } = (after ?? before)!;
  const fields = changedFields(before === undefined ? {} : told(before), after === undefined ? {} : told(after));
  recordChange(sql, by, { action: `schema.${verb}`, id, name, projectId, fields });
};

const insertVersion = (sql: Sql, saved: SavedSchema): void => {
  const { id, version, schema, updatedAtMs } = saved;
  sql.insert("schema_versions", { schema_id: id, version, schema: JSON.stringify(schema), created_at: updatedAtMs });
  sql.run("DELETE FROM schema_versions WHERE schema_id = ? AND version <= ?", id, version - BOUNDS.schemaVersions);
};

const slugIsTaken = (sql: Sql, projectId: string, slug: string, byOtherThan: string): boolean =>
  sql.get("SELECT 1 FROM schemas WHERE project_id = ? AND slug = ? AND id <> ?", projectId, slug, byOtherThan) !== undefined;

const requireFreeSlug = (sql: Sql, projectId: string, slug: string, id: string): void => {
  if (slugIsTaken(sql, projectId, slug, id))
    throw conflict(`The slug "${slug}" is taken by another schema of this project.`, "slug");
};

const freeSlug = (sql: Sql, projectId: string, slug: string): string => {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!slugIsTaken(sql, projectId, candidate, "")) return candidate;
  }
};
