/** What a threshold does: the share of right hits that it loses, and of questions about something else that it answers. */
import type { Corpus } from "../../src/documents/search-corpus.ts";

export type ThresholdPoint = { threshold: number; rightLost: number; offTopicAnswered: number };

export const THRESHOLDS = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6] as const;

/** Score of the best right document among the first hundred; undefined where none is found, which no threshold loses. */
export const rightScores = (corpus: Corpus, queries: { text: string; right: (id: string) => boolean }[]): number[] =>
  queries.flatMap(({ text, right }) => {
    const hit = corpus.rank(text, 100).find(({ id }) => right(id));
    return hit === undefined ? [] : [hit.score];
  });

export const bestScores = (corpus: Corpus, queries: string[]): number[] =>
  queries.map((text) => corpus.rank(text, 1)[0]?.score ?? 0);

export const thresholdCurve = (right: number[], offTopic: number[]): ThresholdPoint[] =>
  THRESHOLDS.map((threshold) => ({
    threshold,
    rightLost: right.filter((score) => score < threshold).length / right.length,
    offTopicAnswered: offTopic.filter((score) => score >= threshold).length / offTopic.length,
  }));
