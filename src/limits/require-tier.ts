/** Features that a tier does not hold are refused with 403 `insufficient_tier` (decisions §3). */

import type { Project } from "../accounts/project.ts";
import { insufficientTier } from "../api-error.ts";
import { type Tier, tierAtLeast } from "./tiers.ts";

export const requireTier = (project: Project, least: Tier, feature: string): void => {
  if (!tierAtLeast(project.tier, least)) throw insufficientTier(feature, least, project.tier);
};
