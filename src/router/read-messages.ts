/** Reads a request as its messages stand and, where they can be told as one message, that way too; what both say is blended. */
import { TEXT_TASKS } from "../config/vocabulary.ts";
import { applyHead } from "../encoder/apply-head.ts";
import type { Encoder } from "../encoder/encoder.ts";
import { decideMedia } from "./detect-media.ts";
import { type RequestFeatures, readFeatures } from "./features/request-features.ts";
import type { RequestTexts } from "./features/request-texts.ts";
import { toldAsOne } from "./features/told-as-one.ts";

/** The features hold until the next reading. */
export type Reading = { features: RequestFeatures; taskLogits: Float64Array; mediaLogits: Float64Array };

/** The share of what the messages say when told as one. */
const TOLD = 0.5;
/** Its share in the wish for media where the turn before may be the wish: by itself, «less snow» wants no picture. */
const MEDIA_CHANGED = 0.2;

export const readRequest = (encoder: Encoder, texts: RequestTexts, hasSchema: boolean): Reading => {
  const features = readFeatures(encoder, texts, hasSchema);
  const logits = applyHead(encoder.heads.route, features);
  return { features, taskLogits: logits.slice(0, TEXT_TASKS.length), mediaLogits: logits.slice(TEXT_TASKS.length) };
};

export function readMessages(encoder: Encoder, texts: RequestTexts, hasSchema: boolean): Reading {
  const one = toldAsOne(encoder, texts);
  if (one === undefined) return readRequest(encoder, texts, hasSchema);
  const told = readRequest(encoder, one, hasSchema);
  const mediaShare = texts.before === undefined || wantsMedia(encoder, texts.before) ? MEDIA_CHANGED : TOLD;
  const { features, taskLogits, mediaLogits } = readRequest(encoder, texts, hasSchema);
  return {
    features,
    taskLogits: blend(taskLogits, told.taskLogits, TOLD),
    mediaLogits: blend(mediaLogits, told.mediaLogits, mediaShare),
  };
}

const wantsMedia = (encoder: Encoder, text: string): boolean => {
  const { features, mediaLogits } = readRequest(encoder, { text }, false);
  return decideMedia(encoder, mediaLogits, features.instruction, 0).media !== "none";
};

const blend = (logits: Float64Array, others: Float64Array, share: number): Float64Array =>
  logits.map((logit, i) => logit * (1 - share) + others[i]! * share);
