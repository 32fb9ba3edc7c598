/**
 * Side calls: small questions to a model besides the caller's, for judging criteria and summarising turns. Billed and logged with the call.
 */

import { callerHungUp } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import type { ContentRules } from "../../policies/content/content-rules.ts";
import { isBlocked } from "../../policies/content/review-content.ts";
import { reviewInSteps } from "../../policies/content/review-json.ts";
import type { RoutingRules } from "../../policies/routing-rules.ts";
import type { ChatRequest, FinishReason, TokenUsage } from "../../providers/provider.ts";
import { withoutTriggers } from "../../providers/sandbox/read-faults.ts";
import { singleAttempt } from "../../providers/upstream/single-attempt.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import { leadBy } from "../../router/choose.ts";
import { countPrompt } from "../../router/count-prompt.ts";
import { LEAST_OUTPUT_TOKENS } from "../../router/estimate-cost.ts";
import { type Candidate, type ChoiceInput, scoreCandidates } from "../../router/score-candidates.ts";
import { addUsage, type CallDraft } from "../call-draft.ts";
import { mayBeShown } from "../decision/apply-routing-policies.ts";
import { callCeiling, reservationFor } from "../decision/call-ceiling.ts";
import { healthFor, isCallable, upstreamNameOf } from "../decision/reachable-models.ts";
import { costWith, counted, usedInVain } from "./billed-usage.ts";
import { outputLeft } from "./output-bound.ts";

const ANSWER_TOKENS = 600;
const LONGEST_MS = 20_000;
/** If the first model fails, one of another provider is asked, if there is one. */
const MOST_ASKED = 2;

type SideAnswer = { text: string; finish: FinishReason };
type SideRequest = Pick<ChatRequest, "messages" | "needsBound"> & { maxOutputTokens: number };

export const askJudge = async (platform: Platform, draft: CallDraft, prompt: string): Promise<string> =>
  (await askCheaply(platform, draft, prompt, ANSWER_TOKENS)).text;

/** The answer of the cheapest capable model, or of the next one. Throws UpstreamError if none answers, 429 if the budget is spent. */
export const askCheaply = async (
  platform: Platform,
  draft: CallDraft,
  prompt: string,
  maxOutputTokens: number,
): Promise<SideAnswer> => {
  const { caller } = draft;
  const { routing, input } = await platform.policies.of(caller.project.id);
  // The quoted text may contain sandbox triggers, which were meant for the caller's own question.
  const question = caller.mode === "test" ? withoutTriggers(prompt) : prompt;
  const content = input === undefined ? question : await sayable(input, question);
  const request: SideRequest = { messages: [{ role: "user", content }], maxOutputTokens };
  const promptTokens = countPrompt(request);
  const ceilingNanoUsd = callCeiling(draft.input, routing);
  // The call's ceiling covers side calls: they get what the attempts have left of it.
  const leftFor = (candidate: Candidate): number => outputLeft({ promptTokens, ceilingNanoUsd }, draft, candidate);
  const isAffordable = (candidate: Candidate): boolean => leftFor(candidate) >= LEAST_OUTPUT_TOKENS;
  const able = cheapestFirst(platform, draft, routing, { request, promptTokens }).filter(isAffordable);
  const [best] = able;
  let failure: unknown = new UpstreamError("network", "No model can be asked within what the call may cost.");
  let asked = 0;
  for (const candidate of best === undefined ? [] : leadBy(best, able)) {
    throwIfOver(platform, draft);
    // A model that failed may have been paid all the same.
    if (asked === MOST_ASKED || !isAffordable(candidate) || !draft.reservation.raise(reservationFor(draft, candidate))) continue;
    asked += 1;
    try {
      return await ask(platform, draft, candidate, {
        ...request,
        maxOutputTokens: Math.min(maxOutputTokens, leftFor(candidate)),
        ...(ceilingNanoUsd !== undefined && { needsBound: true }),
      });
    } catch (error) {
      failure = error;
    }
  }
  throwIfOver(platform, draft);
  // If no model has been asked yet, a budget that cannot pay the judge cannot pay the call either.
  if (asked === 0 && best !== undefined && draft.attempts.length === 0) draft.reservation.require(reservationFor(draft, best));
  throw failure;
};

const cheapestFirst = (
  platform: Platform,
  { caller: { mode } }: CallDraft,
  rules: RoutingRules | undefined,
  asked: Pick<ChoiceInput, "request" | "promptTokens">,
): Candidate[] =>
  scoreCandidates(platform.catalog, {
    ...asked,
    classification: { task: "classification", complexity: 0.3, confidence: 1 },
    qualityCost: 0.8,
    preferFaster: false,
    isConfigured: (model) => isCallable(platform, mode, model) && mayBeShown(rules, model),
    healthOf: healthFor(platform, mode),
    now: platform.clock.now(),
  });

const ask = async (platform: Platform, draft: CallDraft, { model }: Candidate, request: SideRequest): Promise<SideAnswer> => {
  const promptTokens = countPrompt(request);
  const { mode, requestId } = draft.caller;
  const provider = platform.providers.find(mode, model.provider)!;
  const signal = AbortSignal.any([draft.signal, platform.cutOff.signal]);
  const startedAt = performance.now();
  const settle = (usage: TokenUsage): void => {
    draft.upstreamMs += performance.now() - startedAt;
    draft.sideUsage = addUsage(draft.sideUsage, usage);
    draft.sideCostNanoUsd += costWith(platform, model, usage);
  };
  try {
    const given = await provider.chat!(upstreamNameOf(mode, model), request, singleAttempt(requestId, LONGEST_MS, signal));
    const { usage, text, finishReason } = counted(given, { promptTokens, mostOutputTokens: request.maxOutputTokens });
    settle(usage);
    return { text, finish: finishReason };
  } catch (error) {
    // Aborted by us, after the provider had accepted the prompt.
    const details = error instanceof UpstreamError ? error.details : { accepted: true };
    settle(usedInVain(details, promptTokens).usage);
    throw error;
  }
};

/** A call that ended (cut off, or left by its caller) ends its side calls as well. */
const throwIfOver = ({ cutOff }: Platform, { signal }: CallDraft): void => {
  if (signal.aborted) throw callerHungUp();
  cutOff.signal.throwIfAborted();
};

/** Policies that review prompts see this one too: the quoted text may be older than they are. */
const sayable = async (rules: ContentRules, question: string): Promise<string> => {
  const review = await reviewInSteps(rules, question, false);
  if (isBlocked(review)) throw new UpstreamError("bad_request", "A content policy keeps the question from being asked.");
  return review.text;
};
