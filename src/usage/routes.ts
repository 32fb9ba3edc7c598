/** Usage and what remains, over HTTP (decisions §10). */

import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readQuery } from "../http/read-query.ts";
import type { Platform } from "../platform.ts";
import { describeUsage } from "./describe-usage.ts";
import { Usage, UsageQuery } from "./wire.ts";

export const usageRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .get("/v1/usage", ({ caller, request }) => describeUsage(platform, caller, readQuery(request, UsageQuery)), {
      guard: { scope: "metrics", group: "metrics" },
      detail: describe({ summary: "What was used this day and month, and what is left", query: UsageQuery, response: Usage }),
    });
