/** The development collections, read where they lie beside the repository; none of their text is kept in it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CorpusDocument } from "../../src/documents/corpus/search-corpus.ts";

export const DATA = join(import.meta.dir, "../../../shared/data");
export const hasData = (): boolean => existsSync(DATA);

export type Query = { id: string; text: string };
export type Collection = {
  name: string;
  corpus: CorpusDocument[];
  queries: Query[];
  /** Query → document → grade above 0. */
  relevant: Map<string, Map<string, number>>;
};

export const readJsonLines = async <Row>(path: string): Promise<Row[]> =>
  (await Bun.file(join(DATA, path)).text())
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

const readRelevant = async (path: string): Promise<Collection["relevant"]> => {
  const relevant: Collection["relevant"] = new Map();
  const lines = (await Bun.file(join(DATA, path)).text()).trim().split("\n").slice(1);
  for (const line of lines) {
    const [query, document, grade] = line.split("\t") as [string, string, string];
    if (Number(grade) <= 0) continue;
    if (!relevant.has(query)) relevant.set(query, new Map());
    relevant.get(query)!.set(document, Number(grade));
  }
  return relevant;
};

/** Only queries that have something to be found. */
export const readCollection = async (
  name: string,
  folder: string,
  queries = "queries",
  judgements = "qrels",
): Promise<Collection> => {
  const relevant = await readRelevant(`${folder}/${judgements}.tsv`);
  const all = await readJsonLines<Query>(`${folder}/${queries}.jsonl`);
  return {
    name,
    corpus: await readJsonLines<CorpusDocument>(`${folder}/corpus.jsonl`),
    queries: all.filter(({ id }) => relevant.has(id)),
    relevant,
  };
};

export type GoldSpan = { start_index: number; end_index: number };
export type ChunkingQuestion = { id: string; corpus: string; text: string; references: GoldSpan[] };

const CHUNKING_TEXTS = ["chatlogs", "finance", "pubmed", "state_of_the_union", "wikitexts"] as const;

export const readChunking = async (): Promise<{ texts: Map<string, string>; questions: ChunkingQuestion[] }> => {
  const texts = new Map<string, string>();
  for (const name of CHUNKING_TEXTS) texts.set(name, await Bun.file(join(DATA, `chunking/corpora/${name}.md`)).text());
  return { texts, questions: await readJsonLines<ChunkingQuestion>("chunking/questions.jsonl") };
};
