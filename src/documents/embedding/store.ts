/** SQL of embedding spaces and of missing vectors. */
import type { Db, Sql } from "../../database/database.ts";
import { LOCAL, type Space, type SpaceKey, type SpaceState } from "./space.ts";

export const findSpace = (db: Pick<Db, "get">, state: SpaceState): Space | undefined =>
  db.get<Space>(
    "SELECT id, provider, model, revision, dimensions FROM embedding_spaces WHERE state = ? ORDER BY id DESC LIMIT 1",
    state,
  );

/** There is one from the start of the server on. */
export const liveSpace = (db: Pick<Db, "get">): Space => findSpace(db, "live")!;

export const insertSpace = (sql: Sql, key: SpaceKey, dimensions: number | null, state: SpaceState, now: number): void =>
  void sql.insert("embedding_spaces", {
    provider: key.provider,
    model: key.model,
    revision: key.revision,
    dimensions,
    state,
    created_at: now,
  });

export const updateDimensions = (sql: Sql, spaceId: number, dimensions: number): void =>
  void sql.run("UPDATE embedding_spaces SET dimensions = ? WHERE id = ? AND dimensions IS NULL", dimensions, spaceId);

export const deleteSpace = (sql: Sql, spaceId: number): void =>
  void sql.run("DELETE FROM embedding_spaces WHERE id = ?", spaceId);

/** Deletes at most `limit` rows of vectors whose space is gone; true when none is left. */
export const deleteSomeLostVectors = (sql: Sql, limit: number): boolean =>
  sql.run(
    `DELETE FROM chunk_vectors WHERE rowid IN
     (SELECT rowid FROM chunk_vectors WHERE space_id NOT IN (SELECT id FROM embedding_spaces) LIMIT ?)`,
    limit,
  ).changes < limit;

export type MissingBatch = {
  documentNumber: number;
  documentId: string;
  projectId: string;
  filename: string;
  firstIndex: number;
  count: number;
};

/** Every project that ever had a document. */
export const listProjects = (db: Pick<Db, "all">): string[] =>
  db.all<{ id: string }>("SELECT project_id AS id FROM document_projects").map(({ id }) => id);

/**
 * Batches without vectors in the space. Text of test keys, and of projects excluded by may-leave.ts, never goes to a remote embedder: those
 * chunks are found by words alone.
 */
const LACKING = `FROM chunk_batches b JOIN documents d ON d.number = b.document_number
  WHERE NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.space_id = ?1 AND v.document_number = b.document_number AND v.first_index = b.first_index)
  AND (?2 = '${LOCAL}' OR (d.mode = 'live' AND d.project_id NOT IN (SELECT value FROM json_each(?3))))`;

/** For one document, or all searchable ones. */
export const listMissing = (
  db: Pick<Db, "all">,
  space: Space,
  kept: readonly string[],
  documentNumber: number | undefined,
  limit: number,
): MissingBatch[] => {
  const select = `SELECT b.document_number AS documentNumber, d.id AS documentId, d.project_id AS projectId, d.filename,
    b.first_index AS firstIndex, length(b.lengths) / 4 AS count ${LACKING}`;
  const order = "ORDER BY b.document_number, b.first_index LIMIT ?4";
  const params = [space.id, space.provider, JSON.stringify(kept), limit];
  return documentNumber === undefined
    ? db.all<MissingBatch>(`${select} AND d.status = 'ready' ${order}`, ...params)
    : db.all<MissingBatch>(`${select} AND b.document_number = ?5 ${order}`, ...params, documentNumber);
};

/** Makes the building space the live one and drops the old, if no searchable chunk lacks a vector in it. */
export const promoteSpace = (sql: Sql, building: Space, kept: readonly string[]): boolean => {
  const lacking = sql.get(
    `SELECT 1 ${LACKING} AND d.status = 'ready' LIMIT 1`,
    building.id,
    building.provider,
    JSON.stringify(kept),
  );
  if (lacking !== undefined) return false;
  sql.run("DELETE FROM embedding_spaces WHERE state = 'live'");
  sql.run("UPDATE embedding_spaces SET state = 'live' WHERE id = ?", building.id);
  sql.run("UPDATE document_projects SET version = version + 1");
  return true;
};

type EmbeddedText = { filename: string; headings: string[]; content: string };

export const listTexts = (db: Pick<Db, "all">, { documentNumber, firstIndex, count }: MissingBatch): EmbeddedText[] =>
  db
    .all<{ filename: string; headings: string; content: string }>(
      `SELECT d.filename, c.headings, c.content FROM chunks c JOIN documents d ON d.number = c.document_number
       WHERE c.document_number = ? AND c.chunk_index >= ? AND c.chunk_index < ? ORDER BY c.chunk_index`,
      documentNumber,
      firstIndex,
      firstIndex + count,
    )
    .map((row) => ({ ...row, headings: JSON.parse(row.headings) as string[] }));

export const hasSpace = (sql: Sql, spaceId: number): boolean =>
  sql.get("SELECT 1 FROM embedding_spaces WHERE id = ?", spaceId) !== undefined;

export const hasDocument = (sql: Sql, documentNumber: number): boolean =>
  sql.get("SELECT 1 FROM documents WHERE number = ?", documentNumber) !== undefined;
