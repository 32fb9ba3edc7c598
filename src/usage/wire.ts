/** Usage on the wire (decisions §11 "Shapes"). */

import { Type } from "@sinclair/typebox";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { ModeQuery } from "../logs/call-scope.ts";

const GROUPINGS = ["key", "user", "model", "day"] as const;
export type UsageGrouping = (typeof GROUPINGS)[number];
export const UsageQuery = Type.Object({
  mode: ModeQuery,
  group_by: Type.Optional(oneOf(GROUPINGS)),
});

const numberOrNull = orNull(Type.Number());
const textOrNull = orNull(Type.String());
const Sums = Type.Object({ calls: Type.Integer(), tokens: Type.Integer(), cost_usd: Type.Number() });
const Name = Type.Optional(textOrNull);
/** `group_by` decides which of the four names a group has. */
const names = { key: Name, user: Name, model: Name, day: Name } satisfies Record<UsageGrouping, unknown>;
export const Usage = Type.Object({
  project_id: Type.String(),
  tier: Type.String(),
  mode: Type.String(),
  day: Sums,
  month: Sums,
  limits: Type.Record(
    Type.String(),
    Type.Object({ limit: numberOrNull, used: Type.Number(), remaining: numberOrNull, resets_at: textOrNull }),
  ),
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
    resets_at: Type.String(),
  }),
  group_by: Type.Optional(oneOf(GROUPINGS)),
  groups: Type.Optional(Type.Array(Type.Object({ ...names, ...Sums.properties }))),
});
