/** Which documents a query may look into: filters are applied before anything is ranked, so that none can push another out. */
import { type IndexReader, listMetadata } from "./read-store.ts";

export type DocumentFilter = {
  collectionId?: string;
  /** Equality on custom metadata, of lists and objects too; all must hold. */
  metadata?: Record<string, unknown>;
  documentNumbers?: number[];
};

const isSame = (own: unknown, wanted: unknown): boolean => own === wanted || Bun.deepEquals(own, wanted);

const holds = (metadata: string, wanted: [string, unknown][]): boolean => {
  const values = JSON.parse(metadata) as Record<string, unknown>;
  return wanted.every(([key, value]) => Object.hasOwn(values, key) && isSame(values[key], value));
};

export const matchingDocuments = (read: IndexReader, projectId: string, filter: DocumentFilter): Set<number> => {
  const wanted = Object.entries(filter.metadata ?? {});
  const named = filter.documentNumbers && new Set(filter.documentNumbers);
  // A chat names its documents: nothing has to be read of all the others. What is not the project's own is not in its index.
  if (named !== undefined && wanted.length === 0 && filter.collectionId === undefined) return named;
  const rows = listMetadata(read, projectId, filter.collectionId);
  const matching = new Set<number>();
  for (const [number, metadata] of rows) {
    if ((named === undefined || named.has(number)) && (wanted.length === 0 || holds(metadata, wanted))) matching.add(number);
  }
  return matching;
};
