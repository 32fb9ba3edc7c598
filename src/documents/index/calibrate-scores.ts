/**
 * Fused score → the score that is returned: one threshold, 0.3 by default, should part right hits from wrong ones in a small project and
 * a large one, for two words and for forty. Chance alone gives a question about something else a best hit that looks right by itself; so
 * a hit must convince by itself, and the best hits must convince that the project knows what is asked. Both odds are joined as by «and».
 * Within one query the order never changes. The figures were measured for the local encoder and for words alone (eval/retrieval), for other
 * embedders only with that encoder in their place and with made-up vectors.
 */

import type { RankedBy } from "./fuse-scores.ts";
import { BEGINNING_WEIGHT } from "./index-terms.ts";

/** What the best hits of a query say, whatever the threshold and however many are asked for. */
export type Evidence = {
  /** Fused score of the best hit. */
  best: number;
  /** Fused score of the last of the best hits, 0 where fewer have anything to do with the query; absent where the project holds no more. */
  last?: number;
  /** What the words say that the best hit shares with the query: their idf, and that of their beginnings. */
  sharedIdf: number;
  /** The highest cosine among the best hits, see fuse-scores.ts; 0 where words alone rank. */
  nearest: number;
  chunkCount: number;
  rankedBy: RankedBy;
  /** 0-1: how much a cosine tells in this project's language, see fuse-scores.ts. */
  telling: number;
};

/** How many hits count as the best. */
export const BEST_HITS = 5;

/** Log-odds by which a hit's own score may fall short once the project is known to know: what the gate below takes, this gives back. */
const LENIENCE = 0.25;
const GATE_SLOPE = 4;
const GATE_OFFSET = 0.2;
const SHARED_WEIGHT = 0.25;
/** How far, in log-odds, the best hit stands out from the last of the best: what everything is a little like is about something else. */
const LEAD_WEIGHT = 0.2;
const USUAL_LEAD = 0.55;
const LONGEST_LEAD = 2;
/** A word of full weight, and its beginning beside it. */
const WORD_WEIGHT = 1 + BEGINNING_WEIGHT;
/** For each factor e of chunks the best hit of chance gains 0.26 in log-odds (measured); to ask for all of it would lose right hits. */
const GROWTH = 0.08;
const USUAL_CHUNKS = 1_000;
/** Among few chunks chance finds so little that less is asked of a hit: short questions lost two right ones in five (measured). */
const SMALL_GROWTH = 0.25;
const FEW_CHUNKS = 100;
/** What rankings lack that have no cosines, or cosines that tell little: at the same relevance their scores are lower. Another embedder's are fused by another scale. */
const LACKING = { words: [0.15, 0.55], pairs: [0.15, 0.4], remote: [0.15, 0.2] } as const;
const UNTOLD = [0.5, 0.8] as const;

const logOdds = (score: number): number => Math.log(score / (1 - score));

const lackOf = ({ rankedBy, telling }: Evidence): [own: number, gate: number] =>
  rankedBy === "local" ? [UNTOLD[0] * (1 - telling), UNTOLD[1] * (1 - telling)] : [...LACKING[rankedBy]];

const leadOf = ({ best, last }: Evidence): number =>
  last === undefined ? USUAL_LEAD : Math.min(LONGEST_LEAD, logOdds(best) - logOdds(Math.max(last, Number.EPSILON)));

/** Of a fused score above 0; grows with it. */
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
