/** Every model that could answer, with what speaks for and against it; pure, so that a decision can be repeated and explained. */

import type { Catalog } from "../catalog/catalog.ts";
import { isServed } from "../catalog/catalog.ts";
import type { Ability, ChatModel, TokenPrices } from "../catalog/model.ts";
import type { ChatRequest } from "../providers/provider.ts";
import type { Classification } from "./classify.ts";
import { affordableOutput, expectedCost, expectedOutput, LEAST_OUTPUT_TOKENS } from "./estimate-cost.ts";
import { predictQuality, type StrengthOf, textTaskOf } from "./predict-quality.ts";

export type ModelHealth = "healthy" | "degraded" | "down";

/** What a choice rests on. */
export type ChoiceInput = {
  request: ChatRequest;
  promptTokens: number;
  classification: Pick<Classification, "task" | "complexity" | "confidence">;
  /** 0 = best, 1 = cheapest. */
  qualityCost: number;
  preferFaster: boolean;
  latencyTargetMs?: number;
  ceilingNanoUsd?: number;
  /** Answered the conversation before: its prompt cache is warm. */
  stickyModel?: string;
  /** Whether its provider can be called at all. */
  isConfigured(model: ChatModel): boolean;
  healthOf(model: ChatModel): ModelHealth;
  strengthOf: StrengthOf;
  /** Measured time to a whole answer, where there is one. */
  latencyOf(model: ChatModel, outputTokens: number): number | undefined;
  now: number;
};

export type Candidate = {
  model: ChatModel;
  prices: TokenPrices;
  quality: number;
  expectedOutputTokens: number;
  expectedCostNanoUsd: number;
  expectedLatencyMs: number;
  health: ModelHealth;
  score: number;
  /** False where the ceiling leaves no room for the expected answer; it may still be called with a shorter one. */
  fitsCeiling: boolean;
};

/** What a cost or latency preference of that strength is worth in quality: at 0.5 the dearest model must be 0.15 better than the cheapest. */
const costWeight = (qualityCost: number): number => (0.15 * qualityCost) / Math.max(0.02, 1 - qualityCost);
const LATENCY_WEIGHT = 0.03;
const LATENCY_WEIGHT_PREFERRED = 0.35;
const OVER_LATENCY_TARGET = 0.25;
const DEGRADED = 0.1;
const STICKY = 0.05;

/** All models able to take the request, the best first. Health `down` ranks last instead of leaving: it may be all there is. */
export const scoreCandidates = (catalog: Catalog, input: ChoiceInput): Candidate[] => {
  const needed = neededAbilities(input.request);
  const candidates = catalog
    .chatModels()
    .filter((model) => isServed(model, input.now) && input.isConfigured(model))
    .filter((model) => needed.every((ability) => model.abilities.includes(ability)) && fitsContext(model, input.promptTokens))
    .map((model) => describe(catalog, model, input));
  const dearness = rankBy(candidates, ({ expectedCostNanoUsd }) => Math.log1p(expectedCostNanoUsd / 1_000));
  const slowness = rankBy(candidates, ({ expectedLatencyMs }) => expectedLatencyMs);
  for (const candidate of candidates) candidate.score = scoreOf(candidate, input, dearness(candidate), slowness(candidate));
  return candidates.sort(
    (a, b) =>
      Number(a.health === "down") - Number(b.health === "down") || b.score - a.score || a.model.id.localeCompare(b.model.id),
  );
};

export const neededAbilities = (request: ChatRequest): Ability[] => {
  const needed = new Set<Ability>();
  for (const { content } of request.messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type === "image") needed.add("vision");
      if (part.type === "audio") needed.add("audio_input");
      if (part.type === "video") needed.add("video_input");
      if (part.type === "document") needed.add("pdf_input");
    }
  }
  if (request.tools !== undefined && request.tools.length > 0) needed.add("tools");
  return [...needed];
};

export const fitsContext = (model: ChatModel, promptTokens: number): boolean =>
  promptTokens + LEAST_OUTPUT_TOKENS <= model.contextWindow;

const describe = (catalog: Catalog, model: ChatModel, input: ChoiceInput): Candidate => {
  const { task, complexity } = input.classification;
  const prices = catalog.pricesOf(model, input.promptTokens);
  const outputTokens = expectedOutput(model, task, complexity, input.request.maxOutputTokens);
  const affordable =
    input.ceilingNanoUsd === undefined
      ? Number.MAX_SAFE_INTEGER
      : affordableOutput(prices, input.promptTokens, input.ceilingNanoUsd);
  return {
    model,
    prices,
    quality: predictQuality(input.strengthOf(model, textTaskOf(task)), complexity),
    expectedOutputTokens: outputTokens,
    expectedCostNanoUsd: expectedCost(prices, input.promptTokens, outputTokens),
    expectedLatencyMs: Math.round(
      input.latencyOf(model, outputTokens) ?? model.firstTokenMs + (outputTokens / model.tokensPerSecond) * 1000,
    ),
    health: input.healthOf(model),
    score: 0,
    fitsCeiling: affordable >= outputTokens,
  };
};

/** Where a candidate lies between the least and the greatest of all, 0-1. */
const rankBy = (
  candidates: readonly Candidate[],
  valueOf: (candidate: Candidate) => number,
): ((candidate: Candidate) => number) => {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    const value = valueOf(candidate);
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  const spread = greatest - least;
  return (candidate) => (spread > 0 ? (valueOf(candidate) - least) / spread : 0);
};

const scoreOf = (candidate: Candidate, input: ChoiceInput, dearness: number, slowness: number): number => {
  const { request, qualityCost, latencyTargetMs, stickyModel } = input;
  let score = candidate.quality - costWeight(qualityCost) * dearness;
  score -= (input.preferFaster ? LATENCY_WEIGHT_PREFERRED : LATENCY_WEIGHT) * slowness;
  if (latencyTargetMs !== undefined && candidate.expectedLatencyMs > latencyTargetMs) score -= OVER_LATENCY_TARGET;
  if (candidate.health === "degraded") score -= DEGRADED;
  if (stickyModel === candidate.model.id) score += STICKY;
  // A schema is kept more surely where the provider enforces it itself.
  if (request.outputFormat?.type === "schema" && !candidate.model.abilities.includes("json_schema")) score -= 0.05;
  return score;
};
