/** A file's bytes → its text in pages, whatever of the three kinds it is; a sentence for the uploader when there is none. */
import { decodeText } from "./decode-text.ts";
import { type Extraction, failed } from "./extraction.ts";
import { type ExtractLimits, runExtractChild } from "./run-extract-child.ts";

export type DocumentType = "application/pdf" | "text/plain" | "text/markdown";

/** Fewer characters a page than this on average: the pages are pictures. */
const SCANNED_BELOW = 10;

/** Takes PDFs one at a time: each may use a gigabyte. */
export type PdfExtractor = (pdf: Uint8Array, signal?: AbortSignal) => Promise<Extraction>;

const extractPdf = async (
  pdf: Uint8Array,
  limits: ExtractLimits | undefined,
  signal: AbortSignal | undefined,
): Promise<Extraction> => {
  const extraction = await runExtractChild(pdf, limits, signal);
  if (!extraction.ok) return extraction;
  const characters = extraction.pages.reduce((sum, { text }) => sum + text.replace(/\s+/g, "").length, 0);
  return characters < SCANNED_BELOW * extraction.pages.length ? failed("scanned") : extraction;
};

export const createPdfExtractor = (limits?: ExtractLimits): PdfExtractor => {
  let last: Promise<unknown> = Promise.resolve();
  return (pdf, signal) => {
    const next = last.then(() => extractPdf(pdf, limits, signal));
    last = next.catch(() => {});
    return next;
  };
};

/** A file as a whole, for the command line: a text is one page. */
export const extractFile = async (bytes: Uint8Array, contentType: DocumentType): Promise<Extraction> => {
  if (contentType === "application/pdf") return extractPdf(bytes, undefined, undefined);
  const decoded = decodeText(bytes);
  return "text" in decoded ? { ok: true, pages: [{ page: 1, text: decoded.text }] } : failed(decoded.reason);
};
