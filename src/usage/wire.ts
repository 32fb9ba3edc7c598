/** Usage on the wire (decisions §11 "Shapes"). */

import { Type } from "@sinclair/typebox";
import { BUDGET_PERIODS } from "../accounts/budget-period.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { ModeQuery } from "../logs/call-scope.ts";

const UTC_MONTH = "^\\d{4}-(0[1-9]|1[0-2])$";
const GROUPINGS = ["key", "user", "model", "day"] as const;
export type UsageGrouping = (typeof GROUPINGS)[number];
export const UsageQuery = Type.Object({
  mode: ModeQuery,
  group_by: Type.Optional(oneOf(GROUPINGS)),
  user_id: Type.Optional(Type.String({ maxLength: BOUNDS.nameCharacters, description: "Whose `user_budget` is told" })),
  month: Type.Optional(
    Type.String({
      pattern: UTC_MONTH,
      description: "The UTC month that `month` and `groups` are of, such as 2026-11; by default the one that runs.",
    }),
  ),
});

const numberOrNull = orNull(Type.Number());
const textOrNull = orNull(Type.String());
const Sums = Type.Object({ calls: Type.Integer(), tokens: Type.Integer(), cost_usd: Type.Number() });
const Name = Type.Optional(textOrNull);
/** `group_by` decides which of the four names a group has. */
const names = { key: Name, user: Name, model: Name, day: Name } satisfies Record<UsageGrouping, unknown>;
const Limit = Type.Object({ limit: numberOrNull, used: Type.Number(), remaining: numberOrNull, resets_at: textOrNull });
const Budget = Type.Object({ usd: numberOrNull, period: oneOf(BUDGET_PERIODS), used_usd: Type.Number(), resets_at: textOrNull });
/** The key that asks: null means that it is not bound in this. */
const Key = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: orNull(Type.Array(Type.String())),
  models: orNull(Type.Array(Type.String())),
  budget: Budget,
  limits: Type.Object({ requests_per_minute: orNull(Limit), tokens_per_minute: orNull(Limit) }),
  expires_at: textOrNull,
});
export const Usage = Type.Object({
  project_id: Type.String(),
  tier: Type.String(),
  mode: Type.String(),
  day: Sums,
  month: Sums,
  limits: Type.Record(Type.String(), Limit),
  quota: Type.Object({
    limit: numberOrNull,
    used: Type.Number(),
    remaining: numberOrNull,
    enforced: Type.Boolean(),
    resets_at: Type.String(),
  }),
  budget: Type.Object({
    limit_usd: numberOrNull,
    spent_usd: Type.Number(),
    remaining_usd: numberOrNull,
    resets_at: textOrNull,
  }),
  key: Key,
  /** Null: the project has none, or, of the user's, no `user_id` was named. */
  project_budget: orNull(Budget),
  user_budget: orNull(Budget),
  group_by: Type.Optional(oneOf(GROUPINGS)),
  groups: Type.Optional(Type.Array(Type.Object({ ...names, ...Sums.properties }))),
});
