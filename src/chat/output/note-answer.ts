/** Notes in the draft what the log shows of an answer, whole or streamed. */

import type { ChatResult } from "../../providers/provider.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import type { Enforced } from "../../schemas/enforce-schema.ts";
import type { CallDraft } from "../call-draft.ts";
import type { OutputCheck } from "./check-output.ts";

/** `schema`: how the answer fits it. */
export const noteAnswer = (
  draft: CallDraft,
  { model: { id: model, provider } }: Candidate,
  { text, toolCalls }: Pick<ChatResult, "text" | "toolCalls">,
  schema?: Enforced,
): void => {
  draft.answer = { model, provider, text, toolCalls, ...(schema && { schema }) };
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
