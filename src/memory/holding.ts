/** What a project's tier lets memory hold, and for how long (spec.md "Limits"). */

import type { Project } from "../accounts/project.ts";
import { DAY_MS } from "../lib/clock.ts";
import { requireFeature } from "../limits/require-tier.ts";
import { TIER_LIMITS } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import type { Holding } from "./store.ts";

/** Throws 403 `insufficient_tier`. `tokens` is the limit of one session. */
export const requireHolding = (platform: Platform, project: Project): Holding & { tokens: number } => {
  requireFeature(project, "Memory");
  const { tokens, sessions, retentionDays } = TIER_LIMITS[project.tier].memory!;
  const nowMs = platform.clock.now();
  return { tokens, most: sessions, nowMs, expiresAtMs: nowMs + retentionDays * DAY_MS };
};
