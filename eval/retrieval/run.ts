/**
 * `bun run eval:retrieval`: the search of the gateway, with nothing but the local encoder, on the development collections.
 * Prints Markdown and writes it to eval/results/retrieval-<date>.md. Figures were tuned on SciFact's training claims and XQuAD only.
 */
import { join } from "node:path";
import { type Corpus, indexCorpus, type SearchMode } from "../../src/documents/search-corpus.ts";
import { type Encoder, loadEncoder } from "../../src/encoder/encoder.ts";
import { measureChunking } from "./measure-chunking.ts";
import { measureRanking } from "./measure-ranking.ts";
import { bestScores, rightScores, thresholdCurve } from "./measure-threshold.ts";
import { type Collection, hasData, readChunking, readCollection } from "./read-collection.ts";

const MODES: SearchMode[] = ["lexical", "dense", "fused"];
const number = (value: number, digits = 4) => value.toFixed(digits);
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const row = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
const table = (head: string[], rows: (string | number)[][]) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row), ""].join("\n");

type Indexed = { collection: Collection; corpus: Corpus; chunksPerSecond: number };

const indexed = (collection: Collection, encoder: Encoder): Indexed => {
  const startedAt = performance.now();
  const corpus = indexCorpus(collection.corpus, encoder);
  return { collection, corpus, chunksPerSecond: (corpus.chunkCount / (performance.now() - startedAt)) * 1000 };
};

const rankingTable = (all: Indexed[]): string =>
  table(
    ["collection", "mode", "nDCG@10", "Recall@10", "Recall@100", "query p50 ms"],
    all.flatMap(({ collection, corpus }) =>
      MODES.map((mode) => {
        const { ndcg10, recall10, recall100, medianMs } = measureRanking(corpus, collection, mode);
        return [collection.name, mode, number(ndcg10), number(recall10), number(recall100), number(medianMs, 1)];
      }),
    ),
  );

const chunkingTable = async (encoder: Encoder): Promise<string> => {
  const { texts, questions } = await readChunking();
  return table(
    ["mode", "gold in top 5", "within 6,000 characters", "within 12,000", "hit in top 5", "chunks"],
    MODES.map((mode) => {
      const { top5, within6000, within12000, hitInTop5, chunks } = measureChunking(texts, questions, encoder, mode);
      return [mode, number(top5, 3), number(within6000, 3), number(within12000, 3), number(hitInTop5, 3), chunks];
    }),
  );
};

const thresholdTable = (name: string, { collection, corpus }: Indexed, offTopic: string[]): string => {
  const queries = collection.queries.map(({ id, text }) => ({
    text,
    right: (document: string) => collection.relevant.get(id)!.has(document),
  }));
  const curve = thresholdCurve(rightScores(corpus, queries), bestScores(corpus, offTopic));
  const rows = curve.map(({ threshold, rightLost, offTopicAnswered }) => [
    threshold,
    percent(rightLost),
    percent(offTopicAnswered),
  ]);
  return `${name}\n\n${table(["threshold", "right hit lost", "off-topic answered"], rows)}`;
};

const main = async (): Promise<void> => {
  if (!hasData()) {
    console.log("The development collections are not beside this repository (../shared/data): nothing to measure.");
    return;
  }
  const encoder = await loadEncoder();
  const scifact = indexed(await readCollection("SciFact, 300 test claims", "retrieval"), encoder);
  const training = {
    ...scifact,
    collection: await readCollection("SciFact, 809 training claims", "retrieval", "train_queries", "train_qrels"),
  };
  const languages: Indexed[] = [];
  for (const language of ["en", "de", "zh", "ar"]) {
    languages.push(indexed(await readCollection(`XQuAD ${language}`, `retrieval-xquad/${language}`), encoder));
  }
  const english = languages[0]!;
  const { questions } = await readChunking();
  const asides = questions.map(({ text }) => text);
  const texts = ({ collection }: Indexed) => collection.queries.map(({ text }) => text);
  const date = new Date().toISOString().slice(0, 10);
  const report = [
    `# Retrieval, ${date}`,
    "",
    `Local encoder revision ${encoder.revision}, no API. \`bun run eval:retrieval\` makes this page.`,
    "",
    "## Ranking",
    "",
    rankingTable([scifact, training, ...languages]),
    `Indexing SciFact with the local encoder, one thread: ${Math.round(scifact.chunksPerSecond)} chunks a second.`,
    "",
    "## Chunking (472 questions)",
    "",
    await chunkingTable(encoder),
    "## Threshold",
    "",
    "Off-topic queries are those of the other English collections. Some are not wholly off: XQuAD asks about immunity and oxygen, and SciFact has abstracts on both.",
    "",
    thresholdTable("XQuAD en, asked by SciFact and the chunking set:", english, [...texts(scifact), ...asides]),
    thresholdTable("SciFact, asked by XQuAD en and the chunking set:", scifact, [...texts(english), ...asides]),
  ].join("\n");
  console.log(report);
  await Bun.write(join(import.meta.dir, `../results/retrieval-${date}.md`), report);
};

await main();
