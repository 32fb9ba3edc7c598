/** The dashboard's pages, served before the app sees the request; their data comes from `/dashboard/api/`. */

import type { Platform } from "../platform.ts";

export const dashboardPages = (_platform: Platform) => ({
  "/": Response.redirect("/dashboard", 302),
});
