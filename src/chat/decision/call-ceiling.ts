/** What a call may cost in all, side calls included, and how much of the budget is reserved for it. */

import type { RoutingRules } from "../../policies/routing-rules.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import { type CallDraft, spentNanoUsd } from "../call-draft.ts";
import type { ChatInput } from "../request/chat-input.ts";

/** The caller's ceiling or the policies', whichever is lower; nano-USD, undefined where neither sets one. */
export const callCeiling = ({ ceilingNanoUsd }: ChatInput, rules: RoutingRules | undefined): number | undefined => {
  const ceilings = [ceilingNanoUsd, rules?.ceilingNanoUsd].filter((each) => each !== undefined);
  return ceilings.length === 0 ? undefined : Math.min(...ceilings);
};

/** What to reserve of the key's budget before a model is asked: the call's cost so far and the estimate, but never more than the ceiling. */
export const reservationFor = (
  draft: CallDraft,
  { estimatedCostNanoUsd }: Candidate,
  ceilingNanoUsd = Number.POSITIVE_INFINITY,
): number => Math.min(ceilingNanoUsd, spentNanoUsd(draft) + estimatedCostNanoUsd);
