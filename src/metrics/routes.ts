/** The metrics of spec.md, each computed from the sums kept with the calls. */

import { Elysia } from "elysia";
import type { Caller } from "../accounts/authenticate.ts";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readQuery } from "../http/read-query.ts";
import { type CallScope, scopeOf } from "../logs/call-scope.ts";
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
  const scopeAndPeriod = (caller: Caller, { days, mode }: { days: number; mode?: CallScope["mode"] }) =>
    [scopeOf(caller, mode), periodOf(clock.now(), days)] as const;
  return new Elysia({ prefix: "/v1/metrics" })
    .use(guarded(platform))
    .get("/overview", ({ caller, request }) => overview(db, ...scopeAndPeriod(caller, readQuery(request, wire.OverviewQuery))), {
      guard,
      detail: describe({ summary: "Calls, cost, latency and routing", query: wire.OverviewQuery, response: wire.Overview }),
    })
    .get(
      "/customer",
      ({ caller, request }) => {
        const [scope, period] = scopeAndPeriod(caller, readQuery(request, wire.CustomerQuery));
        return customer(db, { catalog: platform.catalog, project: caller.project, scope, period, now: clock.now() });
      },
      {
        guard,
        detail: describe({ summary: "The project's habits and bill", query: wire.CustomerQuery, response: wire.Customer }),
      },
    )
    .get(
      "/performance",
      ({ caller, request }) => {
        const query = readQuery(request, wire.PerformanceQuery);
        return performance(db, ...scopeAndPeriod(caller, query), query.task_type);
      },
      { guard, detail: describe({ summary: "Models by task", query: wire.PerformanceQuery, response: wire.Performance }) },
    )
    .get("/failures", ({ caller, request }) => failures(db, ...scopeAndPeriod(caller, readQuery(request, wire.FailuresQuery))), {
      guard,
      detail: describe({ summary: "What went wrong and what may help", query: wire.FailuresQuery, response: wire.Failures }),
    })
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
    .get("/daily", ({ caller, request }) => daily(db, ...scopeAndPeriod(caller, readQuery(request, wire.DailyQuery))), {
      guard,
      detail: describe({ summary: "Every day of a period", query: wire.DailyQuery, response: wire.Daily }),
    });
};
