/**
 * Whether a thing can be seen: «a fox in 3D» can, «a list of users» and «a conclusion» cannot. After verbs that make pictures as well as
 * text («draw», «render», «illustrate») this decides what is wanted.
 */

import type { Encoder } from "../../encoder/encoder.ts";
import { openVectorModel } from "./vector-model.ts";
import { VISIBILITY } from "./visibility-weights.ts";

const model = openVectorModel(VISIBILITY);

/** Log-odds; near zero where none of the words are English. */
export const visibilityOf = (encoder: Encoder, thing: string): number => model(encoder, encoder.embed(thing));
