/**
 * The text of PDFs that callers attach to messages. Like uploads they are read one at a time, because each may use a gigabyte, but they wait
 * for no upload, and the projects take turns.
 */

import { digest } from "../../lib/digest.ts";
import { createRecent } from "../../lib/recent.ts";
import { createTurns } from "../../lib/take-turns.ts";
import { EXTRACT_BOUNDS, type Extraction } from "./extraction.ts";
import { joinHyphens } from "./join-hyphens.ts";
import { readChildOutput } from "./read-child-output.ts";
import { runExtractChild } from "./run-extract-child.ts";

/** Somebody waits for the answer, so they may take less time than uploads. */
const LIMITS = { ...EXTRACT_BOUNDS, wallMs: 20_000 };
/** More than any model's context holds; it is parsed on the serving thread. */
const MOST_OUTPUT_BYTES = 5_000_000;

/** The least number of PDFs whose text is remembered, because a conversation sends them again with each turn. */
const REMEMBERED = 8;
/** The output of the extraction. */
const LONGEST_REMEMBERED_BYTES = 500_000;

/** `base64`: the PDF, decoded only when its turn has come. `signal` ends the reading, and only then it rejects. */
export type AttachedReader = (projectId: string, base64: string, signal: AbortSignal) => Promise<Extraction>;

/** Rejects once `signal` aborts, also while the reading waits for its turn. */
const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

export const createAttachedReader = (): AttachedReader => {
  const inTurn = createTurns();
  const known = createRecent<Extraction>(REMEMBERED);
  return async (projectId, base64, signal) => {
    const key = `${projectId} ${digest(base64)}`;
    const found = known.find(key);
    if (found !== undefined) return found;
    const reading = inTurn(projectId, () => runExtractChild([Buffer.from(base64, "base64")], LIMITS, signal));
    const said = await Promise.race([reading, abortOf(signal)]);
    const outputBytes = "output" in said ? said.output.reduce((sum, { byteLength }) => sum + byteLength, 0) : 0;
    if (outputBytes > MOST_OUTPUT_BYTES) return { reason: "characters" };
    const extraction = readChildOutput(said);
    if ("reason" in extraction) return extraction;
    const joined = { pages: joinHyphens(extraction.pages) };
    if (outputBytes <= LONGEST_REMEMBERED_BYTES) known.keep(key, joined);
    return joined;
  };
};
