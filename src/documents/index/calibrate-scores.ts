/**
 * Turns a fused score into the returned one, so that a single threshold (0.3 by default) separates relevant hits from irrelevant ones in
 * small and large projects, for short and long queries. Chance alone gives any question a best hit that looks relevant by itself; so a hit
 * must be convincing by itself, and the best hits together must show that the project covers the question.
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
  rankedBy: RankedBy;
  /** 0-1: how informative a cosine is in this project's language, see fuse-scores.ts. */
  telling: number;
};

/** How many hits count as the best. */
export const BEST_HITS = 5;

/**
 * Log-odds by which a hit's own score may fall short once the project is known to cover the question: it gives back what the gate below
 * takes.
 */
const LENIENCE = 0.25;
const GATE_SLOPE = 4;
const GATE_OFFSET = 0.2;
const SHARED_WEIGHT = 0.25;
/**
 * Weight, in log-odds, of the best hit's lead over the last of the best: if everything is a little similar, the question is about something
 * else.
 */
const LEAD_WEIGHT = 0.2;
const USUAL_LEAD = 0.55;
const LONGEST_LEAD = 2;
/** A word of full weight plus its beginning. */
const WORD_WEIGHT = 1 + BEGINNING_WEIGHT;
/** For each factor e of chunks, the best hit by chance gains 0.26 in log-odds (measured); demanding all of it would lose relevant hits. */
const GROWTH = 0.08;
const USUAL_CHUNKS = 1_000;
/** Among few chunks chance finds so little that less is demanded: short questions lost two relevant hits in five (measured). */
const SMALL_GROWTH = 0.25;
const FEW_CHUNKS = 100;
/**
 * Corrections for rankings without informative cosines, whose scores are lower at the same relevance. Other embedders are fused on another
 * scale.
 */
const LACKING = { words: [0.15, 0.55], pairs: [0.15, 0.4], remote: [0.15, 0.2] } as const;
const UNTOLD = [0.5, 0.8] as const;

const logOdds = (score: number): number => Math.log(score / (1 - score));

const lackOf = ({ rankedBy, telling }: Evidence): [own: number, gate: number] =>
  rankedBy === "local" ? [UNTOLD[0] * (1 - telling), UNTOLD[1] * (1 - telling)] : [...LACKING[rankedBy]];

const leadOf = ({ best, last }: Evidence): number =>
  last === undefined ? USUAL_LEAD : Math.min(LONGEST_LEAD, logOdds(best) - logOdds(Math.max(last, Number.EPSILON)));

/** Maps a fused score above 0; increases with it. */
export type Calibration = (fused: number) => number;

export const calibrationFor = (evidence: Evidence): Calibration => {
  const { best, sharedIdf, nearest, chunkCount, telling } = evidence;
  const [own, gate] = lackOf(evidence);
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
