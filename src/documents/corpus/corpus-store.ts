/** The tables of documents in memory, with one project: for a search that needs no server. */
import { Database as Connection } from "bun:sqlite";
import { type Sql, sqlOf } from "../../database/database.ts";
import schema from "../../database/migrations/0003-documents.sql" with { type: "text" };
import type { IndexReader } from "../index/read-store.ts";

export const CORPUS_PROJECT = { id: "corpus", number: 1 };

export type CorpusStore = {
  sql: Sql;
  read: IndexReader;
  insertReadyDocument(number: number, id: string, filename: string): void;
  findSpan(chunkId: number): [start: number, end: number];
  /** Frees its memory. */
  close(): void;
};

export const openCorpusStore = (): CorpusStore => {
  const connection = new Connection(":memory:");
  connection.run(schema);
  // One transaction that never ends: with one for each document the full-text index would be in too many pieces.
  connection.run("BEGIN");
  const sql = sqlOf(connection);
  const read: IndexReader = (text, ...params) => connection.query(text).values(...params) as any[][];
  sql.insert("document_projects", { number: CORPUS_PROJECT.number, project_id: CORPUS_PROJECT.id, version: 1 });
  return {
    sql,
    read,
    insertReadyDocument: (number, id, filename) =>
      void sql.insert("documents", {
        number,
        id,
        project_id: CORPUS_PROJECT.id,
        filename,
        content_type: "text/plain",
        size_bytes: 0,
        metadata: "{}",
        mode: "live",
        status: "ready",
        created_at: 0,
      }),
    findSpan: (chunkId) => read("SELECT start_at, end_at FROM chunks WHERE id = ?", chunkId)[0] as [number, number],
    close: () => connection.close(),
  };
};
