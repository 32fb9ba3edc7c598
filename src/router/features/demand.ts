/**
 * How much an everyday request demands of a model (a greeting little, a proof or a system's design much), in addition to what the complexity
 * head has learned from exam questions. A linear function of the instruction's words.
 */

import { DEMAND } from "./demand-weights.ts";
import type { RequestFeatures } from "./request-features.ts";
import { unpackWeights } from "./stored-weights.ts";

const WEIGHTS = unpackWeights(DEMAND);
/** Eight of the heads' buckets share a weight, because this model needs fewer words. */
export const DEMAND_BUCKETS = 1 << 13;
/** Beyond this many buckets, about a hundred characters, a longer instruction is not taken to be more demanding. */
const LONG = 200;

/** How much each bucket of an instruction counts. `count`: how many it has. */
export const shareOfBucket = (count: number): number => Math.sqrt(Math.min(count + 1, LONG)) / (count + 1);

/** Log-odds to add to the head's. */
export const demandOf = ({ buckets, asked }: RequestFeatures): number => {
  let sum = 0;
  for (let i = 0; i < asked; i++) sum += WEIGHTS[buckets[i]! & (DEMAND_BUCKETS - 1)]!;
  return asked === 0 ? 0 : sum * DEMAND.scale * shareOfBucket(asked) + DEMAND.bias;
};
