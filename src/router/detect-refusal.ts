/** Whether an answer refuses instead of answering: one of the output checks of spec §2 rule 3. */
import type { Encoder } from "../encoder/encoder.ts";

const OPENING =
  /^\W*(?:i'?m sorry|i apologi[sz]e|sorry|unfortunately|as an ai|i (?:can(?:no|')t|am (?:not able|unable)|won'?t|must decline|will not)|i'?m (?:not able|unable)|it is not (?:appropriate|ethical))/i;
const DECLINE =
  /\b(?:can(?:no|')t (?:assist|help|provide|fulfil|comply|create|do that)|unable to (?:assist|help|provide)|not able to (?:assist|help|provide)|must decline|against my)\b/i;
const COMPLIES = /\b(?:however, here|here is|here's|here are|that said, here)\b/i;

/** `score` is the probability that the answer refuses; `refusal` is `score` ≥ 0.5. */
export function detectRefusal(_encoder: Encoder, response: string, _prompt?: string): { refusal: boolean; score: number } {
  const head = response.trim().slice(0, 400).replaceAll("’", "'");
  const signals = (OPENING.test(head) ? 1 : 0) + (DECLINE.test(head) ? 1 : 0) - (COMPLIES.test(head) ? 1.2 : 0);
  const score = signals >= 2 ? 0.95 : signals >= 1 ? 0.6 : signals > 0 ? 0.4 : 0.02;
  return { refusal: score >= 0.5, score };
}
