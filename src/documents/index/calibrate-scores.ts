/**
 * Turns a fused score into the returned one, so that a single threshold (0.3 by default) separates relevant hits from irrelevant ones in
 * small and large projects, for short and long queries. By chance alone any question has a best hit that looks relevant. So a hit must be
 * convincing by itself, and the best hits together must show that the project covers the question.
 */

import type { RankedBy } from "./fuse-scores.ts";
import { BEGINNING_WEIGHT } from "./query-terms.ts";

/** Evidence from a query's best hits, independent of threshold and `top_k`. */
export type Evidence = {
  /** Fused score of the best hit. */
  best: number;
  /** Fused score of the last of the best hits, 0 if fewer are related to the query; absent if the project has no more chunks. */
  last?: number;
  /** The idf of the words (and of their beginnings) that the best hit shares with the query. */
  sharedIdf: number;
  /** The highest cosine among the best hits, see fuse-scores.ts; 0 if words alone rank. */
  nearest: number;
  chunkCount: number;
  /** The average length of the project's chunks, in index terms. */
  averageLength: number;
  rankedBy: RankedBy;
  /** How informative a cosine is in this project's language, 0-1; see fuse-scores.ts. */
  telling: number;
};

/** How many hits count as the best. */
export const BEST_HITS = 5;

/** Log-odds that are added to each hit's own score, to make up for what the evidence about the project takes from it. */
const LENIENCE = 0.25;
/** How sharply, and at which log-odds, the evidence decides that the project covers the question. */
const GATE_SLOPE = 4;
const GATE_OFFSET = 0.2;
const SHARED_WEIGHT = 0.25;
/**
 * The weight, in log-odds, of the best hit's lead over the last of the best hits. If all are equally similar, the question is about
 * something else.
 */
const LEAD_WEIGHT = 0.2;
const USUAL_LEAD = 0.55;
const LONGEST_LEAD = 2;
/** The weight of a word together with its beginning. */
const WORD_WEIGHT = 1 + BEGINNING_WEIGHT;
/**
 * With e times as many chunks, the best hit by chance gains 0.26 in log-odds (measured). So much is not demanded, because that would lose
 * relevant hits.
 */
const GROWTH = 0.08;
const USUAL_CHUNKS = 1_000;
/** Among few chunks chance finds little, so less is demanded; otherwise short questions lost two relevant hits in five (measured). */
const SMALL_GROWTH = 0.25;
const FEW_CHUNKS = 100;
/**
 * Short passages share fewer words with a question by chance, so less is demanded: in log-odds, of a hit's own score and of the evidence,
 * for each time that they are e times shorter than usual. Otherwise the same texts cut into shorter passages lost three times as many
 * relevant hits, and answered questions about something else a third as often (measured without a remote embedder).
 */
const SHORTNESS = [0.2, 0.1] as const;
const USUAL_LENGTH = 120;
/** In still shorter texts, such as questions, chance finds more again: the words that all of them are made of. */
const LEAST_LENGTH = 20;
/**
 * What is added in log-odds, to a hit's own score and to the evidence, for rankings without the local encoder: at the same relevance their
 * scores are lower, or on another scale.
 */
const CORRECTIONS = { words: [0.15, 0.55], pairs: [0.15, 0.4], remote: [0.15, 0.2] } as const;
/** The same for the local encoder where its cosines say nothing. */
const UNINFORMATIVE = [0.5, 0.8] as const;

const logOdds = (score: number): number => Math.log(score / (1 - score));

const correctionOf = ({ rankedBy, telling, averageLength }: Evidence): readonly [own: number, gate: number] => {
  if (rankedBy === "remote") return CORRECTIONS.remote;
  const [own, gate] = rankedBy === "local" ? UNINFORMATIVE.map((most) => most * (1 - telling)) : CORRECTIONS[rankedBy];
  const shortness = Math.max(0, Math.log(USUAL_LENGTH / Math.max(LEAST_LENGTH, averageLength)));
  return [own! + SHORTNESS[0] * shortness, gate! + SHORTNESS[1] * shortness];
};

const leadOf = ({ best, last }: Evidence): number =>
  last === undefined ? USUAL_LEAD : Math.min(LONGEST_LEAD, logOdds(best) - logOdds(Math.max(last, Number.EPSILON)));

/** Maps a fused score to the returned one; a higher score is never mapped to a lower one. */
export type Calibration = (fused: number) => number;

export const calibrationFor = (evidence: Evidence): Calibration => {
  const { best, sharedIdf, nearest, chunkCount, telling } = evidence;
  const [own, gate] = correctionOf(evidence);
  const chunks = Math.max(1, chunkCount);
  const growth = GROWTH * Math.log(chunks / USUAL_CHUNKS) + SMALL_GROWTH * Math.log(Math.min(1, chunks / FEW_CHUNKS));
  const known =
    logOdds(best) +
    SHARED_WEIGHT * Math.log(1 + sharedIdf / WORD_WEIGHT) +
    telling * nearest +
    LEAD_WEIGHT * (leadOf(evidence) - USUAL_LEAD) +
    gate -
    GATE_OFFSET -
    growth;
  const againstProject = Math.exp(-GATE_SLOPE * known);
  const lenience = Math.exp(-(LENIENCE + own));
  return (fused) => (fused <= 0 ? 0 : 1 / (1 + (lenience * (1 - fused)) / fused + againstProject));
};
