/** Whether an instruction asks for a picture, a clip or spoken audio to be made (spec §2 rule 6). A wrong trigger costs money. */
import { MEDIA_INTENTS, type MediaIntent } from "../catalog/task-type.ts";
import { indexOfMost, softmax } from "../encoder/apply-head.ts";
import type { Encoder } from "../encoder/encoder.ts";
import { findDepicted, ordersPicture, ordersSpeech } from "./features/media-orders.ts";
import { asksForText, isVetoed, mayMerelyName, wishesForNothing } from "./features/text-wishes.ts";
import { visibilityOf } from "./features/visibility.ts";
import { withoutRole } from "./features/wording.ts";

export type MediaVerdict = { media: MediaIntent; confidence: number };

const IMAGE = MEDIA_INTENTS.indexOf("image");
const SPEECH = MEDIA_INTENTS.indexOf("speech");
/** Log-odds that a literal order for a picture or for speech adds. */
const ORDERED = 2;
/** The factor for the log-odds that the thing to be drawn can be seen. */
const VISIBLE = 2;
/** From this confidence on, an intent counts despite a veto. */
const DESPITE_VETO = 0.99;
/** From this confidence on, a few words order media rather than name a thing. */
const SURE_OF_FEW_WORDS = 0.8;
/** Above this probability of classification, the wish is part of a text to label; of 585 wishes in our sets, two are above it. */
const SURELY_LABELLED = 0.6;

/** `logits` in the order of MEDIA_INTENTS; `labelling` is the chance that the task is classification. */
export function decideMedia(encoder: Encoder, logits: Float64Array, instruction: string, labelling: number): MediaVerdict {
  const { calibration } = encoder.heads;
  const asked = withoutRole(instruction.toLowerCase().replace(/ {2,}/g, " "));
  const cautious = logits.map((logit, i) => (i === 0 ? logit + calibration.mediaCaution : logit));
  addOrders(encoder, asked, cautious);
  const chances = softmax(cautious, calibration.mediaTemperature);
  const best = indexOfMost(chances);
  const confidence = chances[best]!;
  const media = MEDIA_INTENTS[best]!;
  if (media === "none") return { media, confidence };
  const isGranted =
    labelling <= SURELY_LABELLED &&
    !wishesForNothing(asked) &&
    (confidence >= SURE_OF_FEW_WORDS || !mayMerelyName(asked)) &&
    (confidence >= DESPITE_VETO || !isVetoed(asked)) &&
    !asksForText(asked, media);
  return isGranted ? { media, confidence } : { media: "none", confidence: 1 - confidence };
}

/** Adds the log-odds of literal orders. A thing to be drawn that cannot be seen counts against a picture. */
function addOrders(encoder: Encoder, asked: string, logits: Float64Array): void {
  const depicted = findDepicted(asked);
  const seen = depicted === undefined ? 0 : VISIBLE * visibilityOf(encoder, depicted);
  if (seen < 0 || (seen > 0 && !isVetoed(asked))) logits[IMAGE]! += seen;
  // Other orders are looked for only where they can change the result, which is seldom.
  const top = logits[indexOfMost(logits)]!;
  const mayTip = (intent: number): boolean => top - logits[intent]! < ORDERED;
  if (mayTip(IMAGE) && ordersPicture(asked) && !isVetoed(asked)) logits[IMAGE]! += ORDERED;
  if (mayTip(SPEECH) && ordersSpeech(asked) && !isVetoed(asked)) logits[SPEECH]! += ORDERED;
}
