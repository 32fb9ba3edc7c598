/** A decision as callers and logs see it: `svc.routing`, and `routing.decision_factors` in the log's detail. */

import { toUsd } from "../lib/money.ts";
import { toFourDecimals } from "../lib/round.ts";
import type { Decision } from "./choose.ts";
import type { Classification } from "./classify.ts";
import { type Candidate, type ChoiceInput, isUnsure } from "./score-candidates.ts";

/** The contents of `svc.routing`. */
type Explanation = {
  first_choice: string;
  reason: string;
  confidence: number;
  candidates: ReturnType<typeof toWireCandidate>[];
};

const SHOWN_CANDIDATES = 6;

const toWireCandidate = (candidate: Candidate) => ({
  model: candidate.model.id,
  provider: candidate.model.provider,
  score: toFourDecimals(candidate.score),
  expected_quality: toFourDecimals(candidate.quality),
  estimated_cost_usd: toUsd(candidate.estimatedCostNanoUsd),
  estimated_latency_ms: candidate.expectedLatencyMs,
  health: candidate.health,
  ...(candidate.trials >= 0.5 && { learned_from: Math.round(candidate.trials) }),
});

export const explainDecision = (decision: Decision, classification: Classification): Explanation => ({
  first_choice: decision.ranked[0]!.model.id,
  reason: decision.reason,
  confidence: toFourDecimals(classification.confidence),
  candidates: decision.ranked.slice(0, SHOWN_CANDIDATES).map(toWireCandidate),
});

export type DecisionFactors = ReturnType<typeof decisionFactors>;

/** Everything a person needs to repeat the decision. */
export const decisionFactors = (
  explanation: Explanation,
  decision: Decision,
  classification: Classification,
  input: ChoiceInput,
) => ({
  ...explanation,
  task_type: classification.task,
  complexity: toFourDecimals(classification.complexity),
  media_intent: classification.media,
  media_confidence: toFourDecimals(classification.mediaConfidence),
  detected_format: classification.detectedFormat,
  evidence: classification.evidence,
  quality_cost: decision.qualityCost,
  prompt_tokens: input.promptTokens,
  ...(input.ceilingNanoUsd !== undefined && { ceiling_usd: toUsd(input.ceilingNanoUsd) }),
  ceiling_decided: decision.ceilingDecided,
  ...(isUnsure(input.classification) && { runner_up: input.classification.runnerUp }),
  ...(decision.explored && { explored: true }),
  ...(input.stickyModel !== undefined && { sticky_model: input.stickyModel }),
});
