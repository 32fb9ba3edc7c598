/** The six metrics of spec.md, each computed from the sums kept with the calls. */

import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readQuery } from "../http/read-query.ts";
import { scopeOf } from "../logs/call-scope.ts";
import type { Platform } from "../platform.ts";
import { customer } from "./customer.ts";
import { daily } from "./daily.ts";
import { failures } from "./failures.ts";
import { overview } from "./overview.ts";
import { performance } from "./performance.ts";
import { periodOf } from "./period.ts";
import { providers } from "./providers.ts";
import * as wire from "./wire.ts";

const guard = { scope: "metrics", group: "metrics" } as const;

export const metricsRoutes = (platform: Platform) => {
  const { db, clock } = platform;
  return new Elysia({ prefix: "/v1/metrics" })
    .use(guarded(platform))
    .get(
      "/overview",
      ({ caller, request }) => {
        const { days, mode } = readQuery(request, wire.OverviewQuery);
        return overview(db, scopeOf(caller, mode), periodOf(clock.now(), days));
      },
      {
        guard,
        detail: describe({ summary: "Calls, cost, latency and routing", query: wire.OverviewQuery, response: wire.Overview }),
      },
    )
    .get(
      "/customer",
      ({ caller, request }) => {
        const { days, mode } = readQuery(request, wire.CustomerQuery);
        const now = clock.now();
        const { catalog } = platform;
        return customer(db, {
          catalog,
          project: caller.project,
          scope: scopeOf(caller, mode),
          period: periodOf(now, days),
          now,
        });
      },
      {
        guard,
        detail: describe({ summary: "The project's habits and bill", query: wire.CustomerQuery, response: wire.Customer }),
      },
    )
    .get(
      "/performance",
      ({ caller, request }) => {
        const { days, task_type, mode } = readQuery(request, wire.PerformanceQuery);
        return performance(db, scopeOf(caller, mode), periodOf(clock.now(), days), task_type);
      },
      { guard, detail: describe({ summary: "Models by task", query: wire.PerformanceQuery, response: wire.Performance }) },
    )
    .get(
      "/failures",
      ({ caller, request }) => {
        const { days, mode } = readQuery(request, wire.FailuresQuery);
        return failures(db, scopeOf(caller, mode), periodOf(clock.now(), days));
      },
      {
        guard,
        detail: describe({ summary: "What went wrong and what may help", query: wire.FailuresQuery, response: wire.Failures }),
      },
    )
    .get(
      "/providers",
      ({ caller, request }) => {
        const { hours, mode } = readQuery(request, wire.ProvidersQuery);
        const scope = scopeOf(caller, mode);
        // The sandbox has no breakers and needs no configuration.
        const isLive = scope.mode !== "test";
        const health = isLive ? platform.providers.health.snapshot() : [];
        const configured = isLive ? platform.providers.configured() : [];
        return providers(db, { scope, hours, now: clock.now(), health, configured });
      },
      { guard, detail: describe({ summary: "Providers by the hour", query: wire.ProvidersQuery, response: wire.Providers }) },
    )
    .get(
      "/daily",
      ({ caller, request }) => {
        const { days, mode } = readQuery(request, wire.DailyQuery);
        return daily(db, scopeOf(caller, mode), periodOf(clock.now(), days));
      },
      { guard, detail: describe({ summary: "Every day of a period", query: wire.DailyQuery, response: wire.Daily }) },
    );
};
