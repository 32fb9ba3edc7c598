/** `GET /v1/usage` (decisions §11 "Shapes"): the UTC day and a month, and what remains of the limits. */

import type { Static } from "@sinclair/typebox";
import { type Caller, onBehalfOf } from "../accounts/authenticate.ts";
import { renewalOf } from "../accounts/budget-period.ts";
import type { Purse } from "../accounts/purses.ts";
import { DAY_MS, nextUtcMonth, startOfUtcMonth, toIso, utcDay } from "../lib/clock.ts";
import { toUsd } from "../lib/money.ts";
import type { UsageOfLimit } from "../limits/limit-state.ts";
import { LIMIT_GROUPS, TIER_LIMITS } from "../limits/tiers.ts";
import { type CallScope, scopeOf } from "../logs/call-scope.ts";
import type { sumByName } from "../logs/segments/sum-by-name.ts";
import { total, totalTokens } from "../logs/sums/figures.ts";
import { type Range, type Sums, sumDays, TOKENS } from "../logs/sums/read-rollup.ts";
import type { Platform } from "../platform.ts";
import type { Usage, UsageGrouping, UsageQuery } from "./wire.ts";

const MEASURES = ["calls", "cost_nano_usd", ...TOKENS] as const;
const MOST_GROUPS = 1_000;

/**
 * Gap: `group_by` adds the month by model, day, key or user; it is the one that runs, unless `month` names another. `quota` is that of the
 * project's running month, `budget` and `key` are the asking key's, `user_budget` is that of `user_id`.
 */
export const describeUsage = async (
  platform: Platform,
  caller: Caller,
  { mode, group_by: by, month: named, user_id: userId }: Static<typeof UsageQuery>,
): Promise<Static<typeof Usage>> => {
  const scope = scopeOf(caller, mode);
  const now = platform.clock.now();
  const today = Math.floor(now / DAY_MS);
  const firstMs = named === undefined ? startOfUtcMonth(now) : Date.parse(`${named}-01`);
  const wholeMonth: Range = [firstMs / DAY_MS, nextUtcMonth(firstMs) / DAY_MS];
  const [day, month, groups] = await Promise.all([
    sumDays(platform.db, scope, [today, today + 1], [], MEASURES),
    sumDays(platform.db, scope, wholeMonth, [], MEASURES),
    by && groupUsage(platform, scope, wholeMonth, by),
  ]);
  const budget = budgetOf(platform, caller, now);
  const shared = platform.budgets.shared(onBehalfOf({ ...caller, ...subjectOf(caller, scope) }, userId));
  return {
    project_id: caller.project.id,
    tier: caller.project.tier,
    mode: scope.mode,
    day: toWireSums(day),
    month: toWireSums(month),
    limits: limitsOf(platform, caller, scope),
    quota: quotaOf(platform, caller, scope, now),
    budget,
    key: describeKey(platform, caller, budget),
    project_budget: toWirePurse(shared.project, now),
    user_budget: toWirePurse(shared.user, now),
    ...(groups && { group_by: by, groups }),
  };
};

const toWireSums = (rows: Sums<(typeof MEASURES)[number]>[]) => ({
  calls: total(rows, "calls"),
  tokens: totalTokens(rows),
  cost_usd: toUsd(total(rows, "cost_nano_usd")),
});

/** Dearest first, days in their order. Keys and users are counted in the log, so without calls that were deleted from it. */
const groupUsage = async ({ db }: Platform, scope: CallScope, range: Range, by: UsageGrouping) => {
  if (by === "day") {
    const days = await sumDays(db, scope, range, ["day"], MEASURES);
    return days.toSorted((a, b) => a.day - b.day).map((row) => ({ day: utcDay(row.day * DAY_MS), ...toWireSums([row]) }));
  }
  if (by === "model") {
    const models = await sumDays(db, scope, range, ["model"], MEASURES);
    return models
      .toSorted((a, b) => b.cost_nano_usd - a.cost_nano_usd || (a.model < b.model ? -1 : 1))
      .slice(0, MOST_GROUPS)
      .map((row) => ({ model: row.model === "" ? null : row.model, ...toWireSums([row]) }));
  }
  const groups = await db.ask<typeof sumByName>("sumByName", {
    scope,
    fromMs: range[0] * DAY_MS,
    toMs: range[1] * DAY_MS,
    column: `${by}_id`,
    most: MOST_GROUPS,
  });
  return groups.map(({ name, calls, tokens, costNanoUsd }) => ({ [by]: name, calls, tokens, cost_usd: toUsd(costNanoUsd) }));
};

/** Live and test are counted separately and no limit covers both, so `all` shows those of the asking key's mode. */
const subjectOf = (caller: Caller, { mode }: CallScope) => ({
  project: caller.project,
  mode: mode === "all" ? caller.mode : mode,
});

const toWireLimit = ({ limit, used, remaining, resetsAtMs }: UsageOfLimit) => ({
  limit,
  used,
  remaining,
  resets_at: toIso(resetsAtMs),
});

const limitsOf = (platform: Platform, caller: Caller, scope: CallScope) =>
  Object.fromEntries(LIMIT_GROUPS.map((group) => [group, toWireLimit(platform.limits.usage(subjectOf(caller, scope), group))]));

const quotaOf = (platform: Platform, caller: Caller, scope: CallScope, now: number) => {
  const limit = TIER_LIMITS[caller.project.tier].requestsPerMonth;
  const used = platform.limits.monthlyRequests(subjectOf(caller, scope));
  return {
    limit,
    used,
    remaining: limit === null ? null : Math.max(0, limit - used),
    enforced: caller.project.settings.enforceMonthlyQuota === true,
    resets_at: toIso(nextUtcMonth(now)),
  };
};

const budgetOf = (platform: Platform, { key }: Caller, now: number) => {
  const spent = platform.budgets.spent(key);
  const limit = key.budgetNanoUsd;
  return {
    limit_usd: limit === null ? null : toUsd(limit),
    spent_usd: toUsd(spent),
    remaining_usd: limit === null ? null : toUsd(Math.max(0, limit - spent)),
    resets_at: toIso(renewalOf(key.budgetPeriod, now)),
  };
};

const toWirePurse = (purse: Purse | undefined, now: number) => {
  if (!purse?.budget) return null;
  const { nanoUsd, period } = purse.budget;
  return { usd: toUsd(nanoUsd), period, used_usd: toUsd(purse.spentNanoUsd), resets_at: toIso(renewalOf(period, now)) };
};

const describeKey = (platform: Platform, { key }: Caller, { limit_usd, spent_usd, resets_at }: ReturnType<typeof budgetOf>) => {
  const { requests, tokens } = platform.limits.ofKey.states(key);
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    models: key.models,
    budget: { usd: limit_usd, period: key.budgetPeriod, used_usd: spent_usd, resets_at },
    limits: {
      requests_per_minute: requests ? toWireLimit(requests) : null,
      tokens_per_minute: tokens ? toWireLimit(tokens) : null,
    },
    expires_at: toIso(key.expiresAtMs),
  };
};
