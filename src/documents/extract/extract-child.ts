/**
 * The child process of PDF extraction (`signalbox extract-child`, internal): reads a PDF on standard input, writes one JSON line per page,
 * then `{"done":true}` or `{"reason":…}`. The parent limits its memory and time.
 */
import type { Failure, Page } from "./extraction.ts";
import { readPdf, UnreadablePdf } from "./read-pdf.ts";

export type ChildLine = Page | { done: true } | Failure;

export const extractChild = async (): Promise<never> => {
  const output = Bun.stdout.writer();
  const say = async (line: ChildLine) => {
    output.write(`${JSON.stringify(line)}\n`);
    await output.flush();
  };
  try {
    for await (const page of readPdf(await Bun.stdin.bytes())) await say(page);
    await say({ done: true });
  } catch (error) {
    await say({ reason: error instanceof UnreadablePdf ? error.reason : "corrupt" });
  }
  process.exit(0);
};
