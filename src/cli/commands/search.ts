/** `signalbox search --corpus F --queries F`: documents ranked by their best passage, by the gateway's own search (decisions §12). */
import { indexCorpus } from "../../documents/corpus/search-corpus.ts";
import { loadEncoder } from "../../encoder/encoder.ts";
import { isRecord } from "../../lib/is-record.ts";
import { type Given, readCount, UsageError } from "../command.ts";
import { requireText } from "./each-line.ts";

type Id = string | number;
type Row = { id: Id; title?: string; text: string };

/** Throws for the first invalid line. */
const readLines = async (path: string): Promise<Row[]> =>
  (await Bun.file(path).text()).split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      return [requireRow(JSON.parse(line))];
    } catch (error) {
      const reason = error instanceof SyntaxError ? "is not JSON" : `cannot be used: ${(error as Error).message}`;
      throw new Error(`${path}: line ${at + 1} ${reason}.`);
    }
  });

const requireRow = (line: unknown): Row => {
  if (!isRecord(line)) throw new Error("it is not a JSON object");
  const text = requireText(line, "text");
  const { id, title } = line;
  if (typeof id !== "string" && typeof id !== "number") throw new Error("`id` must be a string or a number");
  return { id, text, ...(typeof title === "string" && { title }) };
};

/** Results have the file's ids, numbers as numbers. Throws if two documents have the same. */
const idsByName = (path: string, rows: Row[]): Map<string, Id> => {
  const ids = new Map<string, Id>();
  for (const { id } of rows) {
    if (ids.has(String(id))) throw new Error(`${path}: two documents have the id ${JSON.stringify(id)}.`);
    ids.set(String(id), id);
  }
  return ids;
};

export const searchCommand = async ({ values }: Given): Promise<number> => {
  if (values.corpus === undefined || values.queries === undefined)
    throw new UsageError("Both --corpus and --queries are needed.");
  const topK = readCount("--top-k", values["top-k"] ?? "100", 1_000_000);
  const documents = await readLines(values.corpus);
  const queries = await readLines(values.queries);
  const ids = idsByName(values.corpus, documents);
  const corpus = indexCorpus(
    documents.map((document) => ({ ...document, id: String(document.id) })),
    await loadEncoder(),
  );
  for (const { id, text } of queries) {
    const results = corpus.rank(text, topK).map((found) => ({ ...found, id: ids.get(found.id) }));
    process.stdout.write(`${JSON.stringify({ id, results })}\n`);
  }
  return 0;
};
