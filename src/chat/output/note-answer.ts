/** What the log will know of the answer that is returned, whole or streamed. */

import type { ToolCall } from "../../providers/provider.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import type { CallDraft } from "../call-draft.ts";
import type { OutputCheck } from "./check-output.ts";

export const noteModel = (draft: CallDraft, { model }: Candidate): void => {
  draft.model = model.id;
  draft.provider = model.provider;
};

export const noteCheck = (draft: CallDraft, { passed, checks, score, failureMode }: OutputCheck): void => {
  draft.validationPassed = passed;
  draft.validationChecks = checks;
  draft.qualityScore = score;
  draft.formatValid = checks.formatValid;
  if (failureMode !== undefined) draft.failureMode = failureMode;
};

/** As it left. Calls of tools are told as text where there is none beside them. */
export const noteOutput = (draft: CallDraft, text: string, calls: ToolCall[]): void => {
  draft.outputText = text || calls.map((call) => `${call.name}(${call.arguments})`).join("\n");
  draft.toolCalls = calls;
};
