/**
 * How much an everyday request demands of a model (a greeting little, a proof or a system's design much), in addition to what the complexity
 * head has learned from exam questions. A linear function of the instruction's words.
 */

import { DEMAND } from "./demand-weights.ts";
import type { RequestFeatures } from "./request-features.ts";
import { unpackWeights } from "./stored-weights.ts";

const WEIGHTS = unpackWeights(DEMAND);
/** The model needs few words, so eight of the heads' buckets make one of its own. */
export const DEMAND_BUCKETS = 1 << 13;
/** From this many buckets on, some hundred characters, a longer instruction demands no more. */
const LONG = 200;

/** What one of so many buckets counts. */
export const shareOfBucket = (count: number): number => Math.sqrt(Math.min(count + 1, LONG)) / (count + 1);

/** Log-odds to add to the head's. */
export const demandOf = ({ buckets, asked }: RequestFeatures): number => {
  let sum = 0;
  for (let i = 0; i < asked; i++) sum += WEIGHTS[buckets[i]! & (DEMAND_BUCKETS - 1)]!;
  return asked === 0 ? 0 : sum * DEMAND.scale * shareOfBucket(asked) + DEMAND.bias;
};
