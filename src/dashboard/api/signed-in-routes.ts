/** Where routes begin that are for the signed-in operator alone: none of them has to remember to ask. */

import { Elysia } from "elysia";
import type { Platform } from "../../platform.ts";
import { requireSession } from "../sessions/sessions.ts";

/** Each route that is added answers 401 without a session, before its body is read; that it does by itself. */
export const signedInRoutes = (platform: Platform) =>
  new Elysia({ prefix: "/dashboard/api" }).guard({ parse: ["none"] }).onBeforeHandle(({ request }) => {
    requireSession(platform, request);
  });
