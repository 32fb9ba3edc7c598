/** Who may call the dashboard's API: a browser that has signed in, or a program with the admin token. */

import { carriesToken } from "../../http/carries-token.ts";
import type { Platform } from "../../platform.ts";
import { requireSession } from "./sessions.ts";

/** Throws 401, and 403 for a page of another site. No page can send a token that it does not know, so with one the site does not matter. */
export const requireOperator = (platform: Platform, request: Request): void => {
  if (!carriesToken(request, platform.config.adminToken)) requireSession(platform, request);
};
