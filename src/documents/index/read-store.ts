/** The SQL with which a search reads, on the search thread's own connection or on a database in memory. */

/** Reads rows as arrays of columns: a search reads thousands. */
export type IndexReader = (sql: string, ...params: (string | number)[]) => any[][];

type ProjectState = { number: number; version: number };

/** Undefined for a project that never held a document. */
export const findProjectState = (read: IndexReader, projectId: string): ProjectState | undefined => {
  const row = read("SELECT number, version FROM document_projects WHERE project_id = ?", projectId)[0];
  return row && { number: row[0], version: row[1] };
};

export const listReadyDocuments = (read: IndexReader, projectId: string): number[] =>
  read("SELECT number FROM documents WHERE project_id = ? AND status = 'ready' ORDER BY number", projectId).map(
    ([number]) => number,
  );

export const countReadyChunks = (read: IndexReader, projectId: string): number =>
  read("SELECT coalesce(sum(chunks_done), 0) FROM documents WHERE project_id = ? AND status = 'ready'", projectId)[0]![0];

type StoredBatch = { firstId: number; lengths: Int32Array; vectors: Uint8Array | null };

/** Vectors are those of the space, null where a batch has none in it. */
export const listBatches = (read: IndexReader, projectId: string, document: number, spaceId: number | undefined): StoredBatch[] =>
  read(
    `SELECT first_chunk_id, lengths, vectors FROM chunk_batches b
     LEFT JOIN chunk_vectors v ON v.space_id = ? AND v.document_number = b.document_number AND v.first_index = b.first_index
     WHERE b.document_number = ? AND b.project_id = ? ORDER BY b.first_index`,
    spaceId ?? -1,
    document,
    projectId,
  ).map(([firstId, lengths, vectors]) => ({ firstId, lengths: new Int32Array((lengths as Uint8Array).slice().buffer), vectors }));

/** A term as it stands in the full-text index, which all projects share: it begins with its project's number. */
export const keyOf = (project: number, term: string): string => `${project}x${term}`;

/** As SQL: the term itself, or with a `*` at its end all that begin with it (no character comes after U+10FFFF). */
const matching = (key: string): [where: string, ...params: string[]] =>
  key.endsWith("*") ? ["term >= ? AND term < ?", key.slice(0, -1), `${key.slice(0, -1)}\u{10FFFF}`] : ["term = ?", key];

/** Not exact: a chunk counts once for each term that matches. */
export const countChunksWith = (read: IndexReader, key: string): number => {
  const [where, ...params] = matching(key);
  return read(`SELECT sum(doc) FROM chunk_frequencies WHERE ${where}`, ...params)[0]?.[0] ?? 0;
};

/** The first of the terms that match. */
export const listTerms = (read: IndexReader, key: string, most: number): string[] => {
  const [where, ...params] = matching(key);
  return read(`SELECT term FROM chunk_frequencies WHERE ${where} LIMIT ?`, ...params, most).map(([term]) => term);
};

/** The chunk of each occurrence; a chunk is listed as often as it holds the term. Ascending for each term that matches. */
export const listOccurrences = (read: IndexReader, key: string): [chunkId: number][] => {
  const [where, ...params] = matching(key);
  return read(`SELECT doc FROM chunk_postings WHERE ${where}`, ...params) as [number][];
};

export const listMetadata = (
  read: IndexReader,
  projectId: string,
  collectionId: string | undefined,
): [number: number, metadata: string][] =>
  (collectionId === undefined
    ? read("SELECT number, metadata FROM documents WHERE project_id = ?", projectId)
    : read("SELECT number, metadata FROM documents WHERE project_id = ? AND collection_id = ?", projectId, collectionId)) as [
    number,
    string,
  ][];
