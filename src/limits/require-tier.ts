/** Features that a tier does not hold, by THE tier table, are refused with 403 `insufficient_tier` (decisions §3). */

import type { Project } from "../accounts/project.ts";
import { insufficientTier } from "../api-error.ts";
import { TIER_LIMITS, TIERS, type Tier, type TierLimits } from "./tiers.ts";

type Holds = (limits: TierLimits) => boolean;

const HOLDS = {
  Documents: ({ documents }) => documents !== null,
  Memory: ({ memory }) => memory !== null,
  "Content policies": ({ contentPolicies }) => contentPolicies,
} satisfies Record<string, Holds>;

/** By the name that the refusal calls it. */
export type TierFeature = keyof typeof HOLDS;

/** The lowest tier that holds the feature. */
export const leastTierWith = (feature: TierFeature): Tier => lowest(HOLDS[feature]);

/** Throws 403 where the project's tier does not hold the feature. */
export const requireFeature = (project: Pick<Project, "tier">, feature: TierFeature): void =>
  requireInTier(project, feature, HOLDS[feature]);

/** The same for what the tier table holds in other words. `feature` begins the refusal's sentence. */
export const requireInTier = ({ tier }: Pick<Project, "tier">, feature: string, holds: Holds): void => {
  if (!holds(TIER_LIMITS[tier])) throw insufficientTier(feature, lowest(holds), tier);
};

const lowest = (holds: Holds): Tier => TIERS.find((tier) => holds(TIER_LIMITS[tier]))!;
