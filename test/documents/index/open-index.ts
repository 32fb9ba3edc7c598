/** Small indexes in memory, for tests of what is found in them. */

import { Database as Connection } from "bun:sqlite";
import { sqlOf } from "../../../src/database/database.ts";
import schema from "../../../src/database/migrations/0003-documents.sql" with { type: "text" };
import { packVectors, unitVector } from "../../../src/documents/index/pack-vectors.ts";
import { loadProjectIndex, type ProjectIndex } from "../../../src/documents/index/project-index.ts";
import type { IndexReader } from "../../../src/documents/index/read-store.ts";
import { ANY_RELATION, createProjectSearch, type SearchQuery } from "../../../src/documents/index/search-project.ts";
import { deleteSomeChunks, insertBatch, insertVectors } from "../../../src/documents/index/store.ts";
import { createTokenizer } from "../../../src/documents/index/tokenize.ts";
import { toChunkRow } from "../../../src/documents/prepare-chunks.ts";

const tokenize = createTokenizer();
export const searchProject = createProjectSearch(tokenize);
export const SPACE = { id: 1, dimensions: 4 };

/** An index in memory: `add` writes a document whose every text is one chunk. */
export const openIndex = () => {
  const connection = new Connection(":memory:");
  connection.run(schema);
  const sql = sqlOf(connection);
  const read: IndexReader = (text, ...params) => connection.query(text).values(...params) as any[][];
  const projectNumber = (projectId: string): number => {
    sql.run("INSERT INTO document_projects (project_id) VALUES (?) ON CONFLICT DO UPDATE SET version = version + 1", projectId);
    return sql.get<{ number: number }>("SELECT number FROM document_projects WHERE project_id = ?", projectId)!.number;
  };
  const add = (
    projectId: string,
    texts: string[],
    options: { collection?: string; metadata?: object; vectors?: number[][] } = {},
  ): number => {
    const project = projectNumber(projectId);
    const { lastInsertRowid: number } = sql.run(
      `INSERT INTO documents (id, project_id, collection_id, filename, content_type, size_bytes, metadata, mode, status, created_at)
       VALUES (?, ?, ?, 'f.txt', 'text/plain', 0, ?, 'live', 'ready', 0)`,
      crypto.randomUUID(),
      projectId,
      options.collection ?? null,
      JSON.stringify(options.metadata ?? {}),
    );
    const chunks = texts.map((content) =>
      toChunkRow(tokenize, project, "", { content, start: 0, end: content.length, headings: [], pageFrom: 1, pageTo: 1 }),
    );
    insertBatch(sql, { projectId, documentNumber: number, firstIndex: 0, chunks });
    if (options.vectors) insertVectors(sql, SPACE.id, number, 0, packVectors(options.vectors.map(unitVector), SPACE.dimensions));
    return number;
  };
  const remove = (projectId: string, number: number) => {
    sql.run("DELETE FROM documents WHERE number = ?", number);
    projectNumber(projectId);
    return deleteSomeChunks(sql, number, 1_000);
  };
  const load = (projectId: string, before?: ProjectIndex) => loadProjectIndex(read, projectId, SPACE, before)!;
  const search = (projectId: string, text: string, more: Partial<SearchQuery> = {}, before?: ProjectIndex) =>
    searchProject(read, load(projectId, before), { text, topK: 10, threshold: ANY_RELATION, ...more });
  return { sql, read, add, remove, load, search };
};
