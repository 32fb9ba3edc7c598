/** A whole collection searched in memory, through the same chunks, index and scores as the server: for `signalbox search` and eval/. */
import { Database as Connection } from "bun:sqlite";
import { sqlOf } from "../database/database.ts";
import schema from "../database/migrations/0003-documents.sql" with { type: "text" };
import type { Encoder } from "../encoder/encoder.ts";
import { nearestChunks } from "./index/nearest-chunks.ts";
import { packVectors } from "./index/pack-vectors.ts";
import { type IndexReader, loadProjectIndex, type ProjectIndex } from "./index/project-index.ts";
import { type Hit, searchProject } from "./index/search-project.ts";
import { spreadOfPairs } from "./index/spread-of-pairs.ts";
import { insertBatch, insertVectors } from "./index/store.ts";
import { createTokenizer } from "./index/tokenize.ts";
import { chunkPages, indexedText, toChunkRow } from "./prepare-chunks.ts";

export type CorpusDocument = { id: string; title?: string; text: string };
export type RankedDocument = { id: string; score: number };
/** `dense` is there to be measured beside the others; the gateway never ranks by it alone. */
export type SearchMode = "fused" | "lexical" | "dense";
export type PassageHit = RankedDocument & { start: number; end: number };

export type Corpus = {
  chunkCount: number;
  /** Documents by their best passage. */
  rank(query: string, topK: number, mode?: SearchMode): RankedDocument[];
  /** Passages with their spans, best first. */
  passages(query: string, topK: number, mode?: SearchMode): PassageHit[];
};

const PROJECT = { id: "corpus", number: 1 };
const SPACE = 1;
/** Passages looked at for each document wanted: the best of a long document's many must not hide the others. */
const PASSAGES_PER_DOCUMENT = 5;

const nearest = (index: ProjectIndex, vector: Float32Array, topK: number): Hit[] =>
  [...nearestChunks(index, vector)]
    .map((score, at) => ({ chunkId: index.chunkIds[at]!, documentNumber: index.documents[index.documentOf[at]!]!, score }))
    .toSorted((left, right) => right.score - left.score || left.chunkId - right.chunkId)
    .slice(0, topK);

export const indexCorpus = (documents: readonly CorpusDocument[], encoder: Encoder): Corpus => {
  const connection = new Connection(":memory:");
  connection.run(schema);
  const sql = sqlOf(connection);
  const tokenize = createTokenizer();
  sql.run("INSERT INTO document_projects (number, project_id, version) VALUES (?, ?, 1)", PROJECT.number, PROJECT.id);
  const addDocument = ({ id, title = "", text }: CorpusDocument, at: number) => {
    const { chunks, starts } = chunkPages([{ page: 1, text }]);
    sql.run(
      `INSERT INTO documents (number, id, project_id, filename, content_type, size_bytes, metadata, mode, status, created_at)
       VALUES (?, ?, ?, ?, 'text/plain', 0, '{}', 'live', 'ready', 0)`,
      at,
      id,
      PROJECT.id,
      title,
    );
    const rows = chunks.map((chunk) => toChunkRow(tokenize, PROJECT.number, title, chunk, starts));
    if (rows.length === 0) return;
    insertBatch(sql, { projectId: PROJECT.id, documentNumber: at, firstIndex: 0, chunks: rows });
    const vectors = encoder.embedMany(chunks.map((chunk) => indexedText(title, chunk)));
    insertVectors(sql, SPACE, at, 0, packVectors(vectors, encoder.dimensions));
  };
  connection.transaction(() => documents.forEach(addDocument))();

  const read: IndexReader = (text, ...params) => connection.query(text).values(...params) as any[][];
  const index = loadProjectIndex(read, PROJECT.id, { id: SPACE, dimensions: encoder.dimensions }, undefined)!;
  const dense = { kind: "local" as const, ...spreadOfPairs(index) };
  const search = (text: string, topK: number, mode: SearchMode): Hit[] => {
    if (mode === "dense") return nearest(index, encoder.embed(text), topK);
    const hybrid = mode === "fused" ? { vector: encoder.embed(text), dense } : {};
    return searchProject(read, tokenize, index, { text, topK, threshold: 0, ...hybrid });
  };
  return {
    chunkCount: index.size,
    rank: (query, topK, mode = "fused") => {
      const ranked = new Map<string, number>();
      for (const { documentNumber, score } of search(query, topK * PASSAGES_PER_DOCUMENT, mode)) {
        const { id } = documents[documentNumber]!;
        if (!ranked.has(id)) ranked.set(id, score);
      }
      return [...ranked].slice(0, topK).map(([id, score]) => ({ id, score }));
    },
    passages: (query, topK, mode = "fused") =>
      search(query, topK, mode).map(({ chunkId, documentNumber, score }) => {
        const [start, end] = read("SELECT start_at, end_at FROM chunks WHERE id = ?", chunkId)[0] as [number, number];
        return { id: documents[documentNumber]!.id, score, start, end };
      }),
  };
};
