/**
 * What a threshold does: the share of right hits that it loses, of questions about something else that it answers, and of wrong hits
 * among the best five that it lets through.
 */
import type { Corpus, PassageHit } from "../../src/documents/corpus/search-corpus.ts";
import type { ChunkingQuestion, Collection } from "./read-collection.ts";

type ThresholdPoint = { threshold: number; rightLost: number; offTopicAnswered: number; wrongKept: number };

const THRESHOLDS = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6] as const;

/** Hits of a question, best first; `right` where the collection says so. */
export type Judged = { score: number; right: boolean }[];

const DEPTH = 100;

/** Documents by their best passage. */
export const judgeDocuments = (corpus: Corpus, { queries, relevant }: Collection): Judged[] =>
  queries.map(({ id, text }) =>
    corpus.rank(text, DEPTH).map((hit) => ({ score: hit.score, right: relevant.get(id)!.has(hit.id) })),
  );

/** A passage is right that holds a good part of a gold span. */
const HELD = 0.3;

export const judgePassages = (corpus: Corpus, questions: ChunkingQuestion[]): Judged[] => {
  const isRight = (hit: PassageHit, { corpus: name, references }: ChunkingQuestion): boolean =>
    hit.id === name &&
    references.some(
      ({ start_index: from, end_index: to }) => Math.min(to, hit.end) - Math.max(from, hit.start) > HELD * (to - from),
    );
  return questions.map((question) =>
    corpus.passages(question.text, DEPTH).map((hit) => ({ score: hit.score, right: isRight(hit, question) })),
  );
};

export const bestScores = (corpus: Corpus, queries: string[]): number[] =>
  queries.map((text) => corpus.rank(text, 1)[0]?.score ?? 0);

/** A question whose right hit is not among the first hundred is left out: no threshold loses it. */
export const thresholdCurve = (judged: Judged[], offTopic: number[]): ThresholdPoint[] => {
  const right = judged.flatMap((hits) => hits.find((hit) => hit.right)?.score ?? []);
  const wrong = judged.flatMap((hits) => hits.slice(0, 5).flatMap((hit) => (hit.right ? [] : hit.score)));
  const from = (scores: number[], threshold: number) => scores.filter((score) => score >= threshold).length / scores.length;
  return THRESHOLDS.map((threshold) => ({
    threshold,
    rightLost: 1 - from(right, threshold),
    offTopicAnswered: from(offTopic, threshold),
    wrongKept: from(wrong, threshold),
  }));
};
