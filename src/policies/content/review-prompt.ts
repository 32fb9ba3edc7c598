/** Content policies with `evaluate_input` over a prompt that is no conversation: an image's, a video's, the text to speak, a search. */

import type { ApiError } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import type { ContentEvaluation } from "../evaluation-schemas.ts";
import { contentBlocked } from "./content-evaluation.ts";
import { reviewAnyText } from "./review-json.ts";

type ReviewedPrompt = {
  /** As it may be sent. */
  text: string;
  /** Present where a policy looked. */
  evaluation?: ContentEvaluation;
  /** Present where a policy blocks it: 403 `CONTENT_BLOCKED`. */
  refusal?: ApiError;
};

export const reviewPrompt = async (platform: Platform, projectId: string, text: string): Promise<ReviewedPrompt> => {
  const { input } = await platform.policies.of(projectId);
  if (input === undefined || text === "") return { text };
  const review = reviewAnyText(input, text);
  return {
    text: review.text,
    evaluation: review.evaluation,
    ...(review.blocked && { refusal: contentBlocked(review.evaluation) }),
  };
};
