/**
 * How much an everyday request demands of a model (a greeting little, a proof or a system's design much), in addition to what the complexity
 * head has learned from exam questions.
 */

import { DEMAND } from "./demand-weights.ts";
import { openVectorModel } from "./vector-model.ts";

/** Log-odds to add to the head's, from the request's vector. */
export const demandOf = openVectorModel(DEMAND);
