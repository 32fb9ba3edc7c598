/**
 * Whether a thing can be seen: «a fox in 3D» can, «a list of users» and «a conclusion» cannot. After verbs that make pictures as well as
 * text («draw», «render», «illustrate») this decides what is wanted. A linear function of the thing's vector.
 */

import type { Encoder } from "../../encoder/encoder.ts";
import { unpackWeights } from "./stored-weights.ts";
import { VISIBILITY } from "./visibility-weights.ts";

const WEIGHTS = unpackWeights(VISIBILITY);

/** Log-odds. Zero if the weights were made for another encoder; it knows English words only. */
export const visibilityOf = (encoder: Encoder, thing: string): number => {
  if (encoder.revision !== VISIBILITY.revision) return 0;
  const sum = encoder.embed(thing).reduce((sum, value, d) => sum + value * WEIGHTS[d]!, 0);
  return sum * VISIBILITY.scale + VISIBILITY.bias;
};
