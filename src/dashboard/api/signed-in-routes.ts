/** Where routes begin that are for the signed-in operator alone: none of them has to remember to ask. */

import { Elysia } from "elysia";
import type { Platform } from "../../platform.ts";
import { requireSession } from "../sessions/sessions.ts";

/** Each route that is added answers 401 without a session, before its body is read. */
export const signedInRoutes = (platform: Platform) =>
  new Elysia({ prefix: "/dashboard/api" }).onBeforeHandle(({ request }) => {
    requireSession(platform, request);
  });
