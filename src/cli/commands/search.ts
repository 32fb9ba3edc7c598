/** `signalbox search --corpus F --queries F`: documents ranked by their best passage, by the gateway's own search (decisions §12). */
import { type CorpusDocument, indexCorpus } from "../../documents/search-corpus.ts";
import { loadEncoder } from "../../encoder/encoder.ts";
import { readWords, UsageError } from "../command.ts";

type Query = { id: string | number; text: string };

const readLines = async <Row>(path: string): Promise<Row[]> => {
  const lines = (await Bun.file(path).text()).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, at) => {
    try {
      return JSON.parse(line) as Row;
    } catch {
      throw new Error(`${path}: line ${at + 1} is not JSON.`);
    }
  });
};

export const searchCommand = async (words: string[]): Promise<number> => {
  const { values } = readWords(words, { corpus: { type: "string" }, queries: { type: "string" }, "top-k": { type: "string" } });
  const topK = Number(values["top-k"] ?? 100);
  if (values.corpus === undefined || values.queries === undefined)
    throw new UsageError("Both --corpus and --queries are needed.");
  if (!Number.isInteger(topK) || topK < 1) throw new UsageError("--top-k must be a whole number of at least 1.");
  const corpus = indexCorpus(await readLines<CorpusDocument>(values.corpus), await loadEncoder());
  for (const { id, text } of await readLines<Query>(values.queries)) {
    process.stdout.write(`${JSON.stringify({ id, results: corpus.rank(text, topK) })}\n`);
  }
  return 0;
};
