/** Everything that is decided before a provider is asked: context, task, policies, ceiling, and which models in which order. */

import type { Mode } from "../accounts/api-key.ts";
import type { Reservation } from "../accounts/budgets.ts";
import { DEFAULT_SETTINGS } from "../accounts/project.ts";
import { ApiError, invalidRequest, notFound, serviceUnavailable } from "../api-error.ts";
import type { ChatModel } from "../catalog/model.ts";
import { toUsd, usdText } from "../lib/money.ts";
import type { Platform } from "../platform.ts";
import type { RoutingRules } from "../policies/evaluate-routing.ts";
import type { ChatRequest } from "../providers/provider.ts";
import { choose, type Decision, leadBy } from "../router/choose.ts";
import { type Classification, classify } from "../router/classify.ts";
import { conversationKey, isContinued } from "../router/conversations.ts";
import { bandOf } from "../router/difficulty.ts";
import { decisionFactors, type Explanation, explainDecision } from "../router/explain.ts";
import { explorationNow, explore } from "../router/explore.ts";
import {
  type Candidate,
  type ChoiceInput,
  fitsContext,
  leastCostOf,
  neededAbilities,
  scoreCandidates,
} from "../router/score-candidates.ts";
import { applyRoutingPolicies } from "./apply-routing-policies.ts";
import type { CallDraft } from "./call-draft.ts";
import { type CompressedContext, compressHistory } from "./context/compress-history.ts";
import { askedMessages } from "./request/last-user-text.ts";

export type Prepared = {
  request: ChatRequest;
  promptTokens: number;
  classification: Classification;
  decision: Decision;
  explanation: Explanation;
  ceilingNanoUsd?: number;
  compressed?: CompressedContext;
  reservation: Reservation;
};

const NOTHING_RESERVED: Reservation = { raise: () => true, release: () => {} };

/** Throws ApiErrors: unknown model, no provider, no room in any context, a ceiling below the cheapest call, a spent budget. */
export const prepareCall = (
  platform: Platform,
  draft: CallDraft,
  request: ChatRequest,
  rules: RoutingRules | undefined,
  /** Nothing will be called: nothing is tried out or reserved. */
  isRehearsal = false,
): Prepared => {
  const { caller, input } = draft;
  const classification = draft.classification!;
  const pinned = input.pinnedModel === undefined ? undefined : requireModel(platform, input.pinnedModel);
  const { request: fitted, promptTokens, compressed } = compressHistory(request, largestWindow(platform, draft));
  const ceilingNanoUsd = least(input.ceilingNanoUsd, rules?.ceilingNanoUsd);
  const stickyModel = stickyModelOf(platform, draft, classification);
  const choiceInput: ChoiceInput = {
    request: fitted,
    promptTokens,
    classification,
    qualityCost: input.qualityCost ?? caller.project.settings.qualityCost ?? DEFAULT_SETTINGS.qualityCost,
    preferFaster: false,
    ...(input.ceilingNanoUsd !== undefined && { ceilingNanoUsd: input.ceilingNanoUsd }),
    isConfigured: (model) => isCallable(platform, caller.mode, model),
    healthOf: (model) =>
      caller.mode === "test" ? "healthy" : platform.providers.health.state(model.provider, model.upstreamModel),
    learned: platform.learning.about(caller.project.id, caller.mode, classification),
    ...(stickyModel !== undefined && { stickyModel }),
    now: platform.clock.now(),
  };
  const all = scoreCandidates(platform.catalog, choiceInput);
  const scored = pinned === undefined || input.allowFallback ? all : all.filter(({ model }) => model === pinned);
  if (scored.length === 0) throw noCandidate(platform, draft, choiceInput, pinned);
  const unbound = choiceWithin(scored, choiceInput, input.ceilingNanoUsd, pinned);
  const bound = applyRoutingPolicies(platform, draft, rules, { decision: unbound, all, input: choiceInput });
  const explores = !isRehearsal && rules === undefined && stickyModel === undefined;
  const decision = explores ? tryOther(platform, draft, bound) : bound;
  const explanation = explainDecision(decision, classification);
  noteDecision(platform, draft, decision, explanation, choiceInput);
  return {
    request: fitted,
    promptTokens,
    classification,
    decision,
    explanation,
    ...(ceilingNanoUsd !== undefined && { ceilingNanoUsd }),
    ...(compressed && { compressed }),
    reservation: isRehearsal ? NOTHING_RESERVED : platform.budgets.reserve(caller.key, decision.ranked[0]!.expectedCostNanoUsd),
  };
};

const tryOther = (platform: Platform, { caller: { project, mode, requestId } }: CallDraft, decision: Decision): Decision =>
  explore(decision, explorationNow(project, mode, platform.learning.of(project.id, mode)), requestId);

const stickyModelOf = (platform: Platform, { caller, input }: CallDraft, { complexity }: Classification): string | undefined => {
  const { messages } = input.request;
  if (!isContinued(messages, input.sessionId)) return undefined;
  const key = conversationKey(`${caller.project.id} ${caller.mode}`, messages, input.sessionId);
  return platform.conversations.find(key, bandOf(complexity), platform.clock.now());
};

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.min(one, other);

const isCallable = (platform: Platform, mode: Mode, model: ChatModel): boolean =>
  platform.providers.find(mode, model.provider)?.chat !== undefined;

/** The router's own choice under the caller's ceiling, before any policy. */
const choiceWithin = (
  scored: Candidate[],
  choice: ChoiceInput,
  ceilingNanoUsd: number | undefined,
  pinned: ChatModel | undefined,
): Decision => {
  const affordable =
    ceilingNanoUsd === undefined ? scored : scored.filter((candidate) => leastCostOf(candidate, choice) <= ceilingNanoUsd);
  if (affordable.length === 0) throw ceilingUnreachable(scored, choice, ceilingNanoUsd!);
  const decision = pinFirst(choose(affordable, choice)!, pinned);
  if (decision.pinned) return decision;
  // Seen from all candidates: the ceiling may have taken the best one out before anything was chosen.
  return { ...decision, optimal: scored[0]!, ceilingDecided: scored[0] !== decision.ranked[0] };
};

/** Tokens that the roomiest of the models in question can hold. */
export const largestWindow = (platform: Platform, draft: CallDraft): number => {
  const { pinnedModel } = draft.input;
  const pinned = pinnedModel === undefined ? undefined : requireModel(platform, pinnedModel);
  return Math.max(...usable(platform, draft, pinned).map(({ contextWindow }) => contextWindow), 0);
};

/** What the request asks for; from the caller's own messages, before any context is added to them. */
export const classifyCall = (platform: Platform, draft: CallDraft): Classification => {
  const { request, schema, schemaId } = draft.input;
  draft.classification = classify(platform.encoder, {
    messages: askedMessages(draft.caller.mode, request.messages),
    hasSchema: schema !== undefined || schemaId !== undefined,
    hasTools: (request.tools?.length ?? 0) > 0,
  });
  return draft.classification;
};

/** The pinned model must exist and some provider must be there, before anything costs time. */
export const checkReachable = (platform: Platform, draft: CallDraft): void => {
  const { pinnedModel } = draft.input;
  requireProvider(platform, draft, pinnedModel === undefined ? undefined : requireModel(platform, pinnedModel));
};

const requireModel = (platform: Platform, id: string): ChatModel => {
  const model = platform.catalog.findChatModel(id);
  if (model === undefined) throw notFound(`The model "${id.slice(0, 100)}"`, "model", "model_not_found");
  return model;
};

/** A pinned model leads whatever its score; with `allow_fallback` the others follow. */
const pinFirst = (decision: Decision, pinned: ChatModel | undefined): Decision => {
  const candidate = pinned && decision.ranked.find(({ model }) => model === pinned);
  if (candidate === undefined) return decision;
  const reason = `The caller pinned ${candidate.model.id}.`;
  return { ranked: leadBy(candidate, decision.ranked), optimal: candidate, reason, ceilingDecided: false, pinned: true };
};

const usable = (platform: Platform, { caller, input }: CallDraft, pinned: ChatModel | undefined): readonly ChatModel[] =>
  pinned !== undefined && !input.allowFallback
    ? [pinned]
    : platform.catalog.chatModels().filter((model) => isCallable(platform, caller.mode, model));

const requireProvider = (platform: Platform, { caller }: CallDraft, pinned: ChatModel | undefined): void => {
  const configured = platform.catalog.chatModels().some((model) => isCallable(platform, caller.mode, model));
  if (!configured) {
    throw serviceUnavailable(
      "No AI provider is configured. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY (or start Ollama), or use a pk_test_ key to try the sandbox.",
      60,
      false,
    );
  }
  if (pinned !== undefined && !isCallable(platform, caller.mode, pinned)) {
    const variables = platform.catalog.provider(pinned.provider)?.keyVariables ?? [];
    throw serviceUnavailable(
      `The provider of ${pinned.id} is not configured${variables[0] ? `: set ${variables[0]}` : ""}.`,
      60,
      false,
    );
  }
};

const noCandidate = (platform: Platform, draft: CallDraft, choice: ChoiceInput, pinned: ChatModel | undefined): ApiError => {
  const models = usable(platform, draft, pinned);
  const needed = neededAbilities(choice.request);
  const able = models.filter((model) => needed.every((ability) => model.abilities.includes(ability)));
  if (able.length === 0) {
    const subject = pinned ? `The model ${pinned.id} cannot` : "No configured model can";
    return invalidRequest(`${subject} take this request: it needs ${needed.join(", ")}.`, "messages", "no_capable_model");
  }
  if (!able.some((model) => fitsContext(model, choice.promptTokens))) {
    const most = Math.max(...able.map(({ contextWindow }) => contextWindow));
    return invalidRequest(
      `The input has about ${choice.promptTokens} tokens; the largest context among the models that could answer is ${most}.`,
      "messages",
      "context_length_exceeded",
    );
  }
  if (pinned !== undefined) return notServed(pinned);
  return serviceUnavailable("No model that could answer is served any more.", 60, false);
};

const notServed = ({ id, shutdownDate }: ChatModel): ApiError =>
  new ApiError(
    "not_found",
    `${id} is served no more: its provider shut it down on ${shutdownDate}. The operator's \`shutdown_date\` of the model may say otherwise.`,
    { param: "model", code: "model_not_found" },
  );

const ceilingUnreachable = (candidates: Candidate[], choice: ChoiceInput, ceilingNanoUsd: number): ApiError => {
  const least = Math.min(...candidates.map((candidate) => leastCostOf(candidate, choice)));
  return invalidRequest(
    `max_cost_per_call is ${usdText(ceilingNanoUsd)} USD, but the cheapest possible call costs ${usdText(least)} USD.`,
    "max_cost_per_call",
    "cost_ceiling_unreachable",
  );
};

const noteDecision = (
  platform: Platform,
  draft: CallDraft,
  decision: Decision,
  explanation: Explanation,
  choice: ChoiceInput,
): void => {
  const { caller, input } = draft;
  const first = decision.ranked[0]!;
  draft.firstChoice = first.model.id;
  draft.routingReason = decision.reason;
  draft.decisionFactors = decisionFactors(explanation, decision, draft.classification!, choice);
  draft.context = {
    provider_health: Object.fromEntries(decision.ranked.map(({ model, health }) => [model.provider, health])),
    budget: {
      budget_usd: caller.key.budgetNanoUsd === null ? null : toUsd(caller.key.budgetNanoUsd),
      spent_usd: toUsd(platform.budgets.spent(caller.key.id)),
    },
  };
  const ceiling = input.ceilingNanoUsd;
  if (ceiling !== undefined && (decision.ceilingDecided || first.expectedCostNanoUsd > ceiling))
    draft.costWarning = costWarning(decision, ceiling);
};

/** The ceiling chose another model, or leaves the one that was chosen no room for the answer that was to be expected. */
const costWarning = ({ optimal, ranked }: Decision, ceilingNanoUsd: number): Record<string, unknown> => {
  const first = ranked[0]!;
  const consequence = first === optimal ? "its answer is kept short" : `${first.model.id} was chosen instead`;
  return {
    ceiling_usd: toUsd(ceilingNanoUsd),
    optimal_model: optimal.model.id,
    optimal_cost_usd: toUsd(optimal.expectedCostNanoUsd),
    selected_model: first.model.id,
    // The answer is capped to what the ceiling leaves.
    estimated_cost_usd: toUsd(Math.min(first.expectedCostNanoUsd, ceilingNanoUsd)),
    message: `${optimal.model.id} would have cost about ${usdText(optimal.expectedCostNanoUsd)} USD, above the ceiling of ${usdText(ceilingNanoUsd)} USD; ${consequence}.`,
  };
};
