/** Content policies with `evaluate_input` for prompts outside chat: for images and videos, text to speak, searches. */

import type { ApiError } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import type { ContentEvaluation } from "../evaluation-schemas.ts";
import { contentBlocked } from "./content-evaluation.ts";
import { isBlocked } from "./review-content.ts";
import { reviewAnyText } from "./review-json.ts";

type ReviewedPrompt = {
  /** The text as it may be sent. */
  text: string;
  /** Present if a policy reviewed it. */
  evaluation?: ContentEvaluation;
  /** Present if a policy blocks it: 403 `CONTENT_BLOCKED`. */
  refusal?: ApiError;
};

export const reviewPrompt = async (platform: Platform, projectId: string, text: string): Promise<ReviewedPrompt> => {
  const { input } = await platform.policies.of(projectId);
  if (input === undefined || text === "") return { text };
  const review = reviewAnyText(input, text);
  return {
    text: review.text,
    evaluation: review.evaluation,
    ...(isBlocked(review) && { refusal: contentBlocked(review.evaluation) }),
  };
};
