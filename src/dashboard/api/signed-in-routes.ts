/** The base of all routes for the signed-in operator, so that no route can forget the check. */

import { Elysia } from "elysia";
import type { Platform } from "../../platform.ts";
import { requireSession } from "../sessions/sessions.ts";

/** Each route added to it answers 401 without a session, before reading a body. Routes read their bodies themselves. */
export const signedInRoutes = (platform: Platform) =>
  new Elysia({ prefix: "/dashboard/api" }).guard({ parse: ["none"] }).onBeforeHandle(({ request }) => {
    requireSession(platform, request);
  });
