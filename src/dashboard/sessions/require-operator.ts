/** Who may call the dashboard's API: a browser that has signed in, or a program with the admin token. */

import type { Author } from "../../history/author.ts";
import { carriesToken } from "../../http/carries-token.ts";
import type { Platform } from "../../platform.ts";
import { requireSession } from "./sessions.ts";

/** Throws 401, and 403 for a page of another site. No page can send a token that it does not know, so with one the site does not matter. */
export const requireOperator = (platform: Platform, request: Request): void => {
  const hasToken = carriesToken(request, platform.config.adminToken);
  if (!hasToken) requireSession(platform, request);
  platform.exchanges.of(request).operator = hasToken ? "admin_token" : "dashboard";
};

/** The author of what this request changes now. */
export const byOperator = ({ exchanges, clock }: Platform, request: Request): Author => {
  const { operator = "dashboard", ip } = exchanges.of(request);
  return { actor: operator, key: null, ip, atMs: clock.now() };
};
