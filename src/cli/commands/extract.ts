/** `signalbox extract FILE`: what the document pipeline reads out of a file (decisions §12). */
import { basename } from "node:path";
import { ACCEPTED_KINDS, documentTypeOf } from "../../documents/document-type.ts";
import { extractFile } from "../../documents/extract/extract-file.ts";
import { FAILURES } from "../../documents/extract/extraction.ts";
import { type Given, UsageError } from "../command.ts";

export const extractCommand = async ({ positionals }: Given): Promise<number> => {
  const path = positionals[0]!;
  const contentType = documentTypeOf(basename(path));
  if (contentType === undefined) throw new UsageError(`Only ${ACCEPTED_KINDS} can be read.`);
  const extraction = await extractFile(await Bun.file(path).bytes(), contentType);
  if ("reason" in extraction) {
    process.stderr.write(`signalbox: ${FAILURES[extraction.reason]}\n`);
    return 1;
  }
  process.stdout.write(`${JSON.stringify({ pages: extraction.pages })}\n`);
  return 0;
};
