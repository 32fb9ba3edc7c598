/** The attempts of a media or search call, in the ledger's form. */

import type { Attempt } from "../logs/call.ts";
import { noUsage } from "../providers/provider.ts";
import type { TargetAttempt } from "../providers/targets/targets-call.ts";

/** The successful one has the cost, or the one that the caller left at work. */
export const toAttempts = (attempts: readonly TargetAttempt[], model: string, costNanoUsd: number): Attempt[] =>
  attempts.map(({ abandoned = false, ...attempt }) => ({
    ...attempt,
    model,
    costNanoUsd: attempt.success || abandoned ? costNanoUsd : 0,
    usage: noUsage(),
    usageSource: "none",
  }));
