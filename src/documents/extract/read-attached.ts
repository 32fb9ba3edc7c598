/**
 * The text of PDFs that callers attach to messages. Like uploads they are read one at a time, because each may use a gigabyte, but they wait
 * for no upload, and the projects take turns.
 */

import { type Extraction, failed } from "./extraction.ts";
import { joinHyphens } from "./join-hyphens.ts";
import { readChildOutput } from "./read-child-output.ts";
import { runExtractChild } from "./run-extract-child.ts";
import { createTurns } from "./take-turns.ts";

/** Somebody waits for the answer, so they may take less than uploads. */
const LIMITS = { memoryBytes: 1_073_741_824, wallMs: 20_000 };
/** More than any model's context holds; it is parsed on the serving thread. */
const MOST_OUTPUT_BYTES = 5_000_000;

/** `base64`: the PDF, decoded only when its turn has come. `signal` ends the reading, and only then it rejects. */
export type AttachedReader = (projectId: string, base64: string, signal: AbortSignal) => Promise<Extraction>;

export const createAttachedReader = (): AttachedReader => {
  const inTurn = createTurns();
  return async (projectId, base64, signal) => {
    const said = await inTurn(projectId, () => runExtractChild([Buffer.from(base64, "base64")], LIMITS, signal));
    if ("output" in said && said.output.reduce((sum, { byteLength }) => sum + byteLength, 0) > MOST_OUTPUT_BYTES)
      return failed("characters");
    const extraction = readChildOutput(said);
    return extraction.ok ? { ok: true, pages: joinHyphens(extraction.pages) } : extraction;
  };
};
