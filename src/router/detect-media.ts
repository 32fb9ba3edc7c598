/** Whether an instruction asks for a picture, a clip or spoken audio to be made (spec §2 rule 6). A wrong trigger costs money. */
import { MEDIA_INTENTS, type MediaIntent } from "../catalog/task-type.ts";
import { type Calibration, softmax } from "../encoder/heads.ts";

export type MediaVerdict = { media: MediaIntent; confidence: number };

/** Words that make such a wish one about text, code or a file that exists already. */
const VETO =
  /\b(?:code|script|function|html|svg|css|python|javascript|matplotlib|ascii|prompts?|captions?|alt text|transcri\w+|attached|uploaded|example\.\w{3})\b/;
/** A generating intent must be this much more likely than not where such a word stands in the instruction. */
const DESPITE_VETO = 0.97;

/** `logits` in the order of MEDIA_INTENTS. */
export function decideMedia(logits: Float64Array, calibration: Calibration, instruction: string): MediaVerdict {
  const cautious = logits.map((logit, i) => (i === 0 ? logit + calibration.mediaCaution : logit));
  const chances = softmax(cautious, calibration.mediaTemperature);
  const best = chances.indexOf(Math.max(...chances));
  const confidence = chances[best]!;
  if (best > 0 && confidence < DESPITE_VETO && VETO.test(instruction.toLowerCase()))
    return { media: "none", confidence: 1 - confidence };
  return { media: MEDIA_INTENTS[best]!, confidence };
}
