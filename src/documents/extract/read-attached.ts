/** The text of PDFs that callers attach to messages. Like uploads they are read one at a time, but they wait for no upload. */

import { createPdfExtractor } from "./extract-file.ts";
import { type Extraction, failed } from "./extraction.ts";
import { joinHyphens } from "./join-hyphens.ts";
import { readChildOutput } from "./read-child-output.ts";

/** Somebody waits for the answer, so they may take less than uploads. */
const LIMITS = { memoryBytes: 1_073_741_824, wallMs: 20_000 };
/** More than any model's context holds; it is parsed on the serving thread. */
const MOST_OUTPUT_BYTES = 5_000_000;

/** `signal` ends the reading, and only then it rejects. */
export type AttachedReader = (pdf: Uint8Array, signal: AbortSignal) => Promise<Extraction>;

export const createAttachedReader = (): AttachedReader => {
  const extract = createPdfExtractor(LIMITS);
  return async (pdf, signal) => {
    const said = await extract([pdf], signal);
    if ("output" in said && said.output.reduce((sum, { byteLength }) => sum + byteLength, 0) > MOST_OUTPUT_BYTES)
      return failed("characters");
    const extraction = readChildOutput(said);
    return extraction.ok ? { ok: true, pages: joinHyphens(extraction.pages) } : extraction;
  };
};
