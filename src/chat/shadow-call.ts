/**
 * Asks a second model the same question, for comparison (decisions §10): after the answer was sent, noted beside the call in the log, never
 * part of its cost. A shadow that fails only leaves a line in the process log.
 */

import type { ChatModel } from "../catalog/model.ts";
import { recordShadow } from "../logs/amend/record-shadow.ts";
import type { ShadowCall } from "../logs/amend/shadow-store.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../process-log.ts";
import { singleAttempt } from "../providers/upstream/single-attempt.ts";
import { canTake, fitsContext, neededAbilities } from "../router/can-take.ts";
import { costWith, counted } from "./attempts/billed-usage.ts";
import { inlineMedia } from "./attempts/inline-media.ts";
import { mayBeShown } from "./decision/apply-routing-policies.ts";
import type { DecidedCall, PendingCall } from "./decision/decide-call.ts";
import { isCallable, upstreamNameOf } from "./decision/reachable-models.ts";
import { checkAnswer } from "./output/check-output.ts";

/** Scores closer than this count as equal. */
const SAME_QUALITY = 0.05;

/** Call it once the call is in the log. Returns at once; whether a model was asked, and the call is sampled, is decided here. */
export const shadowCall = (platform: Platform, call: DecidedCall): void => {
  if (call.result !== undefined) return;
  const { requestId, project } = call.draft.caller;
  const { shadow } = project.settings;
  if (shadow === undefined || Math.random() >= shadow.sampleRate) return;
  const model = platform.catalog.findChatModel(shadow.model);
  if (model === undefined || !canStandBeside(platform, call, model)) return;
  platform.background.soon("shadow call", async () => {
    await new Promise(setImmediate);
    await askShadow(platform, call, model).catch((error) =>
      platform.log.warn("A shadow call failed", { request_id: requestId, model: model.id, ...describeError(error) }),
    );
  });
};

/** Whether the model is another than the one that answered, could have answered too, and may see the prompt. */
const canStandBeside = (platform: Platform, { draft, prepared, context }: PendingCall, model: ChatModel): boolean =>
  model.id !== draft.answer?.model &&
  isCallable(platform, draft.caller.mode, model) &&
  mayBeShown(context.policies.routing, model) &&
  canTake(model, neededAbilities(prepared.request)) &&
  fitsContext(model, prepared.promptTokens);

const askShadow = async (platform: Platform, { draft, prepared }: PendingCall, model: ChatModel): Promise<void> => {
  const { caller, classification } = draft;
  const { request, promptTokens } = prepared;
  const { totalMs } = platform.config.timeouts;
  const began = performance.now();
  const maxOutputTokens = Math.min(request.maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens);
  const bounded = { ...request, maxOutputTokens };
  const provider = platform.providers.find(caller.mode, model.provider)!;
  const sent = await inlineMedia(platform, caller.mode, provider, bounded, AbortSignal.timeout(totalMs));
  const given = await provider.chat!(upstreamNameOf(caller.mode, model), sent, singleAttempt(caller.requestId, totalMs));
  const result = counted(given, { promptTokens, mostOutputTokens: maxOutputTokens });
  const { score, passed } = checkAnswer(platform, draft, request, result);
  const shadow = { callId: caller.requestId, mode: caller.mode, model: model.id, passed };
  platform.learning.heardOfShadow(caller.project, shadow, classification);
  await recordShadow(platform, caller, {
    model: model.id,
    costNanoUsd: costWith(platform, model, result.usage),
    latencyMs: performance.now() - began,
    comparison: compare(score, draft.checked!.qualityScore!),
  });
};

const compare = (shadow: number, sent: number): ShadowCall["comparison"] => {
  if (Math.abs(shadow - sent) <= SAME_QUALITY) return "similar";
  return shadow > sent ? "better" : "worse";
};
