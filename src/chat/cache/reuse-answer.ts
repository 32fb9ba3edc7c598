/** Gives an answer again that the log holds for the same question, and decides which answers may be. */

import { toFourDecimals } from "../../lib/round.ts";
import { type RecalledAnswer, recallAnswer } from "../../logs/recall-call.ts";
import type { Platform } from "../../platform.ts";
import { bareId } from "../../providers/dialect/tool-call-ids.ts";
import type { ChatResult } from "../../providers/provider.ts";
import { enforceSchema } from "../../schemas/enforce-schema.ts";
import type { CallDraft } from "../call-draft.ts";
import type { Context } from "../context/gather-context.ts";
import { KEPT_CHARACTERS } from "../output/kept-text.ts";
import { questionOf } from "./question.ts";

/**
 * Undefined if the call does not ask for it, no such answer was kept, or it is too old. The result has no thinking, because the log has
 * none.
 */
export const reuseAnswer = async (platform: Platform, draft: CallDraft, context: Context): Promise<ChatResult | undefined> => {
  const { caller, reuse } = draft;
  if (reuse === undefined) return undefined;
  const question = questionOf(draft, context);
  draft.question = question;
  if (reuse.maxAgeMs === 0) return undefined;
  const nowMs = platform.clock.now();
  const asked = { projectId: caller.project.id, mode: caller.mode, question, sinceMs: nowMs - reuse.maxAgeMs, nowMs };
  const answer = await recallAnswer(platform.db, asked);
  // A model that was switched off since then is not to be heard again.
  if (answer === undefined || platform.catalog.findChatModel(answer.attempt.model) === undefined) return undefined;
  noteReused(draft, context, answer, nowMs);
  const { text, toolCalls, attempt } = answer;
  const { finishReason = "stop", usage, usageSource } = attempt;
  return { text, toolCalls, finishReason, usage, usageSource };
};

/**
 * Log and `svc` get what was found when the answer was new: it was good, or it would not have been kept. Its score is not repeated, because
 * it counts once for its model.
 */
const noteReused = (draft: CallDraft, { schema }: Context, answer: RecalledAnswer, nowMs: number): void => {
  const { callId, costNanoUsd, attempt, text, toolCalls, validationChecks } = answer;
  const ageS = Math.max(0, Math.floor((nowMs - answer.completedAtMs) / 1000));
  draft.reused = { callId, savedNanoUsd: costNanoUsd, ageS };
  const reason = `The answer of ${callId} was given again after ${ageS} s; no model was asked.`;
  const confidence = toFourDecimals(draft.classification.confidence);
  draft.routing = { first_choice: attempt.model, reason, confidence, candidates: [] };
  const enforced = schema && toolCalls.length === 0 ? enforceSchema(schema, text, { strict: true }) : undefined;
  draft.answer = { model: attempt.model, provider: attempt.provider, text, toolCalls, ...(enforced && { schema: enforced }) };
  draft.checked = { validationPassed: true, formatValid: true, ...(validationChecks && { validationChecks }) };
  Object.assign(draft, answer.found);
};

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
