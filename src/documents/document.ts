/** A document in our own terms. */
import type { Mode } from "../accounts/api-key.ts";
import type { DocumentType } from "./extract/extract-file.ts";

type DocumentStatus = "processing" | "ready" | "failed";
export type Metadata = Record<string, unknown>;
export type { DocumentType };

export type Document = {
  /** A sequence number, which identifies the document inside the index. */
  number: number;
  id: string;
  projectId: string;
  collectionId: string | null;
  filename: string;
  contentType: DocumentType;
  sizeBytes: number;
  metadata: Metadata;
  mode: Mode;
  status: DocumentStatus;
  errorMessage: string | null;
  /** Null until the text has been extracted. */
  pageCount: number | null;
  characterCount: number | null;
  chunksDone: number;
  chunkCount: number | null;
  createdAtMs: number;
};

/** Text and Markdown have no pages; so many characters count as one (real pages hold 280 to 375 words). */
export const CHARACTERS_PER_PAGE = 3_000;

/** 0-100. Extraction counts as the first twentieth, indexing as the rest. */
export const progressPercent = ({ status, pageCount, chunksDone, chunkCount }: Document): number => {
  if (status === "ready") return 100;
  if (pageCount === null) return 0;
  return chunkCount === null || chunkCount === 0 ? 5 : Math.min(99, 5 + Math.floor((94 * chunksDone) / chunkCount));
};

export const chunkIdOf = (documentId: string, index: number): string => `${documentId.replace(/^doc_/, "chunk_")}_${index}`;
