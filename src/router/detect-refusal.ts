/** Whether an answer refuses instead of answering: one of the output checks of spec §2 rule 3. */
import type { Encoder } from "../encoder/encoder.ts";
import { applyHead, sigmoid } from "../encoder/heads.ts";
import { readAnswer } from "./answer-features.ts";

/** `score` is the calibrated probability that the answer refuses; `refusal` is `score` ≥ 0.5. An empty answer does not refuse. */
export function detectRefusal(encoder: Encoder, response: string, prompt?: string): { refusal: boolean; score: number } {
  if (response.trim() === "") return { refusal: false, score: 0 };
  const { refusal, calibration } = encoder.heads;
  const { dense, buckets } = readAnswer(encoder, response, prompt);
  const [logit] = applyHead(refusal, dense, buckets);
  const score = sigmoid(logit! * calibration.refusal.slope + calibration.refusal.intercept);
  return { refusal: score >= 0.5, score };
}
