/**
 * How much an everyday request demands of a model (a greeting little, a proof or a system's design much), in addition to what the complexity
 * head has learned from exam questions. A linear function of the request's vector.
 */

import type { Encoder } from "../../encoder/encoder.ts";
import { DEMAND_BIAS, DEMAND_REVISION, DEMAND_SCALE, DEMAND_WEIGHTS } from "./demand-weights.ts";

const WEIGHTS = Float64Array.from(new Int8Array(Uint8Array.fromBase64(DEMAND_WEIGHTS).buffer), (byte) => byte * DEMAND_SCALE);

/** Log-odds to add to the head's. Zero if the weights were made for another encoder, and for an empty vector. */
export const demandOf = (encoder: Encoder, vector: Float32Array): number => {
  if (encoder.revision !== DEMAND_REVISION) return 0;
  let sum = 0;
  for (let d = 0; d < vector.length; d++) sum += vector[d]! * WEIGHTS[d]!;
  return sum === 0 ? 0 : sum + DEMAND_BIAS;
};
