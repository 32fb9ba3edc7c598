/** A document in our own terms. */
import type { Mode } from "../accounts/api-key.ts";
import type { DocumentType } from "./document-type.ts";

type DocumentStatus = "processing" | "ready" | "failed";
export type Metadata = Record<string, unknown>;

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

const EXTRACTED_PERCENT = 5;

/** 0-100. Extraction counts as the first twentieth, indexing as the rest. */
export const progressPercent = ({ status, pageCount, chunksDone, chunkCount }: Document): number => {
  if (status === "ready") return 100;
  if (pageCount === null) return 0;
  return chunkCount === null || chunkCount === 0
    ? EXTRACTED_PERCENT
    : Math.min(99, EXTRACTED_PERCENT + Math.floor((94 * chunksDone) / chunkCount));
};

/** A busy machine indexes about this much. */
const BYTES_PER_SECOND = 1_000_000;
const SHORTEST_WAIT_S = 2;
/** Clients do not wait longer than a minute. */
const LONGEST_WAIT_S = 60;

/** Estimate for `Retry-After`: from the progress; before there is any, from the size and the time since the upload. */
export const secondsUntilReady = (document: Document, nowMs: number): number => {
  const percent = progressPercent(document);
  const elapsedS = (nowMs - document.createdAtMs) / 1000;
  const leftS =
    percent > EXTRACTED_PERCENT
      ? (elapsedS * (100 - percent)) / percent
      : Math.max(elapsedS, document.sizeBytes / BYTES_PER_SECOND);
  return Math.min(LONGEST_WAIT_S, Math.max(SHORTEST_WAIT_S, Math.ceil(leftS)));
};

export const chunkIdOf = (documentId: string, index: number): string => `${documentId.replace(/^doc_/, "chunk_")}_${index}`;
