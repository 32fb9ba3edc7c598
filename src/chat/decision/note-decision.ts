/** Notes the decision in the draft, for the log and the answer's `svc`. */

import { toUsd, usdText } from "../../lib/money.ts";
import type { Platform } from "../../platform.ts";
import type { HealthState } from "../../providers/health/model-breaker.ts";
import type { Decision } from "../../router/choose.ts";
import { decisionFactors, explainDecision } from "../../router/explain.ts";
import type { Candidate, ChoiceInput } from "../../router/score-candidates.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";
import type { CostWarning } from "../response/completion-schema.ts";

export const noteDecision = (platform: Platform, draft: CallDraft, decision: Decision, choice: ChoiceInput): void => {
  const { key } = draft.caller;
  const first = decision.ranked[0]!;
  const explanation = explainDecision(decision, draft.classification);
  draft.routing = explanation;
  draft.promptTokens = choice.promptTokens;
  draft.decided = {
    decisionFactors: decisionFactors(explanation, decision, draft.classification, choice),
    context: {
      provider_health: healthByProvider(decision.ranked),
      budget: {
        budget_usd: key.budgetNanoUsd === null ? null : toUsd(key.budgetNanoUsd),
        spent_usd: toUsd(platform.budgets.spent(key)),
      },
    },
  };
  const { ceilingNanoUsd: ceiling, besideNanoUsd: beside = 0 } = draft.input;
  const spent = spentNanoUsd(draft);
  if (ceiling !== undefined && (decision.ceilingDecided || spent + first.estimatedCostNanoUsd > ceiling)) {
    const others = spent + beside;
    draft.costWarning = costWarning(ceiling + beside, asPriced(decision.optimal, others), asPriced(first, others));
  }
};

/** Of each provider the health of its best model, since others may only be missing there. */
const healthByProvider = (candidates: readonly Candidate[]): Record<string, HealthState> => {
  const byProvider: Record<string, HealthState> = {};
  for (const { model, health } of candidates) byProvider[model.provider] ??= health;
  return byProvider;
};

/** A model with what the whole request costs, if it answers. */
type Priced = { id: string; nanoUsd: number };

const asPriced = ({ model, estimatedCostNanoUsd }: Candidate, others: number): Priced => ({
  id: model.id,
  nanoUsd: others + estimatedCostNanoUsd,
});

/** Says that the ceiling changed the choice, or leaves the chosen model too little room for the expected answer. */
export const costWarning = (ceilingNanoUsd: number, optimal: Priced, selected: Priced): CostWarning => {
  const consequence = selected.id === optimal.id ? "its answer is kept short" : `${selected.id} was chosen instead`;
  return {
    ceiling_usd: toUsd(ceilingNanoUsd),
    optimal_model: optimal.id,
    optimal_cost_usd: toUsd(optimal.nanoUsd),
    selected_model: selected.id,
    // The output is capped, so the cost cannot exceed the ceiling.
    estimated_cost_usd: toUsd(Math.min(selected.nanoUsd, ceilingNanoUsd)),
    message: `${optimal.id} would have cost about ${usdText(optimal.nanoUsd)} USD, above the ceiling of ${usdText(ceilingNanoUsd)} USD; ${consequence}.`,
  };
};
