/** Notes in the draft what was found about an answer, whole or streamed, for the log and for `svc`. */

import { withPrompt } from "../../policies/content/content-evaluation.ts";
import type { ContentEvaluation } from "../../policies/evaluation-schemas.ts";
import type { ChatResult } from "../../providers/provider.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import type { Enforced } from "../../schemas/enforce-schema.ts";
import type { CallDraft } from "../call-draft.ts";
import type { OutputCheck } from "./check-output.ts";

/** `schema`: how the answer fits the schema, if the call has one. */
export const noteAnswer = (
  draft: CallDraft,
  { model: { id: model, provider } }: Candidate,
  { text, toolCalls, pictures, refusal }: Pick<ChatResult, "text" | "toolCalls" | "pictures" | "refusal">,
  schema?: Enforced,
): void => {
  draft.answer = {
    ...{ model, provider, text, toolCalls },
    ...(pictures?.length && { pictures }),
    ...(refusal && { isRefusal: true }),
    ...(schema && { schema }),
  };
};

export const noteCheck = (draft: CallDraft, { passed, checks, score, failureMode }: OutputCheck): void => {
  draft.checked = {
    validationPassed: passed,
    validationChecks: checks,
    qualityScore: score,
    formatValid: checks.formatValid,
    ...(failureMode !== undefined && { failureMode }),
  };
};

/** Adds what policies found in the answer to what they found in the prompt. */
export const noteEvaluation = (draft: CallDraft, evaluation: ContentEvaluation): ContentEvaluation => {
  draft.contentEvaluation = withPrompt(draft.contentEvaluation, evaluation);
  return draft.contentEvaluation;
};
