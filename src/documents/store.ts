/** SQL of documents, their files, pages and collections. What another project holds is as if it were not there. */
import type { Mode } from "../accounts/api-key.ts";
import type { Db, Sql, Value } from "../database/database.ts";
import type { Document, DocumentType, Metadata } from "./document.ts";
import type { Page } from "./extract/extraction.ts";

type DocumentRow = {
  number: number;
  id: string;
  project_id: string;
  collection_id: string | null;
  filename: string;
  content_type: string;
  size_bytes: number;
  metadata: string;
  mode: string;
  status: string;
  error_message: string | null;
  page_count: number | null;
  character_count: number | null;
  chunks_done: number;
  chunk_count: number | null;
  created_at: number;
};

const toDocument = (row: DocumentRow): Document => ({
  number: row.number,
  id: row.id,
  projectId: row.project_id,
  collectionId: row.collection_id,
  filename: row.filename,
  contentType: row.content_type as DocumentType,
  sizeBytes: row.size_bytes,
  metadata: JSON.parse(row.metadata) as Metadata,
  mode: row.mode as Mode,
  status: row.status as Document["status"],
  errorMessage: row.error_message,
  pageCount: row.page_count,
  characterCount: row.character_count,
  chunksDone: row.chunks_done,
  chunkCount: row.chunk_count,
  createdAtMs: row.created_at,
});

export const findDocument = async (db: Db, projectId: string, id: string): Promise<Document | undefined> => {
  const row = db.get<DocumentRow>("SELECT * FROM documents WHERE id = ? AND project_id = ?", id, projectId);
  return row && toDocument(row);
};

export type DocumentPage = { documents: Document[]; total: number };

/** Newest first. */
export const listDocuments = async (
  db: Db,
  projectId: string,
  { collectionId, limit, offset }: { collectionId?: string; limit: number; offset: number },
): Promise<DocumentPage> => {
  const where = collectionId === undefined ? "project_id = ?" : "project_id = ? AND collection_id = ?";
  const params: Value[] = collectionId === undefined ? [projectId] : [projectId, collectionId];
  const rows = db.all<DocumentRow>(
    `SELECT * FROM documents WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`,
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

export const listCollections = async (db: Db, projectId: string): Promise<Collection[]> =>
  db.all<Collection>(
    "SELECT id, document_count AS documentCount, created_at AS createdAtMs FROM collections WHERE project_id = ? ORDER BY created_at, id",
    projectId,
  );

type Holdings = { documents: number; bytes: number; collections: number; hasCollection: boolean };

/** What the project holds now; inside a write it is exact. */
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

export const insertFilePart = (sql: Sql, documentId: string, part: number, bytes: Uint8Array): void =>
  void sql.run("INSERT INTO document_files (document_id, part, bytes) VALUES (?, ?, ?)", documentId, part, bytes);

export const deleteFile = (sql: Sql, documentId: string): void =>
  void sql.run("DELETE FROM document_files WHERE document_id = ?", documentId);

/** Parts whose upload never became a document: the process ended between them. */
export const deleteOrphanFiles = (db: Db): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM document_files WHERE document_id NOT IN (SELECT id FROM documents)"));

export const findFilePart = async (db: Db, documentId: string, part: number): Promise<Uint8Array | undefined> =>
  db.get<{ bytes: Uint8Array }>("SELECT bytes FROM document_files WHERE document_id = ? AND part = ?", documentId, part)?.bytes;

type NewDocument = Pick<
  Document,
  "id" | "projectId" | "collectionId" | "filename" | "contentType" | "sizeBytes" | "metadata" | "mode" | "createdAtMs"
>;

export const insertDocument = (sql: Sql, document: NewDocument): Document => {
  const { id, projectId, collectionId, filename, contentType, sizeBytes, metadata, mode, createdAtMs } = document;
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
  const row = sql.get<DocumentRow>(
    `INSERT INTO documents (id, project_id, collection_id, filename, content_type, size_bytes, metadata, mode, status, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'processing', ?) RETURNING *`,
    id,
    projectId,
    collectionId,
    filename,
    contentType,
    sizeBytes,
    JSON.stringify(metadata),
    mode,
    createdAtMs,
  )!;
  return toDocument(row);
};

const touchIndex = (sql: Sql, projectId: string): void =>
  void sql.run("UPDATE document_projects SET version = version + 1 WHERE project_id = ?", projectId);

/** From this commit on nothing of the document is found; its chunks and pages are then dropped in pieces. A collection ends with its last. */
export const deleteDocument = (sql: Sql, projectId: string, id: string): Document | undefined => {
  const row = sql.get<DocumentRow>("DELETE FROM documents WHERE id = ? AND project_id = ? RETURNING *", id, projectId);
  if (row === undefined) return undefined;
  sql.run(
    "UPDATE document_projects SET document_count = document_count - 1, size_bytes = size_bytes - ? WHERE project_id = ?",
    row.size_bytes,
    projectId,
  );
  if (row.collection_id !== null) {
    sql.run(
      "UPDATE collections SET document_count = document_count - 1 WHERE project_id = ? AND id = ?",
      projectId,
      row.collection_id,
    );
    sql.run("DELETE FROM collections WHERE project_id = ? AND id = ? AND document_count <= 0", projectId, row.collection_id);
  }
  deleteFile(sql, id);
  touchIndex(sql, projectId);
  return toDocument(row);
};

/** `text` in UTF-8: only the database ever reads it. */
export type PageBytes = { page: number; text: Uint8Array };

/** False, and nothing written, when the document was deleted meanwhile. */
export const insertPages = (sql: Sql, documentNumber: number, pages: readonly PageBytes[]): boolean => {
  if (sql.get("SELECT 1 FROM documents WHERE number = ? AND status = 'processing'", documentNumber) === undefined) return false;
  for (const { page, text } of pages) {
    sql.run(
      "INSERT OR REPLACE INTO document_pages (document_number, page, text) VALUES (?, ?, CAST(? AS TEXT))",
      documentNumber,
      page,
      text,
    );
  }
  return true;
};

/** All, or those from `first` to `last`. */
export const listPages = async (db: Db, documentNumber: number, first = 0, last = Number.MAX_SAFE_INTEGER): Promise<Page[]> =>
  db.all<Page>(
    "SELECT page, text FROM document_pages WHERE document_number = ? AND page BETWEEN ? AND ? ORDER BY page",
    documentNumber,
    first,
    last,
  );

/** Drops at most `limit` pages; true when none is left. */
export const deleteSomePages = (sql: Sql, documentNumber: number, limit: number): boolean =>
  sql.run(
    `DELETE FROM document_pages WHERE document_number = ? AND page IN
     (SELECT page FROM document_pages WHERE document_number = ? ORDER BY page LIMIT ?)`,
    documentNumber,
    documentNumber,
    limit,
  ).changes < limit;

/** The text is out: from here on the file is not needed. False when the document is gone or was taken further by another. */
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

/** Moves the cursor from `from` on; false when it stands elsewhere, after which the batch must not be written. */
export const advanceChunks = (sql: Sql, documentNumber: number, from: number, count: number, chunkCount: number): boolean =>
  sql.run(
    "UPDATE documents SET chunks_done = chunks_done + ?, chunk_count = ? WHERE number = ? AND status = 'processing' AND chunks_done = ?",
    count,
    chunkCount,
    documentNumber,
    from,
  ).changes > 0;

export const markReady = (sql: Sql, document: Document): boolean => {
  const { changes } = sql.run(
    "UPDATE documents SET status = 'ready' WHERE number = ? AND status = 'processing' AND chunks_done = chunk_count",
    document.number,
  );
  if (changes > 0) touchIndex(sql, document.projectId);
  return changes > 0;
};

/** The file goes too: nothing will read it again. */
export const markFailed = (sql: Sql, document: Document, message: string): void => {
  sql.run(
    "UPDATE documents SET status = 'failed', error_message = ? WHERE number = ? AND status = 'processing'",
    message,
    document.number,
  );
  deleteFile(sql, document.id);
};

export type FoundChunk = {
  id: number;
  documentId: string;
  documentNumber: number;
  filename: string;
  contentType: DocumentType;
  metadata: Metadata;
  chunkIndex: number;
  pageFrom: number;
  pageTo: number;
  headings: string[];
  content: string;
};

/**
 * The last of three places that hold projects apart: whatever the index said, a row of another project is not returned.
 * CROSS JOIN keeps the order as it is written: left to choose, SQLite begins with the project and reads all its chunks.
 */
export const listChunks = async (db: Db, projectId: string, chunkIds: readonly number[]): Promise<FoundChunk[]> => {
  const rows = db.all<Omit<FoundChunk, "metadata" | "headings"> & { metadata: string; headings: string }>(
    `SELECT c.id, d.id AS documentId, d.number AS documentNumber, d.filename, d.content_type AS contentType, d.metadata,
       c.chunk_index AS chunkIndex, c.page_from AS pageFrom, c.page_to AS pageTo, c.headings, c.content
     FROM json_each(?) wanted CROSS JOIN chunks c ON c.id = wanted.value CROSS JOIN documents d ON d.number = c.document_number
     WHERE c.project_id = ? AND d.project_id = ? AND d.status = 'ready'`,
    JSON.stringify(chunkIds),
    projectId,
    projectId,
  );
  return rows.map((row) => ({
    ...row,
    metadata: JSON.parse(row.metadata) as Metadata,
    headings: JSON.parse(row.headings) as string[],
  }));
};

/** The beginning of a document, for one that a search says nothing of. */
export const findFirstChunk = async (db: Db, projectId: string, documentNumber: number): Promise<FoundChunk | undefined> => {
  const row = db.get<{ id: number }>("SELECT id FROM chunks WHERE document_number = ? AND chunk_index = 0", documentNumber);
  return row && (await listChunks(db, projectId, [row.id]))[0];
};
