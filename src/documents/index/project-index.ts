/**
 * One project's searchable chunks in memory: the document, length and vector of each. The search thread keeps it between queries and
 * updates it document by document, so that a query reads only the postings of its own terms.
 */
import { unpackVectors } from "./pack-vectors.ts";
import { countReadyChunks, findProjectState, type IndexReader, listBatches, listReadyDocuments } from "./read-store.ts";
import type { Occurrences } from "./score-lexical.ts";

type Batch = { firstId: number; count: number; position: number };

export type ProjectIndex = {
  projectId: string;
  /** Stands for the project in the index terms. */
  projectNumber: number;
  spaceId: number | undefined;
  dimensions: number;
  version: number;
  /** By first chunk id, ascending. */
  batches: Batch[];
  /** Document numbers by ordinal, and whether each may still be found. */
  documents: number[];
  ordinals: Map<number, number>;
  alive: boolean[];
  /** By position; `size` entries are filled. */
  size: number;
  chunkIds: Float64Array;
  documentOf: Int32Array;
  lengths: Int32Array;
  /** As stored: int8 times a scale for each chunk. */
  vectors: Int8Array;
  scales: Float32Array;
  /** Number of searchable chunks. */
  liveChunks: number;
  liveTerms: number;
  /** How many chunks hold a term, for the terms asked so far. Not exact: it only decides what a query can afford to read. */
  frequencies: Map<string, number>;
  /** Terms that were read for earlier searches of this version (see read-postings.ts), and how many occurrences these are. */
  occurrences: Map<string, Occurrences>;
  occurrencesKept: number;
  /** For this version of the index, see spread-of-pairs.ts. */
  spread: { mean: number; spread: number } | undefined;
};

/** When more than this share of the memory belongs to deleted documents, the index is loaded anew. */
const MOST_DEAD = 0.25;

/** Frequencies are counted anew when the project has grown or shrunk by more than this share since. */
const STALE = 0.1;

const emptyIndex = (projectId: string, projectNumber: number, spaceId: number | undefined, dimensions: number): ProjectIndex => ({
  projectId,
  projectNumber,
  spaceId,
  dimensions,
  version: -1,
  batches: [],
  documents: [],
  ordinals: new Map(),
  alive: [],
  size: 0,
  chunkIds: new Float64Array(0),
  documentOf: new Int32Array(0),
  lengths: new Int32Array(0),
  vectors: new Int8Array(0),
  scales: new Float32Array(0),
  liveChunks: 0,
  liveTerms: 0,
  frequencies: new Map(),
  occurrences: new Map(),
  occurrencesKept: 0,
  spread: undefined,
});

const grown = <T extends Float64Array | Int32Array | Float32Array | Int8Array>(array: T, needed: number): T => {
  if (array.length >= needed) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.ceil(Math.max(needed, array.length * 1.5)));
  larger.set(array);
  return larger;
};

const reserve = (index: ProjectIndex, chunks: number): void => {
  const needed = index.size + chunks;
  index.chunkIds = grown(index.chunkIds, needed);
  index.documentOf = grown(index.documentOf, needed);
  index.lengths = grown(index.lengths, needed);
  index.scales = grown(index.scales, needed);
  index.vectors = grown(index.vectors, needed * index.dimensions);
};

const addBatch = (
  index: ProjectIndex,
  document: number,
  firstId: number,
  lengths: Int32Array,
  vectors: Uint8Array | null,
): void => {
  reserve(index, lengths.length);
  const position = index.size;
  const ordinal = index.ordinals.get(document)!;
  for (let at = 0; at < lengths.length; at++) {
    index.chunkIds[position + at] = firstId + at;
    index.documentOf[position + at] = ordinal;
    index.lengths[position + at] = lengths[at]!;
    index.liveTerms += lengths[at]!;
  }
  if (vectors !== null && index.dimensions > 0) unpackVectors(vectors, index.dimensions, index.vectors, index.scales, position);
  index.batches.push({ firstId, count: lengths.length, position });
  index.size += lengths.length;
  index.liveChunks += lengths.length;
};

const addDocument = (read: IndexReader, index: ProjectIndex, document: number): void => {
  index.ordinals.set(document, index.documents.length);
  index.documents.push(document);
  index.alive.push(true);
  for (const { firstId, lengths, vectors } of listBatches(read, index.projectId, document, index.spaceId)) {
    addBatch(index, document, firstId, lengths, vectors);
  }
};

const dropDocument = (index: ProjectIndex, ordinal: number): void => {
  index.alive[ordinal] = false;
  index.ordinals.delete(index.documents[ordinal]!);
  for (let position = 0; position < index.size; position++) {
    if (index.documentOf[position] !== ordinal) continue;
    index.liveChunks--;
    index.liveTerms -= index.lengths[position]!;
  }
};

type SpaceOfIndex = { id: number; dimensions: number };

/** The index as the file has it now: `before` with what changed since, or a new one. Undefined for a project without documents. */
export const loadProjectIndex = (
  read: IndexReader,
  projectId: string,
  space: SpaceOfIndex | undefined,
  before: ProjectIndex | undefined,
): ProjectIndex | undefined => {
  const state = findProjectState(read, projectId);
  if (state === undefined) return undefined;
  const sameSpace = before !== undefined && before.spaceId === space?.id;
  if (sameSpace && before.version === state.version) return before;
  const index =
    sameSpace && before.liveChunks >= before.size * (1 - MOST_DEAD)
      ? before
      : emptyIndex(projectId, state.number, space?.id, space?.dimensions ?? 0);
  const chunksBefore = index.liveChunks;
  const ready = new Set(listReadyDocuments(read, projectId));
  for (const [document, ordinal] of index.ordinals) if (!ready.has(document)) dropDocument(index, ordinal);
  // In one step, so that the arrays of a large project are not copied again and again while it is read.
  if (index.size === 0) reserve(index, countReadyChunks(read, projectId));
  for (const document of ready) if (!index.ordinals.has(document)) addDocument(read, index, document);
  if (Math.abs(index.liveChunks - chunksBefore) > STALE * chunksBefore) index.frequencies.clear();
  index.occurrences.clear();
  index.occurrencesKept = 0;
  index.spread = undefined;
  index.batches.sort((left, right) => left.firstId - right.firstId);
  index.version = state.version;
  return index;
};

/** How much memory it takes, roughly: vectors, what is kept of each chunk, and the terms read for earlier searches. */
export const bytesOf = ({ vectors, scales, chunkIds, documentOf, lengths, occurrencesKept }: ProjectIndex): number =>
  vectors.byteLength + scales.byteLength + chunkIds.byteLength + documentOf.byteLength + lengths.byteLength + 5 * occurrencesKept;

/** Finds the positions of chunk ids that are asked for in ascending order; -1 for a chunk that may not be found. */
export const createWalker = (index: ProjectIndex): ((chunkId: number) => number) => {
  const { batches } = index;
  let at = 0;
  return (chunkId) => {
    let step = 1;
    // Gallop: the next chunk is near where postings are dense and far where they are not.
    while (at + step < batches.length && batches[at + step]!.firstId <= chunkId) {
      at += step;
      step *= 2;
    }
    while (step > 1) {
      step >>= 1;
      if (at + step < batches.length && batches[at + step]!.firstId <= chunkId) at += step;
    }
    const batch = batches[at];
    const offset = batch === undefined ? -1 : chunkId - batch.firstId;
    if (batch === undefined || offset < 0 || offset >= batch.count) return -1;
    const position = batch.position + offset;
    return index.alive[index.documentOf[position]!] ? position : -1;
  };
};
