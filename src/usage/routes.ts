/** Usage and what remains, over HTTP (decisions §10). */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readQuery } from "../http/read-query.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { ModeQuery } from "../logs/call-scope.ts";
import type { Platform } from "../platform.ts";
import { describeUsage, type UsageGrouping } from "./describe-usage.ts";

const GROUPINGS = ["key", "user", "model", "day"] as const satisfies readonly UsageGrouping[];
const UsageQuery = Type.Object({
  mode: ModeQuery,
  group_by: Type.Optional(oneOf(GROUPINGS)),
});

const numberOrNull = orNull(Type.Number());
const textOrNull = orNull(Type.String());
const Sums = Type.Object({ calls: Type.Integer(), tokens: Type.Integer(), cost_usd: Type.Number() });
/** `group_by` decides which of the four names a group has. */
const names = Object.fromEntries(GROUPINGS.map((name) => [name, Type.Optional(textOrNull)]));
const Usage = Type.Object({
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

export const usageRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .get("/v1/usage", ({ caller, request }) => describeUsage(platform, caller, readQuery(request, UsageQuery)), {
      guard: { scope: "metrics", group: "metrics" },
      detail: describe({ summary: "What was used this day and month, and what is left", query: UsageQuery, response: Usage }),
    });
