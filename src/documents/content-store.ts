/** SQL of documents' contents: the file in parts until it is extracted, its pages, and the chunks that a search returns. */
import type { Db, Sql } from "../database/database.ts";
import type { Metadata } from "./document.ts";
import type { DocumentType } from "./document-type.ts";
import type { Page } from "./extract/extraction.ts";

export const insertFilePart = (sql: Sql, documentId: string, part: number, bytes: Uint8Array): void =>
  void sql.insert("document_files", { document_id: documentId, part, bytes });

export const deleteFile = (sql: Sql, documentId: string): void =>
  void sql.run("DELETE FROM document_files WHERE document_id = ?", documentId);

/** Deletes parts whose upload never became a document, because the process ended in between. */
export const deleteOrphanFiles = (db: Db): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM document_files WHERE document_id NOT IN (SELECT id FROM documents)"));

export const findFilePart = (db: Db, documentId: string, part: number): Uint8Array | undefined =>
  db.get<{ bytes: Uint8Array }>("SELECT bytes FROM document_files WHERE document_id = ? AND part = ?", documentId, part)?.bytes;

/** `text` in UTF-8: only the database ever reads it. */
export type PageBytes = { page: number; text: Uint8Array };

/** False, with nothing written, if the document was deleted meanwhile. */
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
export const listPages = (db: Db, documentNumber: number, first = 0, last = Number.MAX_SAFE_INTEGER): Page[] =>
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
 * The last of three checks that keep projects apart: whatever the index says, a row of another project is not returned. CROSS JOIN fixes
 * the order of the join; otherwise SQLite begins with the project and reads all its chunks.
 */
export const listChunks = (db: Db, projectId: string, chunkIds: readonly number[]): FoundChunk[] => {
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

/** The chunks of a document at these places. */
export const listChunksAt = (db: Db, projectId: string, documentNumber: number, places: readonly number[]): FoundChunk[] => {
  const rows = db.all<{ id: number }>(
    "SELECT id FROM chunks WHERE document_number = ? AND chunk_index IN (SELECT value FROM json_each(?)) ORDER BY chunk_index",
    documentNumber,
    JSON.stringify(places),
  );
  return listChunks(
    db,
    projectId,
    rows.map(({ id }) => id),
  );
};
