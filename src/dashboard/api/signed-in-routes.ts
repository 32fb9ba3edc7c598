/** The base of all routes for the operator, so that no route can forget the check. */

import { Elysia } from "elysia";
import type { Platform } from "../../platform.ts";
import { requireOperator } from "../sessions/require-operator.ts";

/** Each route added to it answers 401 to others, before reading a body. Routes read their bodies themselves. */
export const signedInRoutes = (platform: Platform) =>
  new Elysia({ prefix: "/dashboard/api" }).guard({ parse: ["none"] }).onBeforeHandle(({ request }) => {
    requireOperator(platform, request);
  });
