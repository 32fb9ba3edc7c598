/** Decides which answers may be given again. */

import type { Platform } from "../../platform.ts";
import { bareId } from "../../providers/dialect/tool-call-ids.ts";
import type { ChatResult } from "../../providers/provider.ts";
import type { CallDraft } from "../call-draft.ts";
import { KEPT_CHARACTERS } from "../output/kept-text.ts";

/**
 * Lets the answer be given again, if it is complete and passed its checks, and the log holds all of it that anybody needs: neither pictures,
 * nor cited pages, nor the stop sequence that ended it, nor the thinking that some vendors want back with tool calls are in the log.
 */
export const keepAnswer = (
  platform: Platform,
  draft: CallDraft,
  { finishReason, toolCalls, pictures, citations, stopSequence, ...result }: ChatResult,
  hasThought = result.thoughts !== undefined || result.reasoning !== undefined,
): void => {
  const { question } = draft;
  if (question === undefined || !draft.checked!.validationPassed) return;
  const isComplete = finishReason === "stop" || finishReason === "tool_calls";
  const isShort = draft.answer!.text.length < KEPT_CHARACTERS;
  const isBare = toolCalls.every(({ id }) => !hasThought && bareId(id) === id);
  const hasMore = pictures !== undefined || citations !== undefined || stopSequence !== undefined;
  if (!isComplete || !isShort || !isBare || hasMore) return;
  draft.keptAs = { question, untilMs: platform.clock.now() + draft.reuse!.keepMs };
};
