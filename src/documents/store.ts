/** SQL of documents and collections; content-store.ts has that of their contents. Documents of other projects are treated as unknown. */
import type { Db, Sql, Value } from "../database/database.ts";
import { deleteFile } from "./content-store.ts";
import type { Document, Metadata } from "./document.ts";

type DocumentRow = Omit<Document, "metadata"> & { metadata: string };

const COLUMNS = `number, id, project_id AS projectId, collection_id AS collectionId, filename, content_type AS contentType,
  size_bytes AS sizeBytes, metadata, mode, status, error_message AS errorMessage, page_count AS pageCount,
  character_count AS characterCount, chunks_done AS chunksDone, chunk_count AS chunkCount, created_at AS createdAtMs`;

const toDocument = (row: DocumentRow): Document => ({ ...row, metadata: JSON.parse(row.metadata) as Metadata });

export const findDocument = (sql: Pick<Sql, "get">, projectId: string, id: string): Document | undefined => {
  const row = sql.get<DocumentRow>(`SELECT ${COLUMNS} FROM documents WHERE id = ? AND project_id = ?`, id, projectId);
  return row && toDocument(row);
};

/** Newest first. */
export const listDocuments = (
  db: Db,
  projectId: string,
  { collectionId, limit, offset }: { collectionId?: string; limit: number; offset: number },
): { documents: Document[]; total: number } => {
  const where = collectionId === undefined ? "project_id = ?" : "project_id = ? AND collection_id = ?";
  const params: Value[] = collectionId === undefined ? [projectId] : [projectId, collectionId];
  const rows = db.all<DocumentRow>(
    `SELECT ${COLUMNS} FROM documents WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`,
    ...params,
    limit,
    offset,
  );
  const total =
    collectionId === undefined
      ? db.get<{ n: number }>("SELECT document_count AS n FROM document_projects WHERE project_id = ?", projectId)?.n
      : db.get<{ n: number }>(
          "SELECT document_count AS n FROM collections WHERE project_id = ? AND id = ?",
          projectId,
          collectionId,
        )?.n;
  return { documents: rows.map(toDocument), total: total ?? 0 };
};

export type Collection = { id: string; documentCount: number; createdAtMs: number };

export const listCollections = (db: Db, projectId: string): Collection[] =>
  db.all<Collection>(
    "SELECT id, document_count AS documentCount, created_at AS createdAtMs FROM collections WHERE project_id = ? ORDER BY created_at, id",
    projectId,
  );

type Holdings = { documents: number; bytes: number; collections: number; hasCollection: boolean };

/** What the project has now; exact inside a write. */
export const readHoldings = (sql: Pick<Sql, "get">, projectId: string, collectionId: string | null): Holdings => {
  const held = sql.get<{ document_count: number; size_bytes: number }>(
    "SELECT document_count, size_bytes FROM document_projects WHERE project_id = ?",
    projectId,
  );
  const { n } = sql.get<{ n: number }>("SELECT count(*) AS n FROM collections WHERE project_id = ?", projectId)!;
  const has =
    collectionId !== null &&
    sql.get("SELECT 1 FROM collections WHERE project_id = ? AND id = ?", projectId, collectionId) !== undefined;
  return { documents: held?.document_count ?? 0, bytes: held?.size_bytes ?? 0, collections: n, hasCollection: has };
};

type NewDocument = Pick<
  Document,
  "id" | "projectId" | "collectionId" | "filename" | "contentType" | "sizeBytes" | "metadata" | "mode" | "createdAtMs"
>;

export const insertDocument = (sql: Sql, document: NewDocument): Document => {
  const { id, projectId, collectionId, sizeBytes, createdAtMs } = document;
  sql.run(
    `INSERT INTO document_projects (project_id, document_count, size_bytes) VALUES (?, 1, ?)
     ON CONFLICT (project_id) DO UPDATE SET document_count = document_count + 1, size_bytes = size_bytes + excluded.size_bytes`,
    projectId,
    sizeBytes,
  );
  if (collectionId !== null) {
    sql.run(
      `INSERT INTO collections (project_id, id, document_count, created_at) VALUES (?, ?, 1, ?)
       ON CONFLICT (project_id, id) DO UPDATE SET document_count = document_count + 1`,
      projectId,
      collectionId,
      createdAtMs,
    );
  }
  sql.insert("documents", {
    id,
    project_id: projectId,
    collection_id: collectionId,
    filename: document.filename,
    content_type: document.contentType,
    size_bytes: sizeBytes,
    metadata: JSON.stringify(document.metadata),
    mode: document.mode,
    status: "processing",
    created_at: createdAtMs,
  });
  return findDocument(sql, projectId, id)!;
};

const touchIndex = (sql: Sql, projectId: string): void =>
  void sql.run("UPDATE document_projects SET version = version + 1 WHERE project_id = ?", projectId);

/**
 * From this commit on the document cannot be found; its chunks and pages are then deleted in steps. A collection is deleted with its last
 * document.
 */
export const deleteDocument = (sql: Sql, projectId: string, id: string): Document | undefined => {
  const row = sql.get<DocumentRow>(`DELETE FROM documents WHERE id = ? AND project_id = ? RETURNING ${COLUMNS}`, id, projectId);
  if (row === undefined) return undefined;
  sql.run(
    "UPDATE document_projects SET document_count = document_count - 1, size_bytes = size_bytes - ? WHERE project_id = ?",
    row.sizeBytes,
    projectId,
  );
  if (row.collectionId !== null) {
    sql.run(
      "UPDATE collections SET document_count = document_count - 1 WHERE project_id = ? AND id = ?",
      projectId,
      row.collectionId,
    );
    sql.run("DELETE FROM collections WHERE project_id = ? AND id = ? AND document_count <= 0", projectId, row.collectionId);
  }
  deleteFile(sql, id);
  touchIndex(sql, projectId);
  return toDocument(row);
};

/** The text has been extracted, so the file is not needed any more. False if the document was deleted or advanced by another worker. */
export const markExtracted = (sql: Sql, document: Document, pageCount: number, characterCount: number): boolean => {
  const { changes } = sql.run(
    "UPDATE documents SET page_count = ?, character_count = ? WHERE number = ? AND status = 'processing' AND page_count IS NULL",
    pageCount,
    characterCount,
    document.number,
  );
  if (changes > 0) deleteFile(sql, document.id);
  return changes > 0;
};

/** Advances the cursor from `from`; false if it is elsewhere, and then the batch must not be written. */
export const advanceChunks = (sql: Sql, documentNumber: number, from: number, count: number, chunkCount: number): boolean =>
  sql.run(
    "UPDATE documents SET chunks_done = chunks_done + ?, chunk_count = ? WHERE number = ? AND status = 'processing' AND chunks_done = ?",
    count,
    chunkCount,
    documentNumber,
    from,
  ).changes > 0;

export const markReady = (sql: Sql, document: Document): void => {
  const { changes } = sql.run(
    "UPDATE documents SET status = 'ready' WHERE number = ? AND status = 'processing' AND chunks_done = chunk_count",
    document.number,
  );
  if (changes > 0) touchIndex(sql, document.projectId);
};

/** Deletes the file too, since nothing will read it again. */
export const markFailed = (sql: Sql, document: Document, message: string): void => {
  sql.run(
    "UPDATE documents SET status = 'failed', error_message = ? WHERE number = ? AND status = 'processing'",
    message,
    document.number,
  );
  deleteFile(sql, document.id);
};
