/** The end of a call: its row is committed to the ledger, the router learns from it, and what the call held is given back. */

import { ApiError, serviceUnavailable } from "../api-error.ts";
import { endNow } from "../lib/clock.ts";
import type { Call } from "../logs/call.ts";
import { commitCall } from "../logs/record-call.ts";
import { redactCall } from "../logs/redact-call.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../process-log.ts";
import { bandOf } from "../router/difficulty.ts";
import { type CallDraft, conversationOf } from "./call-draft.ts";
import { leaveMemory } from "./context/session-memory.ts";
import { toCall } from "./to-call.ts";

/** Runs the story of a call, which records its success itself. A call that fails gets its row here. */
export const recorded = async <T>(platform: Platform, draft: CallDraft, story: () => Promise<T>): Promise<T> => {
  try {
    return await story();
  } catch (error) {
    if (!draft.isClosed && !leavesNoRow(draft, error)) await recordDraft(platform, draft, error);
    throw error;
  } finally {
    draft.releaseLongAnswer?.();
    draft.reservation.release();
    leaveMemory(platform, draft);
  }
};

/** Failures that never became a call: an unknown model, or a budget that was spent before anything was asked (decisions §11). */
const leavesNoRow = (draft: CallDraft, error: unknown): boolean =>
  error instanceof ApiError &&
  (error.options.code === "model_not_found" ||
    (error.status === 429 && draft.attempts.length === 0 && draft.sideCostNanoUsd === 0));

/**
 * Writes the row; await it before the answer ends (decisions §10). `error` is what the caller got instead of an answer. Throws 503 if the row
 * cannot be written (disk full, file locked), because then there is no answer either.
 */
export const recordDraft = async (platform: Platform, draft: CallDraft, error?: unknown): Promise<void> => {
  const { durable } = await commitDraft(platform, draft, error);
  await durable;
};

/** The same for an answer that is prepared while the disk syncs; it may be sent once `durable` resolves. */
export const commitDraft = async (platform: Platform, draft: CallDraft, error?: unknown): Promise<{ durable: Promise<void> }> => {
  draft.isClosed = true;
  draft.completedAtMs = endNow(platform.clock, draft.caller);
  const written = toCall(draft, draft.completedAtMs, error);
  const call = draft.logRules === undefined ? written : await redactCall(written, draft.logRules);
  const unwritten = (cause: unknown): never => {
    platform.log.error("A call could not be written to the log", { request_id: call.id, ...describeError(cause) });
    throw serviceUnavailable("The call could not be written to the log, so it is not answered.", 5, false);
  };
  const { durable } = await commitCall(platform, draft.caller.project, call).catch(unwritten);
  learnFrom(platform, draft, call);
  return { durable: durable.catch(unwritten) };
};

/** Teaches the router the outcome, and remembers the model that answered, for the rest of the conversation. */
const learnFrom = (platform: Platform, draft: CallDraft, call: Call): void => {
  const { caller, classification, logRules, reused } = draft;
  if (call.kind !== "chat" || reused !== undefined) return;
  const keepsPrompt = caller.project.settings.storeBodies !== false && logRules === undefined;
  platform.learning.heardOfCall(caller.project, call, classification, keepsPrompt);
  if (call.status !== 200) return;
  platform.conversations.remember(conversationOf(draft), call.model!, bandOf(classification.complexity), call.completedAtMs);
};
