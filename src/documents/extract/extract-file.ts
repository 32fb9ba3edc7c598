/** Extracts a file's text in pages, or says why it has none. */
import { createTurns } from "../../lib/take-turns.ts";
import type { DocumentType } from "../document-type.ts";
import { decodeText } from "./decode-text.ts";
import type { Extraction } from "./extraction.ts";
import { joinHyphens } from "./join-hyphens.ts";
import { readChildOutput } from "./read-child-output.ts";
import { type ChildOutput, type ExtractLimits, runExtractChild } from "./run-extract-child.ts";

/** Takes the file in parts. Runs one PDF at a time, because each may use a gigabyte. */
export type PdfExtractor = (pdf: readonly Uint8Array[], signal?: AbortSignal) => Promise<ChildOutput>;

export const createPdfExtractor = (limits?: ExtractLimits): PdfExtractor => {
  const inTurn = createTurns();
  return (pdf, signal) => inTurn("", () => runExtractChild(pdf, limits, signal));
};

/** Extracts a whole file for the command line: text is one page; a PDF's pages keep their headers and footers. */
export const extractFile = async (bytes: Uint8Array, contentType: DocumentType): Promise<Extraction> => {
  if (contentType === "application/pdf") {
    const extraction = readChildOutput(await runExtractChild([bytes]));
    return "pages" in extraction ? { pages: joinHyphens(extraction.pages) } : extraction;
  }
  const decoded = decodeText(bytes);
  return "text" in decoded ? { pages: [{ page: 1, text: decoded.text }] } : decoded;
};
