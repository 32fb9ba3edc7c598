/** A file's bytes → its text in pages, whatever of the three kinds it is; a sentence for the uploader when there is none. */
import { decodeText } from "./decode-text.ts";
import { type Extraction, failed } from "./extraction.ts";
import { type ExtractLimits, runExtractChild } from "./run-extract-child.ts";

export type DocumentType = "application/pdf" | "text/plain" | "text/markdown";

/** Fewer characters a page than this on average: the pages are pictures. */
const SCANNED_BELOW = 10;

export type Extractor = (bytes: Uint8Array, contentType: DocumentType, signal?: AbortSignal) => Promise<Extraction>;

const extractPdf = async (
  bytes: Uint8Array,
  limits: ExtractLimits | undefined,
  signal: AbortSignal | undefined,
): Promise<Extraction> => {
  const extraction = await runExtractChild(bytes, limits, signal);
  if (!extraction.ok) return extraction;
  const characters = extraction.pages.reduce((sum, { text }) => sum + text.replace(/\s+/g, "").length, 0);
  return characters < SCANNED_BELOW * extraction.pages.length ? failed("scanned") : extraction;
};

/** PDFs are taken one at a time: each may use a gigabyte. A text is one page. */
export const createExtractor = (limits?: ExtractLimits): Extractor => {
  let last: Promise<unknown> = Promise.resolve();
  return (bytes, contentType, signal) => {
    if (contentType !== "application/pdf") {
      const decoded = decodeText(bytes);
      return Promise.resolve("text" in decoded ? { ok: true, pages: [{ page: 1, text: decoded.text }] } : failed(decoded.reason));
    }
    const next = last.then(() => extractPdf(bytes, limits, signal));
    last = next.catch(() => {});
    return next;
  };
};
