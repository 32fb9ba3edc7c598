/** SQL of the search index: batches of chunks with their terms and vectors, written together and dropped together. */
import type { Sql } from "../../database/database.ts";

export type ChunkRow = {
  content: string;
  headings: string[];
  pageFrom: number;
  pageTo: number;
  start: number;
  end: number;
  /** Keys of the index (see read-store.ts), separated by spaces. */
  terms: string;
  /** The number of words: the length that BM25 uses. */
  termCount: number;
};

type ChunkBatch = { projectId: string; documentNumber: number; firstIndex: number; chunks: ChunkRow[] };

/** One transaction's worth; ids are consecutive because one writer fills one batch at a time. */
export const insertBatch = (sql: Sql, { projectId, documentNumber, firstIndex, chunks }: ChunkBatch): void => {
  let firstId = 0;
  chunks.forEach((chunk, at) => {
    const id = sql.insert("chunks", {
      project_id: projectId,
      document_number: documentNumber,
      chunk_index: firstIndex + at,
      page_from: chunk.pageFrom,
      page_to: chunk.pageTo,
      start_at: chunk.start,
      end_at: chunk.end,
      headings: JSON.stringify(chunk.headings),
      content: chunk.content,
    });
    if (at === 0) firstId = id;
    sql.insert("chunk_terms", { rowid: id, terms: chunk.terms });
  });
  sql.insert("chunk_batches", {
    project_id: projectId,
    document_number: documentNumber,
    first_index: firstIndex,
    first_chunk_id: firstId,
    lengths: new Uint8Array(Int32Array.from(chunks, ({ termCount }) => termCount).buffer),
  });
};

/** A small step of merging the full-text index, a few milliseconds; due after each batch, in a commit of its own. */
export const mergeTerms = (sql: Sql): void => void sql.run("INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('merge', 50)");

/** `vectors` as pack-vectors.ts made them, in the batch's order. Writing the same batch twice leaves one. */
export const insertVectors = (sql: Sql, spaceId: number, documentNumber: number, firstIndex: number, vectors: Uint8Array): void =>
  void sql.run(
    `INSERT INTO chunk_vectors (space_id, document_number, first_index, vectors) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET vectors = excluded.vectors`,
    spaceId,
    documentNumber,
    firstIndex,
    vectors,
  );

/** Drops at most `limit` chunks of a document that can no longer be found; true when nothing is left. */
export const deleteSomeChunks = (sql: Sql, documentNumber: number, limit: number): boolean => {
  const rows = sql.all<{ id: number }>(
    "SELECT id FROM chunks WHERE document_number = ? ORDER BY chunk_index LIMIT ?",
    documentNumber,
    limit,
  );
  for (const { id } of rows) {
    sql.run("DELETE FROM chunk_terms WHERE rowid = ?", id);
    sql.run("DELETE FROM chunks WHERE id = ?", id);
  }
  if (rows.length === limit) return false;
  sql.run("DELETE FROM chunk_batches WHERE document_number = ?", documentNumber);
  sql.run("DELETE FROM chunk_vectors WHERE document_number = ?", documentNumber);
  return true;
};
