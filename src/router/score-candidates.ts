/** Scores every model that could answer; pure, so that a decision can be repeated and explained. */

import type { Catalog } from "../catalog/catalog.ts";
import type { ChatModel, TokenPrices } from "../catalog/model.ts";
import { forAnHour } from "../catalog/price.ts";
import type { TextTask } from "../catalog/task-type.ts";
import { takesSampling } from "../providers/dialect/sampling.ts";
import type { HealthState } from "../providers/health/model-breaker.ts";
import type { ChatRequest } from "../providers/provider.ts";
import { canTake, fitsContext, hasSound, neededAbilities, outputRoom } from "./can-take.ts";
import type { Classification } from "./classify.ts";
import { extrasIn, extraTokens } from "./count-prompt.ts";
import { costBound, expectedCost, expectedOutput, leastOutput } from "./estimate-cost.ts";
import { setsSampling } from "./ignored-parameters.ts";
import { factsOf, type ModelFacts } from "./model-facts.ts";
import { hardnessOf, shareOf, textTaskOf } from "./predict-quality.ts";

/** What this project's own outcomes say about models for this kind of prompt. */
export type Learned = {
  /** `shift`: log-odds to add to the catalog's prediction; `trials`: how many outcomes that rests on. */
  of(modelId: string): { shift: number; trials: number };
  /** Measured time as a multiple of the catalog's guess. */
  paceOf(modelId: string): number;
};

/** The input of a choice. */
export type ChoiceInput = {
  request: ChatRequest;
  promptTokens: number;
  classification: Pick<Classification, "task" | "complexity" | "confidence"> & { runnerUp?: TextTask };
  /** 0 = best, 1 = cheapest. */
  qualityCost: number;
  preferFaster: boolean;
  latencyTargetMs?: number;
  /** What policies prefer, in words, for the reason; empty if nothing. */
  preference?: string;
  ceilingNanoUsd?: number;
  /** The model that answered the conversation before; its prompt cache is warm. */
  stickyModel?: string;
  /** Whether the model's provider can be called at all. */
  isConfigured(model: ChatModel): boolean;
  /** The lowest output bound that the model's API takes. Absent: 1. */
  leastBoundOf?(model: ChatModel): number;
  healthOf(model: ChatModel): HealthState;
  /** If absent, only the catalog's figures count. */
  learned?: Learned;
  now: number;
};

export type Candidate = {
  model: ChatModel;
  prices: TokenPrices;
  /** Prompt tokens that this model counts beyond the estimate for all of them (`count-prompt.ts`). */
  extraPromptTokens: number;
  /** An answer for which there is no room for so many tokens is not asked for. */
  leastOutputTokens: number;
  quality: number;
  /** Number of own outcomes behind `quality`, faded with time. */
  trials: number;
  expectedCostNanoUsd: number;
  /** The estimate shown to callers and compared with ceilings: an expected answer, with the prompt at its highest price. */
  estimatedCostNanoUsd: number;
  expectedLatencyMs: number;
  health: HealthState;
  score: number;
  /** False if the ceiling leaves no room for the expected answer; the model may still be called with a shorter one. */
  fitsCeiling: boolean;
  /** False if the prompt leaves no room for the expected answer in the context; the model may be called where no other can answer. */
  hasRoom: boolean;
};

/** Below this confidence the runner-up task counts as much as the likeliest. */
const UNSURE = 0.45;
/** How much better a model must be for each tenfold of cost: 0.13 when balanced, nothing at 0, any price difference at 1. */
const weightOfCost = (qualityCost: number): number => 0.13 * Math.sqrt(qualityCost / Math.max(1e-6, 1 - qualityCost));
/** Costs below a hundred-thousandth of a dollar are all the same. */
const NEGLIGIBLE_NANO_USD = 10_000;
/** Tokens for which there should be room even if a short answer is expected, because it may be longer. */
const AMPLE = 500;
/** Subtracted from the score for each doubling of time over the fastest. */
const LATENCY_WEIGHT = 0.004;
const LATENCY_WEIGHT_PREFERRED = 0.12;
const OVER_LATENCY_TARGET = 0.25;
const DEGRADED = 0.1;
const STICKY = 0.05;
/** Models whose provider enforces the schema itself keep it more reliably. */
const UNENFORCED_SCHEMA = 0.05;
/** A model that ignores the caller's temperature and the like must be this much better. The answer names what was ignored. */
const UNHEEDED_SAMPLING = 0.05;

/** What the model would have scored in good health. */
export const scoreIfHealthy = ({ score, health }: Candidate): number => (health === "degraded" ? score + DEGRADED : score);

export const isUnsure = ({ confidence, runnerUp }: ChoiceInput["classification"]): boolean =>
  confidence < UNSURE && runnerUp !== undefined;

/**
 * All models able to take the request, the best first. Those without room for the answer come after them, and those that are `down` last,
 * rather than being removed: there may be no others.
 */
export const scoreCandidates = (catalog: Catalog, input: ChoiceInput): Candidate[] => {
  const needed = neededAbilities(input.request);
  const hardness = hardnessOf(input.classification.complexity);
  const extras = extrasIn(input.request);
  const candidates: Candidate[] = [];
  for (const model of catalog.chatModels()) {
    const facts = factsOf(model);
    if (input.now >= facts.servedUntilMs || !fitsContext(model, input.promptTokens)) continue;
    if (!canTake(model, needed) || !input.isConfigured(model)) continue;
    candidates.push(describe(catalog, model, facts, hardness, extraTokens(input.promptTokens, extras, model), input));
  }
  const scale = scaleOf(candidates, input);
  for (const candidate of candidates) candidate.score = scoreOf(candidate, input, scale);
  return candidates.sort(byRank);
};

/** Equals stay in the catalog's order: a model before another id that the operator gave it. */
const byRank = (a: Candidate, b: Candidate): number =>
  Number(a.health === "down") - Number(b.health === "down") || Number(b.hasRoom) - Number(a.hasRoom) || b.score - a.score;

const describe = (
  catalog: Catalog,
  model: ChatModel,
  facts: ModelFacts,
  hardness: number,
  extraPromptTokens: number,
  { classification, promptTokens, request, ceilingNanoUsd, learned, healthOf, leastBoundOf }: ChoiceInput,
): Candidate => {
  const { task, complexity, runnerUp } = classification;
  const ownPromptTokens = promptTokens + extraPromptTokens;
  const prices = pricesFor(request, catalog.pricesOf(model, ownPromptTokens));
  const outputTokens = expectedOutput(model, task, complexity, request.maxOutputTokens);
  const leastOutputTokens = leastOutput(request.maxOutputTokens, leastBoundOf?.(model));
  const estimatedCostNanoUsd = costBound(prices, ownPromptTokens, Math.max(outputTokens, leastOutputTokens));
  const ability = facts.ability[textTaskOf(task)];
  const abilityHere = isUnsure(classification) ? (ability + facts.ability[runnerUp!]) / 2 : ability;
  const known = learned?.of(model.id);
  const pace = learned?.paceOf(model.id) ?? 1;
  return {
    model,
    prices,
    extraPromptTokens,
    leastOutputTokens,
    quality: shareOf(abilityHere - hardness + (known?.shift ?? 0)),
    trials: known?.trials ?? 0,
    expectedCostNanoUsd: expectedCost(prices, ownPromptTokens, outputTokens),
    estimatedCostNanoUsd,
    expectedLatencyMs: Math.round(pace * guessedLatency(model, outputTokens)),
    health: healthOf(model),
    score: 0,
    fitsCeiling: ceilingNanoUsd === undefined || estimatedCostNanoUsd <= ceilingNanoUsd,
    hasRoom:
      outputRoom(model, promptTokens) >=
      Math.min(Math.max(outputTokens, AMPLE), request.maxOutputTokens ?? Number.POSITIVE_INFINITY, model.maxOutputTokens),
  };
};

/** A ceiling also covers what costs more: a prompt written to the cache for an hour, and one with sound, which may be all that it is. */
const pricesFor = (request: ChatRequest, given: TokenPrices): TokenPrices => {
  const prices = request.cachePrompt?.longest === "1h" ? forAnHour(given) : given;
  const { audioInputNanoUsd } = prices;
  return audioInputNanoUsd === undefined || !hasSound(request) ? prices : { ...prices, inputNanoUsd: audioInputNanoUsd };
};

const heedsSampling = ({ quirks = {} }: ChatModel, request: ChatRequest): boolean =>
  takesSampling(request, quirks, quirks.dialect ?? "openai");

/** Nano-USD of the prompt and the shortest answer that would be worth having. */
export const leastCostOf = (
  { prices, extraPromptTokens, leastOutputTokens }: Candidate,
  { promptTokens }: Pick<ChoiceInput, "promptTokens">,
): number => costBound(prices, promptTokens + extraPromptTokens, leastOutputTokens);

/** Whether the caller's ceiling leaves room for any answer at all. */
export const isAffordable = (candidate: Candidate, choice: ChoiceInput): boolean =>
  choice.ceilingNanoUsd === undefined || leastCostOf(candidate, choice) <= choice.ceilingNanoUsd;

/** Milliseconds until the whole answer, as the catalog guesses. */
export const guessedLatency = (model: ChatModel, outputTokens: number): number =>
  model.firstTokenMs + (outputTokens / model.tokensPerSecond) * 1000;

/** Values that all candidates of a choice share. */
type Scale = { cheapest: number; fastest: number; costWeight: number; setsSampling: boolean };

const scaleOf = (candidates: readonly Candidate[], { qualityCost, request }: ChoiceInput): Scale => {
  let cheapest = Number.POSITIVE_INFINITY;
  let fastest = Number.POSITIVE_INFINITY;
  for (const { expectedCostNanoUsd, expectedLatencyMs } of candidates) {
    if (expectedCostNanoUsd < cheapest) cheapest = expectedCostNanoUsd;
    if (expectedLatencyMs < fastest) fastest = expectedLatencyMs;
  }
  return { cheapest, fastest: Math.max(1, fastest), costWeight: weightOfCost(qualityCost), setsSampling: setsSampling(request) };
};

const scoreOf = (candidate: Candidate, input: ChoiceInput, { cheapest, fastest, costWeight, setsSampling }: Scale): number => {
  const { request, latencyTargetMs, stickyModel } = input;
  const { model, expectedCostNanoUsd, expectedLatencyMs, health } = candidate;
  const dearness = Math.log10((expectedCostNanoUsd + NEGLIGIBLE_NANO_USD) / (cheapest + NEGLIGIBLE_NANO_USD));
  const slowness = Math.log2(Math.max(1, expectedLatencyMs) / fastest);
  let score = candidate.quality - costWeight * dearness;
  score -= (input.preferFaster ? LATENCY_WEIGHT_PREFERRED : LATENCY_WEIGHT) * slowness;
  if (latencyTargetMs !== undefined && expectedLatencyMs > latencyTargetMs) score -= OVER_LATENCY_TARGET;
  if (health === "degraded") score -= DEGRADED;
  if (stickyModel === model.id) score += STICKY;
  if (request.outputFormat?.type === "schema" && !model.abilities.includes("json_schema")) score -= UNENFORCED_SCHEMA;
  if (setsSampling && !heedsSampling(model, request)) score -= UNHEEDED_SAMPLING;
  return score;
};
