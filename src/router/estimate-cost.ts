/** Estimates a call's cost before it is made: the expected cost, for choosing a model, and the upper bound, for keeping a ceiling. */

import type { ChatModel, TokenPrices } from "../catalog/model.ts";
import type { TaskType } from "../catalog/task-type.ts";
import { tellingPart } from "./predict-quality.ts";

/** Tokens of a typical answer to each kind of task; from the answers in public chat logs, rounded. */
const TYPICAL_OUTPUT: Record<TaskType, number> = {
  extraction: 150,
  classification: 20,
  summarization: 220,
  reasoning: 400,
  code: 500,
  writing: 500,
  vision: 250,
  audio: 250,
};

/** Hidden thinking of reasoning models, as a multiple of the visible answer for the easiest and the hardest prompt. */
const THINKING_EASY = 0.5;
const THINKING_HARD = 4;

/** The expected tokens of an answer, thinking included; never more than the caller allows. */
export const expectedOutput = (
  model: ChatModel,
  task: TaskType,
  complexity: number,
  maxOutputTokens: number | undefined,
): number => {
  const told = tellingPart(complexity);
  const visible = TYPICAL_OUTPUT[task] * (0.7 + 0.6 * told);
  const thinking = model.abilities.includes("reasoning") ? visible * (THINKING_EASY + (THINKING_HARD - THINKING_EASY) * told) : 0;
  return Math.ceil(Math.min(visible + thinking, maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens));
};

export const expectedCost = (prices: TokenPrices, promptTokens: number, outputTokens: number): number =>
  Math.ceil(promptTokens * prices.inputNanoUsd + outputTokens * prices.outputNanoUsd);

/** The estimator's error on running text is at most a quarter; ceilings allow for it. */
const PROMPT_SAFETY = 1.25;
/** Up to 38 tokens are billed beyond the messages: Llama's template has a date, Anthropic's a line about thinking. */
const PROMPT_OVERHEAD_TOKENS = 40;

/** Upper bound for a prompt of so many estimated tokens: written to the cache or read without it, whichever costs more. */
const promptCostBound = (prices: TokenPrices, promptTokens: number): number =>
  Math.ceil((promptTokens * PROMPT_SAFETY + PROMPT_OVERHEAD_TOKENS) * Math.max(prices.inputNanoUsd, prices.cacheWriteNanoUsd));

/** A shorter answer would be useless. */
export const LEAST_OUTPUT_TOKENS = 16;

/** How many tokens of output `budgetNanoUsd` leaves after the prompt; below LEAST_OUTPUT_TOKENS the call is not worth making. */
export const affordableOutput = (prices: TokenPrices, promptTokens: number, budgetNanoUsd: number): number => {
  const left = budgetNanoUsd - promptCostBound(prices, promptTokens);
  if (left < 0) return 0;
  return prices.outputNanoUsd === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(left / prices.outputNanoUsd);
};

/** Upper bound of a call whose answer has at most `outputTokens`. */
export const costBound = (prices: TokenPrices, promptTokens: number, outputTokens: number): number =>
  Math.ceil(promptCostBound(prices, promptTokens) + outputTokens * prices.outputNanoUsd);

/** Tokens of the shortest useful answer; fewer than usual if the caller asks for fewer and the model's API takes such a bound. */
export const leastOutput = (maxOutputTokens = LEAST_OUTPUT_TOKENS, leastBound = 1): number =>
  Math.min(LEAST_OUTPUT_TOKENS, Math.max(maxOutputTokens, leastBound));
