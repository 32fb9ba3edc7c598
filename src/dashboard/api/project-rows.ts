/** Converts projects and keys to the dashboard's shapes, and its settings to the server's. */

import type { ApiKey } from "../../accounts/api-key.ts";
import { DEFAULT_SETTINGS, type Project, type ProjectSettings } from "../../accounts/project.ts";
import { toIso } from "../../lib/clock.ts";
import { toUsd } from "../../lib/money.ts";
import { type GroupLimit, LIMIT_GROUPS, TIER_LIMITS, TIERS, type Tier, type TierLimits } from "../../limits/tiers.ts";
import type { GroupLimits, KeyRow, ProjectRow, ProjectSettingsBody, TierRow } from "../wire.ts";

export const toProjectRow = ({ id, name, tier, createdAtMs, settings }: Project): ProjectRow => ({
  id,
  name,
  tier,
  created_at: toIso(createdAtMs),
  settings: {
    quality_cost: settings.qualityCost,
    exploration: settings.exploration,
    learning_frozen: settings.learningFrozen,
    enforce_monthly_quota: settings.enforceMonthlyQuota,
    store_bodies: settings.storeBodies,
    log_retention_days: settings.logRetentionDays,
    shadow: settings.shadow && { model: settings.shadow.model, sample_rate: settings.shadow.sampleRate },
    cache: settings.cache && { ttl_s: settings.cache.ttlS },
    limits: settings.limits && toLimits(settings.limits),
  },
});

const toLimits = (limits: NonNullable<ProjectSettings["limits"]>): ProjectSettingsBody["limits"] =>
  Object.fromEntries(
    Object.entries(limits).map(([group, own]) => [
      group,
      {
        ...(own.perMinute !== undefined && { per_minute: own.perMinute }),
        ...(own.perDay !== undefined && { per_day: own.perDay }),
        ...(own.concurrent !== undefined && { concurrent: own.concurrent }),
      },
    ]),
  );

export const SETTINGS_BY_DEFAULT: ProjectSettingsBody = {
  quality_cost: DEFAULT_SETTINGS.qualityCost,
  exploration: DEFAULT_SETTINGS.exploration,
  learning_frozen: false,
  enforce_monthly_quota: false,
  store_bodies: true,
  log_retention_days: null,
  shadow: null,
  cache: null,
  limits: {},
};

export const tierRows = (): Record<Tier, TierRow> =>
  Object.fromEntries(TIERS.map((tier) => [tier, toTierRow(TIER_LIMITS[tier])])) as Record<Tier, TierRow>;

const toTierRow = (tier: TierLimits): TierRow => ({
  groups: Object.fromEntries(LIMIT_GROUPS.map((group) => [group, toGroupLimits(tier.groups[group])])) as TierRow["groups"],
  requests_per_month: tier.requestsPerMonth,
  log_retention_days: tier.logRetentionDays,
  log_exports: [...tier.logExports],
  max_policies: tier.maxPolicies,
  documents: tier.documents,
  content_policies: tier.contentPolicies,
});

const toGroupLimits = (limit: GroupLimit): GroupLimits => ({
  per_minute: limit.perMinute,
  per_day: limit.perDay,
  concurrent: limit.concurrent,
});

/** Sets the given settings; null resets one to the default of the tier or the program. */
export const changedSettings = (before: ProjectSettings, change: Partial<ProjectSettingsBody>): ProjectSettings => {
  const after: ProjectSettings = { ...before };
  if (change.quality_cost !== undefined) after.qualityCost = change.quality_cost;
  if (change.exploration !== undefined) after.exploration = change.exploration;
  if (change.learning_frozen !== undefined) after.learningFrozen = change.learning_frozen;
  if (change.enforce_monthly_quota !== undefined) after.enforceMonthlyQuota = change.enforce_monthly_quota;
  if (change.store_bodies !== undefined) after.storeBodies = change.store_bodies;
  if (change.log_retention_days !== undefined) {
    if (change.log_retention_days === null) delete after.logRetentionDays;
    else after.logRetentionDays = change.log_retention_days;
  }
  if (change.shadow !== undefined) {
    if (change.shadow === null) delete after.shadow;
    else after.shadow = { model: change.shadow.model, sampleRate: change.shadow.sample_rate };
  }
  if (change.cache !== undefined) {
    if (change.cache === null) delete after.cache;
    else after.cache = { ttlS: change.cache.ttl_s };
  }
  if (change.limits !== undefined) after.limits = ownLimits(change.limits);
  return after;
};

const ownLimits = (limits: ProjectSettingsBody["limits"]): NonNullable<ProjectSettings["limits"]> =>
  Object.fromEntries(
    Object.entries(limits).map(([group, own]) => [
      group,
      {
        ...(own.per_minute !== undefined && { perMinute: own.per_minute }),
        ...(own.per_day !== undefined && { perDay: own.per_day }),
        ...(own.concurrent !== undefined && { concurrent: own.concurrent }),
      },
    ]),
  );

export const toKeyRow = (key: ApiKey, spentNanoUsd: number): KeyRow => ({
  id: key.id,
  name: key.name,
  mode: key.mode,
  last_four: key.lastFour,
  log_hash: key.logHash,
  scopes: key.scopes,
  models: key.models,
  budget_usd: key.budgetNanoUsd === null ? null : toUsd(key.budgetNanoUsd),
  budget_period: key.budgetPeriod,
  requests_per_minute: key.requestsPerMinute,
  tokens_per_minute: key.tokensPerMinute,
  spent_usd: toUsd(spentNanoUsd),
  expires_at: toIso(key.expiresAtMs),
  revoked_at: toIso(key.revokedAtMs),
  last_used_at: toIso(key.lastUsedAtMs),
});
