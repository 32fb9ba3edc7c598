/**
 * Side calls: small questions to a model besides the caller's, for judging criteria and summarising turns. Billed and logged with the call.
 */

import { callerHungUp } from "../../api-error.ts";
import { costOf } from "../../catalog/price.ts";
import type { Platform } from "../../platform.ts";
import type { ContentRules } from "../../policies/content/content-rules.ts";
import { reviewAnyText } from "../../policies/content/review-json.ts";
import { type ChatMessage, type FinishReason, promptTokens, type TokenUsage } from "../../providers/provider.ts";
import { parseTriggers } from "../../providers/sandbox/parse-triggers.ts";
import { singleAttempt } from "../../providers/upstream/single-attempt.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import { leadBy } from "../../router/choose.ts";
import { countPrompt } from "../../router/count-prompt.ts";
import { affordableOutput, LEAST_OUTPUT_TOKENS } from "../../router/estimate-cost.ts";
import { type Candidate, scoreCandidates } from "../../router/score-candidates.ts";
import { counted, usedInVain } from "../attempts/billed-usage.ts";
import { addUsage, type CallDraft, spentNanoUsd } from "../call-draft.ts";
import { mayBeShown } from "../decision/apply-routing-policies.ts";
import { callCeiling } from "../decision/call-ceiling.ts";
import { healthFor, isCallable, upstreamNameOf } from "../decision/reachable-models.ts";

const ANSWER_TOKENS = 600;
const LONGEST_MS = 20_000;
/** If the first model fails, one of another provider is asked, if there is one. */
const MOST_ASKED = 2;

type SideAnswer = { text: string; finish: FinishReason };

/** The answer of the cheapest capable model, or of the next one. Throws UpstreamError if none answers, 429 if the budget is spent. */
export const askJudge = async (platform: Platform, draft: CallDraft, prompt: string): Promise<string> =>
  (await askCheaply(platform, draft, prompt, ANSWER_TOKENS)).text;

export const askCheaply = async (
  platform: Platform,
  draft: CallDraft,
  prompt: string,
  maxOutputTokens: number,
): Promise<SideAnswer> => {
  const { caller } = draft;
  const { routing, input } = await platform.policies.of(caller.project.id);
  // The quoted text may contain sandbox triggers, which were meant for the caller's own question.
  const question = caller.mode === "test" ? parseTriggers(prompt).text : prompt;
  const content = input === undefined ? question : sayable(input, question);
  const request = { messages: [{ role: "user" as const, content }], maxOutputTokens };
  const candidates = scoreCandidates(platform.catalog, {
    request,
    promptTokens: countPrompt(request),
    classification: { task: "classification", complexity: 0.3, confidence: 1 },
    qualityCost: 0.8,
    preferFaster: false,
    isConfigured: (model) => isCallable(platform, caller.mode, model) && mayBeShown(routing, model),
    healthOf: healthFor(platform, caller.mode),
    now: platform.clock.now(),
  });
  const ceilingNanoUsd = callCeiling(draft.input, routing);
  const boundOf = (candidate: Candidate): number => outputBound(candidate, draft, request, ceilingNanoUsd);
  const withThis = (candidate: Candidate): number => spentNanoUsd(draft) + candidate.estimatedCostNanoUsd;
  const within = candidates.filter((candidate) => boundOf(candidate) >= LEAST_OUTPUT_TOKENS);
  const [best] = within;
  let failure: unknown = new UpstreamError("network", "No model can be asked within what the call may cost.");
  let asked = 0;
  for (const candidate of best === undefined ? [] : leadBy(best, within)) {
    throwIfOver(platform, draft);
    if (asked === MOST_ASKED || !draft.reservation.raise(withThis(candidate))) continue;
    asked += 1;
    try {
      return await ask(platform, draft, candidate, { ...request, maxOutputTokens: boundOf(candidate) });
    } catch (error) {
      failure = error;
    }
  }
  throwIfOver(platform, draft);
  // If no model has been asked yet, a budget that cannot pay the judge cannot pay the call either.
  if (asked === 0 && best !== undefined && draft.attempts.length === 0) draft.reservation.require(withThis(best));
  throw failure;
};

const ask = async (
  platform: Platform,
  draft: CallDraft,
  { model }: Candidate,
  request: { messages: ChatMessage[]; maxOutputTokens: number },
): Promise<SideAnswer> => {
  const { mode, requestId } = draft.caller;
  const provider = platform.providers.find(mode, model.provider)!;
  const signal = AbortSignal.any([draft.signal, platform.cutOff.signal]);
  const asked = countPrompt(request);
  const pay = (usage: TokenUsage): void => {
    draft.sideUsage = addUsage(draft.sideUsage, usage);
    draft.sideCostNanoUsd += costOf(usage, platform.catalog.pricesOf(model, promptTokens(usage)));
  };
  try {
    const given = await provider.chat!(upstreamNameOf(mode, model), request, singleAttempt(requestId, LONGEST_MS, signal));
    const { usage, text, finishReason } = counted(given, { promptTokens: asked, mostOutputTokens: request.maxOutputTokens });
    pay(usage);
    return { text, finish: finishReason };
  } catch (error) {
    // Aborted by us, after the provider had accepted the prompt.
    const details = error instanceof UpstreamError ? error.details : { accepted: true };
    pay(usedInVain(details, asked).usage);
    throw error;
  }
};

/** A call that ended (cut off, or left by its caller) ends its side calls as well. */
const throwIfOver = ({ cutOff }: Platform, { signal }: CallDraft): void => {
  if (signal.aborted) throw callerHungUp();
  cutOff.signal.throwIfAborted();
};

/** Policies that review prompts see this one too: the quoted text may be older than they are. */
const sayable = (rules: ContentRules, question: string): string => {
  const { text, blocked } = reviewAnyText(rules, question);
  if (blocked) throw new UpstreamError("bad_request", "A content policy keeps the question from being asked.");
  return text;
};

/** The call's ceiling covers side calls: they get what the attempts have left of it. */
const outputBound = (
  { prices }: Candidate,
  draft: CallDraft,
  { messages, maxOutputTokens }: { messages: ChatMessage[]; maxOutputTokens: number },
  ceilingNanoUsd: number | undefined,
): number => {
  if (ceilingNanoUsd === undefined) return maxOutputTokens;
  return Math.min(maxOutputTokens, affordableOutput(prices, countPrompt({ messages }), ceilingNanoUsd - spentNanoUsd(draft)));
};
