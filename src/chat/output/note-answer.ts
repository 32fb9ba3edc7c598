/** Notes for the log what it shows of the returned answer, whole or streamed. */

import { callsAsText } from "../../logs/call.ts";
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

/** As it was sent. */
export const noteOutput = (draft: CallDraft, text: string, calls: ToolCall[]): void => {
  draft.outputText = text || callsAsText(calls);
  draft.toolCalls = calls;
};
