/** Decides which answers may be given again. */

import type { Platform } from "../../platform.ts";
import type { ChatResult } from "../../providers/provider.ts";
import type { PendingCall } from "../decision/decide-call.ts";
import { KEPT_CHARACTERS } from "../output/kept-text.ts";

/**
 * Lets the answer be given again, if it is complete and passed its checks, and the log holds all of it: neither cited pages nor the stop
 * sequence that ended it are in the log.
 */
export const keepAnswer = (platform: Platform, { draft, question }: PendingCall, result: ChatResult): void => {
  if (question === undefined) return;
  const { finishReason, citations, stopSequence } = result;
  const isComplete = finishReason === "stop" || finishReason === "tool_calls";
  const isInLog = citations === undefined && stopSequence === undefined && draft.answer!.text.length < KEPT_CHARACTERS;
  if (!isComplete || !isInLog || !draft.checked!.validationPassed) return;
  draft.keptAs = { question, untilMs: platform.clock.now() + draft.reuse!.keepMs };
};
