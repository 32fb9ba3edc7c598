/** A whole collection searched in memory, through the same chunks, index and scores as the server: for `signalbox search` and eval/. */
import type { Encoder } from "../../encoder/encoder.ts";
import { integerVector, nearnessOfAll } from "../index/nearest-chunks.ts";
import { packVectors } from "../index/pack-vectors.ts";
import { loadProjectIndex, type ProjectIndex } from "../index/project-index.ts";
import { ANY_RELATION, createProjectSearch, type Hit } from "../index/search-project.ts";
import { spreadOf } from "../index/spread-of-pairs.ts";
import { insertBatch, insertVectors } from "../index/store.ts";
import { createTokenizer } from "../index/tokenize.ts";
import { chunkDocument, indexedText, toChunkRow } from "../prepare-chunks.ts";
import { CORPUS_PROJECT, type CorpusStore, openCorpusStore } from "./corpus-store.ts";

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

const SPACE = 1;
/** Passages looked at for each document wanted: the best of a long document's many must not hide the others. */
const PASSAGES_PER_DOCUMENT = 5;

const nearest = (index: ProjectIndex, vector: Float32Array, topK: number): Hit[] => {
  const nearness = nearnessOfAll(index, integerVector(vector));
  return Array.from({ length: index.size }, (_, at) => ({
    chunkId: index.chunkIds[at]!,
    documentNumber: index.documents[index.documentOf[at]!]!,
    score: nearness(at),
  }))
    .toSorted((left, right) => right.score - left.score || left.chunkId - right.chunkId)
    .slice(0, topK);
};

export type CorpusEncoder = Pick<Encoder, "dimensions" | "embed">;

/** All documents are added before the first search. */
export const buildCorpus = (
  { sql, read, insertReadyDocument, findSpan }: CorpusStore,
  encoder: CorpusEncoder,
): { add(document: CorpusDocument): void; index(): Corpus } => {
  const tokenize = createTokenizer();
  const documents: CorpusDocument[] = [];
  const add = (document: CorpusDocument): void => {
    const { id, title = "" } = document;
    const at = documents.push(document) - 1;
    // A title without a text is all there is to be found.
    const [name, text] = document.text.trim() === "" ? ["", title] : [title, document.text];
    const chunks = chunkDocument([{ page: 1, text }], "text/plain");
    insertReadyDocument(at, id, name);
    const rows = chunks.map((chunk) => toChunkRow(tokenize, CORPUS_PROJECT.number, name, chunk));
    if (rows.length === 0) return;
    insertBatch(sql, { projectId: CORPUS_PROJECT.id, documentNumber: at, firstIndex: 0, chunks: rows });
    const vectors = chunks.map((chunk) => encoder.embed(indexedText(name, chunk)));
    insertVectors(sql, SPACE, at, 0, packVectors(vectors, encoder.dimensions));
  };
  const index = (): Corpus => {
    const loaded = loadProjectIndex(read, CORPUS_PROJECT.id, { id: SPACE, dimensions: encoder.dimensions }, undefined)!;
    const dense = { kind: "local" as const, ...spreadOf(loaded) };
    const searchProject = createProjectSearch(tokenize);
    const search = (text: string, topK: number, mode: SearchMode): Hit[] => {
      if (mode === "dense") return nearest(loaded, encoder.embed(text), topK);
      const hybrid = mode === "fused" ? { vector: encoder.embed(text), dense } : {};
      return searchProject(read, loaded, { text, topK, threshold: ANY_RELATION, ...hybrid });
    };
    return {
      chunkCount: loaded.size,
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
          const [start, end] = findSpan(chunkId);
          return { id: documents[documentNumber]!.id, score, start, end };
        }),
    };
  };
  return { add, index };
};

export const indexCorpus = (documents: readonly CorpusDocument[], encoder: CorpusEncoder): Corpus => {
  const { add, index } = buildCorpus(openCorpusStore(), encoder);
  for (const document of documents) add(document);
  return index();
};
