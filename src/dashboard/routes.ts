/** The dashboard's routes: its page and files, and its API, which requires a session or the admin token instead of a key. */

import { Elysia } from "elysia";
import { basePathOf } from "../http/base-path.ts";
import { pathOf } from "../http/exchange.ts";
import type { Platform } from "../platform.ts";
import { historyRoutes } from "./api/history-routes.ts";
import { keyRoutes } from "./api/key-routes.ts";
import { memberRoutes } from "./api/member-routes.ts";
import { modelRoutes } from "./api/model-routes.ts";
import { projectRoutes } from "./api/project-routes.ts";
import { providerRoutes } from "./api/provider-routes.ts";
import { sessionRoutes } from "./api/session-routes.ts";
import { toolRoutes } from "./api/tool-routes.ts";
import { dashboardPages } from "./pages.ts";

export const dashboardRoutes = (platform: Platform) =>
  new Elysia()
    .onRequest(({ request, set }) => {
      if (pathOf(request.url).startsWith("/dashboard/api/")) set.headers["cache-control"] = "no-store";
    })
    .use(sessionRoutes(platform))
    .use(projectRoutes(platform))
    .use(keyRoutes(platform))
    .use(memberRoutes(platform))
    .use(providerRoutes(platform))
    .use(modelRoutes(platform))
    .use(historyRoutes(platform))
    .use(toolRoutes(platform))
    .use(dashboardPages(basePathOf(platform.config)));
