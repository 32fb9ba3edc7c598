/** nDCG@10 and Recall@10/100 of one collection in one mode, and what a query took of the processor. */
import type { Corpus, RankedDocument, SearchMode } from "../../src/documents/corpus/search-corpus.ts";
import type { Collection } from "./read-collection.ts";

type Ranking = { ndcg10: number; recall10: number; recall100: number; meanMs: number };

const gain = (grades: number[]): number => grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);

const ndcgAt10 = (results: RankedDocument[], relevant: Map<string, number>): number => {
  const found = gain(results.slice(0, 10).map(({ id }) => relevant.get(id) ?? 0));
  const ideal = gain([...relevant.values()].sort((left, right) => right - left).slice(0, 10));
  return found / ideal;
};

const recallAt = (results: RankedDocument[], relevant: Map<string, number>, depth: number): number =>
  results.slice(0, depth).filter(({ id }) => relevant.has(id)).length / relevant.size;

/** What this thread computed so far: unlike the clock's time no worse for what else the machine does. */
export const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export const measureRanking = (corpus: Corpus, { queries, relevant }: Collection, mode: SearchMode): Ranking => {
  const sums = { ndcg10: 0, recall10: 0, recall100: 0 };
  const before = processorMs();
  for (const { id, text } of queries) {
    const results = corpus.rank(text, 100, mode);
    const wanted = relevant.get(id)!;
    sums.ndcg10 += ndcgAt10(results, wanted);
    sums.recall10 += recallAt(results, wanted, 10);
    sums.recall100 += recallAt(results, wanted, 100);
  }
  const count = queries.length;
  return {
    ndcg10: sums.ndcg10 / count,
    recall10: sums.recall10 / count,
    recall100: sums.recall100 / count,
    meanMs: (processorMs() - before) / count,
  };
};
