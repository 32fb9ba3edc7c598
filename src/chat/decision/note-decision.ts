/** Notes the decision in the draft, for the log and the answer's `svc`. */

import { toUsd, usdText } from "../../lib/money.ts";
import type { Platform } from "../../platform.ts";
import type { Decision } from "../../router/choose.ts";
import { decisionFactors, explainDecision } from "../../router/explain.ts";
import type { ChoiceInput } from "../../router/score-candidates.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";
import type { CostWarning } from "../response/completion-schema.ts";

export const noteDecision = (platform: Platform, draft: CallDraft, decision: Decision, choice: ChoiceInput): void => {
  const { key } = draft.caller;
  const first = decision.ranked[0]!;
  const explanation = explainDecision(decision, draft.classification);
  draft.svc.routing = explanation;
  draft.promptTokens = choice.promptTokens;
  draft.routing = {
    firstChoice: first.model.id,
    routingReason: decision.reason,
    decisionFactors: decisionFactors(explanation, decision, draft.classification, choice),
    context: {
      provider_health: Object.fromEntries(decision.ranked.map(({ model, health }) => [model.provider, health])),
      budget: {
        budget_usd: key.budgetNanoUsd === null ? null : toUsd(key.budgetNanoUsd),
        spent_usd: toUsd(platform.budgets.spent(key)),
      },
    },
  };
  const ceiling = draft.input.ceilingNanoUsd;
  const spent = spentNanoUsd(draft);
  if (ceiling !== undefined && (decision.ceilingDecided || spent + first.estimatedCostNanoUsd > ceiling))
    draft.costWarning = costWarning(decision, ceiling, spent);
};

/** Says that the ceiling changed the choice, or leaves the chosen model too little room for the expected answer. */
const costWarning = ({ optimal, ranked }: Decision, ceilingNanoUsd: number, spentNanoUsd: number): CostWarning => {
  const first = ranked[0]!;
  const optimalNanoUsd = spentNanoUsd + optimal.estimatedCostNanoUsd;
  const consequence = first === optimal ? "its answer is kept short" : `${first.model.id} was chosen instead`;
  return {
    ceiling_usd: toUsd(ceilingNanoUsd),
    optimal_model: optimal.model.id,
    optimal_cost_usd: toUsd(optimalNanoUsd),
    selected_model: first.model.id,
    // The output is capped, so the cost cannot exceed the ceiling.
    estimated_cost_usd: toUsd(Math.min(spentNanoUsd + first.estimatedCostNanoUsd, ceilingNanoUsd)),
    message: `${optimal.model.id} would have cost about ${usdText(optimalNanoUsd)} USD, above the ceiling of ${usdText(ceilingNanoUsd)} USD; ${consequence}.`,
  };
};
