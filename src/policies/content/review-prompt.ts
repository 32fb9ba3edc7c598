/** Content policies with `evaluate_input` for prompts outside chat: for images and videos, text to speak, searches, texts to embed or rank. */

import type { ApiError } from "../../api-error.ts";
import { mapYielding } from "../../lib/map-yielding.ts";
import type { Platform } from "../../platform.ts";
import type { ContentEvaluation } from "../evaluation-schemas.ts";
import { contentBlocked, mergeEvaluations } from "./content-evaluation.ts";
import { isBlocked } from "./review-content.ts";
import { reviewInSteps } from "./review-json.ts";

type ReviewedPrompt = {
  /** The text as it may be sent. */
  text: string;
  /** Present if a policy reviewed it. */
  evaluation?: ContentEvaluation;
  /** Present if a policy blocks it: 403 `CONTENT_BLOCKED`. */
  refusal?: ApiError;
};

const reviewPrompt = async (
  platform: Platform,
  projectId: string,
  text: string,
  signal: AbortSignal | undefined,
): Promise<ReviewedPrompt> => {
  const { input } = await platform.policies.of(projectId);
  if (input === undefined || text === "") return { text };
  const review = await reviewInSteps(input, text, false, signal);
  return {
    text: review.text,
    evaluation: review.evaluation,
    ...(isBlocked(review) && { refusal: contentBlocked(review.evaluation) }),
  };
};

/** The same for all texts of one call, with one evaluation of them; `refusal` is the first one's. */
export const reviewPrompts = async (
  platform: Platform,
  projectId: string,
  given: readonly string[],
  signal?: AbortSignal,
): Promise<Omit<ReviewedPrompt, "text"> & { texts: string[] }> => {
  const reviews = await mapYielding(given, (text) => reviewPrompt(platform, projectId, text, signal), signal);
  const [first, ...others] = reviews.flatMap(({ evaluation }) => evaluation ?? []);
  const refusal = reviews.find((review) => review.refusal !== undefined)?.refusal;
  return {
    texts: reviews.map(({ text }) => text),
    ...(first !== undefined && { evaluation: mergeEvaluations(first, ...others) }),
    ...(refusal !== undefined && { refusal }),
  };
};
