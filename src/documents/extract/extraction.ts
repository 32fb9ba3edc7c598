/** The result of extracting a file's text. A failure is an expected outcome; `FAILURES` has its sentence for the uploader. */

export type Page = { page: number; text: string };

export type Failure = { reason: FailureReason };
export type Extraction = { pages: Page[] } | Failure;

/** Stands for a damaged page, so that the others can be read. */
export const UNREAD_PAGE = "[This page could not be read.]";

/** Bounds against hostile files: beyond them the document ends `failed` (retrieval-notes §3). */
export const EXTRACT_BOUNDS = {
  pages: 5_000,
  /** More than a text file of the largest size can hold. */
  characters: 21_000_000,
  /** Resident memory of the extracting process. */
  memoryBytes: 1_073_741_824,
  wallMs: 60_000,
} as const;

export const FAILURES = {
  password: "This PDF is protected by a password. Remove the password and upload it again.",
  corrupt: "This PDF is damaged or incomplete and could not be read. Export or download it again, then upload it once more.",
  scanned:
    "This PDF has no text in it: its pages are images, as from a scanner. Run text recognition (OCR) on it and upload the result.",
  empty: "This file has no text in it.",
  pages: `This PDF has more than ${EXTRACT_BOUNDS.pages} pages. Split it and upload the parts.`,
  characters: `This file has more than ${EXTRACT_BOUNDS.characters / 1e6} million characters of text. Split it and upload the parts.`,
  memory:
    "Reading this PDF took more memory than allowed. Its contents are too large or too deeply nested; print it to a new PDF and upload that.",
  time: `This PDF could not be read within ${EXTRACT_BOUNDS.wallMs / 1000} seconds. Split it or print it to a new PDF, then upload that.`,
  crashed: "Reading this PDF ended unexpectedly. Print it to a new PDF and upload that.",
  encoding: "This file is not text in UTF-8 or UTF-16. Save it as UTF-8 and upload it again.",
  binary: "This file holds control characters, so it is not plain text. Upload the text itself or a PDF.",
} as const;

export type FailureReason = keyof typeof FAILURES;
