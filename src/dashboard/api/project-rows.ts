/** Projects, tiers and keys in the dashboard's shapes. */

import type { ApiKey } from "../../accounts/api-key.ts";
import { toWireTerms } from "../../accounts/key-terms.ts";
import type { Project } from "../../accounts/project.ts";
import { FIGURE_NAMES, toSettingsBody } from "../../accounts/project-settings.ts";
import { toIso } from "../../lib/clock.ts";
import { toUsd } from "../../lib/money.ts";
import {
  countedFigures,
  type GroupLimit,
  LIMIT_GROUPS,
  type LimitGroup,
  TIER_LIMITS,
  TIERS,
  type Tier,
  type TierLimits,
} from "../../limits/tiers.ts";
import type { GroupLimits, KeyRow, ProjectRow, TierRow } from "../wire.ts";

export const toProjectRow = ({ id, name, tier, createdAtMs, settings }: Project): ProjectRow => ({
  id,
  name,
  tier,
  created_at: toIso(createdAtMs),
  settings: toSettingsBody(settings),
});

export const tierRows = (): Record<Tier, TierRow> =>
  Object.fromEntries(TIERS.map((tier) => [tier, toTierRow(TIER_LIMITS[tier])])) as Record<Tier, TierRow>;

const toTierRow = (tier: TierLimits): TierRow => ({
  groups: Object.fromEntries(LIMIT_GROUPS.map((group) => [group, toGroupLimits(group, tier.groups[group])])) as TierRow["groups"],
  requests_per_month: tier.requestsPerMonth,
  log_retention_days: tier.logRetentionDays,
  log_exports: [...tier.logExports],
  max_policies: tier.maxPolicies,
  documents: tier.documents,
  content_policies: tier.contentPolicies,
});

const toGroupLimits = (group: LimitGroup, limit: GroupLimit): GroupLimits =>
  Object.fromEntries(countedFigures(group).map((figure) => [FIGURE_NAMES[figure], limit[figure]]));

export const toKeyRow = (key: ApiKey, spentNanoUsd: number): KeyRow => ({
  id: key.id,
  mode: key.mode,
  last_four: key.lastFour,
  log_hash: key.logHash,
  ...toWireTerms(key),
  spent_usd: toUsd(spentNanoUsd),
  revoked_at: toIso(key.revokedAtMs),
  last_used_at: toIso(key.lastUsedAtMs),
});
