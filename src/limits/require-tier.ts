/** Refuses features that a tier does not include, by THE tier table, with 403 `insufficient_tier` (decisions §3). */

import type { Project } from "../accounts/project.ts";
import { insufficientTier } from "../api-error.ts";
import { TIER_LIMITS, TIERS, type Tier, type TierLimits } from "./tiers.ts";

type Holds = (limits: TierLimits) => boolean;

const HOLDS = {
  Documents: ({ documents }) => documents !== null,
  Memory: ({ memory }) => memory !== null,
  "Content policies": ({ contentPolicies }) => contentPolicies,
} satisfies Record<string, Holds>;

/** The feature's name in the error. */
export type TierFeature = keyof typeof HOLDS;

/** The lowest tier that includes the feature. */
export const leastTierWith = (feature: TierFeature): Tier => lowest(HOLDS[feature]);

/** Throws 403 if the project's tier does not include the feature. */
export const requireFeature = (project: Pick<Project, "tier">, feature: TierFeature): void =>
  requireInTier(project, feature, HOLDS[feature]);

/** The same for other figures of the tier table. `feature` begins the error's sentence. */
export const requireInTier = ({ tier }: Pick<Project, "tier">, feature: string, holds: Holds): void => {
  if (!holds(TIER_LIMITS[tier])) throw insufficientTier(feature, lowest(holds), tier);
};

const lowest = (holds: Holds): Tier => TIERS.find((tier) => holds(TIER_LIMITS[tier]))!;
