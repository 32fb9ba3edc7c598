/** How long an answer may be: what the caller asked for, what the model can do, and what the ceiling leaves. In tokens. */

import type { ChatRequest, FinishReason } from "../../providers/provider.ts";
import { outputRoom } from "../../router/can-take.ts";
import { affordableOutput, LEAST_OUTPUT_TOKENS } from "../../router/estimate-cost.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";
import type { Target } from "./next-target.ts";

/** `ceilingNanoUsd`: of the whole call, what it has cost already included. */
type Priced = { promptTokens: number; ceilingNanoUsd?: number | undefined };
type Asked = Priced & { request: ChatRequest };

/** Tokens of output that the ceiling still pays for; unlimited without a ceiling. */
export const outputLeft = (
  { promptTokens, ceilingNanoUsd }: Priced,
  draft: CallDraft,
  { prices, extraPromptTokens }: Candidate,
): number =>
  ceilingNanoUsd === undefined
    ? Number.MAX_SAFE_INTEGER
    : affordableOutput(prices, promptTokens + extraPromptTokens, ceilingNanoUsd - spentNanoUsd(draft));

/** Whether the ceiling leaves room for an answer of useful length from this model. */
export const fitsCeiling = (asked: Asked, draft: CallDraft, candidate: Candidate): boolean =>
  outputLeft(asked, draft, candidate) >= candidate.leastOutputTokens;

/** The lowest of: the caller's bound or the model's usual one, the model's maximum, what the context leaves and what the ceiling leaves. */
export const outputBound = (
  { request, promptTokens }: Asked,
  { candidate: { model }, purpose }: Target,
  left: number,
): number => {
  // A retry after a cut answer gets the model's full output instead of the usual bound.
  const usual = purpose === "retry" ? undefined : model.usualOutputTokens;
  const context = Math.max(LEAST_OUTPUT_TOKENS, outputRoom(model, promptTokens));
  const asked = request.maxOutputTokens ?? usual ?? Number.MAX_SAFE_INTEGER;
  return Math.max(1, Math.min(asked, model.maxOutputTokens, context, left));
};

/** After an answer without words: if its bound was reached, thinking took all of it, and the next answer does without. */
export const leavingRoom = <Asked extends { request: ChatRequest }>(asked: Asked, finish: FinishReason | undefined): Asked => {
  if (finish !== "length") return asked;
  const { thinking } = asked.request;
  const unthinking = { reasoningEffort: "none" as const, ...(thinking && { thinking: { mode: "disabled" as const } }) };
  return { ...asked, request: { ...asked.request, ...unthinking } };
};
