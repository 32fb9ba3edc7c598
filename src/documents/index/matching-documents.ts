/** Which documents a query may return. Filters are applied before anything is ranked, so that no excluded document displaces another. */
import { type IndexReader, listMetadata } from "./read-store.ts";

/** All that is given must hold. */
export type DocumentFilter = {
  collectionId?: string;
  /** Each member equals that of the document's custom metadata; lists and objects are compared by their contents. */
  metadata?: Record<string, unknown>;
  documentNumbers?: number[];
};

const isSame = (own: unknown, wanted: unknown): boolean => own === wanted || Bun.deepEquals(own, wanted);

const holds = (metadata: string, wanted: [string, unknown][]): boolean => {
  const values = JSON.parse(metadata) as Record<string, unknown>;
  return wanted.every(([key, value]) => Object.hasOwn(values, key) && isSame(values[key], value));
};

/** The documents' numbers; undefined if the filter excludes nothing. */
export const matchingDocuments = (read: IndexReader, projectId: string, filter: DocumentFilter): Set<number> | undefined => {
  const wanted = Object.entries(filter.metadata ?? {});
  const named = filter.documentNumbers && new Set(filter.documentNumbers);
  // A chat only names documents, so the others need not be read. A document of another project is not in this project's index.
  if (wanted.length === 0 && filter.collectionId === undefined) return named;
  const rows = listMetadata(read, projectId, filter.collectionId);
  const matching = new Set<number>();
  for (const [number, metadata] of rows) {
    if ((named === undefined || named.has(number)) && (wanted.length === 0 || holds(metadata, wanted))) matching.add(number);
  }
  return matching;
};
