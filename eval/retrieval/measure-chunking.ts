/** How much of the gold text the returned chunks cover: at five chunks, and at a budget of characters. */

import { indexCorpus, type PassageHit, type SearchMode } from "../../src/documents/corpus/search-corpus.ts";
import type { Encoder } from "../../src/encoder/encoder.ts";
import type { ChunkingQuestion, GoldSpan } from "./read-collection.ts";

type Coverage = { top5: number; within6000: number; within12000: number; hitInTop5: number; chunks: number };

const covered = (spans: { start: number; end: number }[], gold: GoldSpan[]): number => {
  let found = 0;
  let wanted = 0;
  for (const { start_index: from, end_index: to } of gold) {
    wanted += to - from;
    let reached = from;
    for (const { start, end } of spans.toSorted((left, right) => left.start - right.start)) {
      const begin = Math.max(reached, start);
      const stop = Math.min(to, end);
      if (stop <= begin) continue;
      found += stop - begin;
      reached = stop;
    }
  }
  return found / wanted;
};

/** Whole chunks while they fit; the last is cut where the budget ends, as a prompt's would be. */
const within = (hits: PassageHit[], budget: number): PassageHit[] => {
  const taken: PassageHit[] = [];
  let left = budget;
  for (const hit of hits) {
    if (left <= 0) break;
    const end = Math.min(hit.end, hit.start + left);
    taken.push({ ...hit, end });
    left -= end - hit.start;
  }
  return taken;
};

export const measureChunking = (
  texts: Map<string, string>,
  questions: ChunkingQuestion[],
  encoder: Encoder,
  mode: SearchMode,
): Coverage => {
  const sums: Coverage = { top5: 0, within6000: 0, within12000: 0, hitInTop5: 0, chunks: 0 };
  for (const [name, text] of texts) {
    const corpus = indexCorpus([{ id: name, text }], encoder);
    sums.chunks += corpus.chunkCount;
    for (const { references, text: question } of questions.filter((one) => one.corpus === name)) {
      const hits = corpus.passages(question, 40, mode);
      const top5 = covered(hits.slice(0, 5), references);
      sums.top5 += top5;
      sums.hitInTop5 += top5 > 0 ? 1 : 0;
      sums.within6000 += covered(within(hits, 6_000), references);
      sums.within12000 += covered(within(hits, 12_000), references);
    }
  }
  const share = (sum: number) => sum / questions.length;
  return {
    top5: share(sums.top5),
    within6000: share(sums.within6000),
    within12000: share(sums.within12000),
    hitInTop5: share(sums.hitInTop5),
    chunks: sums.chunks,
  };
};
