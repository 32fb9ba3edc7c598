/** Parses the child's output into the PDF's pages, or the reason why there are none. For large PDFs, not on the serving thread. */
import type { ChildLine } from "./extract-child.ts";
import type { Extraction, Page } from "./extraction.ts";
import type { ChildOutput } from "./run-extract-child.ts";

function* linesOf(output: readonly Uint8Array[]): Generator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for (const bytes of output) {
    const pieces = decoder.decode(bytes, { stream: true }).split("\n");
    rest.push(pieces[0]!);
    if (pieces.length === 1) continue;
    yield rest.join("");
    yield* pieces.slice(1, -1);
    rest = [pieces.at(-1)!];
  }
}

export const readChildOutput = (said: ChildOutput): Extraction => {
  if ("reason" in said) return said;
  const pages: Page[] = [];
  for (const line of linesOf(said.output)) {
    const message = JSON.parse(line) as ChildLine;
    if ("page" in message) pages.push(message);
    else if ("reason" in message) return message;
    else return { pages };
  }
  // It ended without a result.
  return { reason: "crashed" };
};
