/**
 * A project's settings on the wire: their bounds, their defaults, and the way from and to the stored ones. The compiler names each setting
 * that one of these lacks.
 */

import { type Static, Type } from "@sinclair/typebox";
import { toNanoUsd, toUsd } from "../lib/money.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { countedFigures, countedOnly, type Figure, type GroupLimit, LIMIT_GROUPS, type LimitGroup } from "../limits/tiers.ts";
import { BUDGET_PERIODS, type Budget, type BudgetPeriod, USER_BUDGET_PERIODS } from "./budget-period.ts";
import { MOST_BUDGET_USD } from "./key-terms.ts";
import { DEFAULT_SETTINGS, MOST_CACHE_S, type ProjectSettings } from "./project.ts";

const count = orNull(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }));
const share = Type.Number({ minimum: 0, maximum: 1 });
const Closed = { additionalProperties: false } as const;
const OwnLimits = Type.Partial(Type.Object({ per_minute: count, per_day: count, concurrent: count }), Closed);
/** The names of figures on the wire. */
export const FIGURE_NAMES = { perMinute: "per_minute", perDay: "per_day", concurrent: "concurrent" } as const satisfies Record<
  Figure,
  keyof Static<typeof OwnLimits>
>;
const ownLimits = (group: LimitGroup) =>
  Type.Pick(
    OwnLimits,
    countedFigures(group).map((figure) => FIGURE_NAMES[figure]),
    Closed,
  );
const groups = Object.fromEntries(LIMIT_GROUPS.map((group) => [group, ownLimits(group)])) as unknown as Record<
  LimitGroup,
  typeof OwnLimits
>;

const budgetOf = (periods: readonly BudgetPeriod[]) =>
  orNull(Type.Object({ usd: Type.Number({ minimum: 0, maximum: MOST_BUDGET_USD }), period: oneOf(periods) }, Closed));

const Settings = Type.Object({
  quality_cost: share,
  exploration: share,
  learning_frozen: Type.Boolean(),
  enforce_monthly_quota: Type.Boolean(),
  /** What all keys of a mode may spend together. */
  budget: budgetOf(BUDGET_PERIODS),
  /** What each user may spend. */
  user_budget: budgetOf(USER_BUDGET_PERIODS),
  store_bodies: Type.Boolean(),
  /** Days; null for the tier's value. */
  log_retention_days: orNull(Type.Integer({ minimum: 1, maximum: 3_650 })),
  shadow: orNull(Type.Object({ model: Type.String({ minLength: 1, maxLength: 200 }), sample_rate: share })),
  /** Seconds; null if each question is asked anew. */
  cache: orNull(Type.Object({ ttl_s: Type.Integer({ minimum: 1, maximum: MOST_CACHE_S }) })),
  limits: Type.Partial(Type.Object(groups), Closed),
});
export type ProjectSettingsBody = Static<typeof Settings>;

/** Settings that are not named stay; null resets one to the default of the tier or the program. */
export const SettingsChange = Type.Partial(Settings);
type SettingsChange = Static<typeof SettingsChange>;

export const SETTINGS_BY_DEFAULT: ProjectSettingsBody = {
  quality_cost: DEFAULT_SETTINGS.qualityCost,
  exploration: DEFAULT_SETTINGS.exploration,
  learning_frozen: false,
  enforce_monthly_quota: false,
  budget: null,
  user_budget: null,
  store_bodies: true,
  log_retention_days: null,
  shadow: null,
  cache: null,
  limits: {},
};

type OnWire = { [Name in keyof ProjectSettingsBody]: ProjectSettingsBody[Name] | undefined };
type Stored = { [Name in keyof Required<ProjectSettings>]: ProjectSettings[Name] | null | undefined };

/** The project's own ones. */
export const toSettingsBody = (settings: ProjectSettings): OnWire => ({
  quality_cost: settings.qualityCost,
  exploration: settings.exploration,
  learning_frozen: settings.learningFrozen,
  enforce_monthly_quota: settings.enforceMonthlyQuota,
  budget: settings.budget && toWireBudget(settings.budget),
  user_budget: settings.userBudget && toWireBudget(settings.userBudget),
  store_bodies: settings.storeBodies,
  log_retention_days: settings.logRetentionDays,
  shadow: settings.shadow && { model: settings.shadow.model, sample_rate: settings.shadow.sampleRate },
  cache: settings.cache && { ttl_s: settings.cache.ttlS },
  limits: settings.limits && toWireLimits(settings.limits),
});

const toStored = (change: SettingsChange): Stored => ({
  qualityCost: change.quality_cost,
  exploration: change.exploration,
  learningFrozen: change.learning_frozen,
  enforceMonthlyQuota: change.enforce_monthly_quota,
  budget: change.budget && toStoredBudget(change.budget),
  userBudget: change.user_budget && toStoredBudget(change.user_budget),
  storeBodies: change.store_bodies,
  logRetentionDays: change.log_retention_days,
  shadow: change.shadow && { model: change.shadow.model, sampleRate: change.shadow.sample_rate },
  cache: change.cache && { ttlS: change.cache.ttl_s },
  limits: change.limits && toStoredLimits(change.limits),
});

export const changedSettings = (before: ProjectSettings, change: SettingsChange): ProjectSettings => {
  const named = Object.entries(toStored(change)).filter(([, value]) => value !== undefined);
  const after = { ...before, ...Object.fromEntries(named) };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null));
};

const toWireBudget = ({ nanoUsd, period }: Budget) => ({ usd: toUsd(nanoUsd), period });

const toStoredBudget = ({ usd, period }: { usd: number; period: BudgetPeriod }): Budget => ({ nanoUsd: toNanoUsd(usd), period });

type StoredLimits = NonNullable<ProjectSettings["limits"]>;

const toWireLimits = (limits: StoredLimits): ProjectSettingsBody["limits"] =>
  Object.fromEntries(
    LIMIT_GROUPS.filter((group) => limits[group] !== undefined).map((group) => [
      group,
      Object.fromEntries(
        Object.entries(countedOnly(group, limits[group]!)).map(([figure, own]) => [FIGURE_NAMES[figure as Figure], own]),
      ),
    ]),
  );

const toStoredLimits = (limits: ProjectSettingsBody["limits"]): StoredLimits =>
  Object.fromEntries(Object.entries(limits).map(([group, own]) => [group, toStoredFigures(own)]));

const toStoredFigures = (own: Static<typeof OwnLimits>): Partial<GroupLimit> => {
  const figures = Object.keys(FIGURE_NAMES) as Figure[];
  return Object.fromEntries(
    figures.filter((figure) => own[FIGURE_NAMES[figure]] !== undefined).map((figure) => [figure, own[FIGURE_NAMES[figure]]]),
  );
};
