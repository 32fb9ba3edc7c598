/** The tables of documents in memory, with one project: for a search that needs no server. */
import { Database as Connection } from "bun:sqlite";
import { type Sql, sqlOf } from "../../database/database.ts";
import schema from "../../database/migrations/0003-documents.sql" with { type: "text" };
import type { IndexReader } from "../index/read-store.ts";

export const CORPUS_PROJECT = { id: "corpus", number: 1 };

type CorpusStore = {
  sql: Sql;
  read: IndexReader;
  /** All in one transaction. */
  fill(work: () => void): void;
  insertReadyDocument(number: number, id: string, filename: string): void;
  findSpan(chunkId: number): [start: number, end: number];
};

export const openCorpusStore = (): CorpusStore => {
  const connection = new Connection(":memory:");
  connection.run(schema);
  const sql = sqlOf(connection);
  const read: IndexReader = (text, ...params) => connection.query(text).values(...params) as any[][];
  sql.insert("document_projects", { number: CORPUS_PROJECT.number, project_id: CORPUS_PROJECT.id, version: 1 });
  return {
    sql,
    read,
    fill: (work) => connection.transaction(work)(),
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
  };
};
