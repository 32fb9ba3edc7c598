/** The attempts of a media or search call as the ledger has them. */

import type { Attempt } from "../logs/call.ts";
import { noUsage } from "../providers/provider.ts";
import type { TargetAttempt } from "../providers/targets/targets-call.ts";

/** The one that succeeded carries what was paid. */
export const mediaAttempts = (attempts: readonly TargetAttempt[], model: string, costNanoUsd: number): Attempt[] =>
  attempts.map(({ upstreamModel: _, ...attempt }) => ({
    ...attempt,
    model,
    costNanoUsd: attempt.success ? costNanoUsd : 0,
    usage: noUsage(),
    usageSource: "none",
  }));
