/** Who may call the dashboard's API: a browser that has signed in, or a program with the admin token. */

import type { Role } from "../../accounts/member.ts";
import { permissionDenied } from "../../api-error.ts";
import type { Author, Operator } from "../../history/author.ts";
import { carriesToken } from "../../http/carries-token.ts";
import { pathOf } from "../../http/exchange.ts";
import type { Platform } from "../../platform.ts";
import { requireSession } from "./sessions.ts";

/** What a POST asks without changing or spending anything. It stores its answer if it has a key under which it shall be given again. */
const ASKS = /^\/dashboard\/api\/(schema-try|projects\/[^/]+\/(live|test)\/v1\/(route|policies\/dry-run))$/;

/**
 * Throws 401, and 403 for a page of another site, and for a viewer where an admin is needed. No page can send a token that it does not know,
 * so with one the site does not matter.
 */
export const requireOperator = (platform: Platform, request: Request, least = leastRoleFor(request)): void => {
  platform.exchanges.of(request).operator = carriesToken(request, platform.config.adminToken)
    ? { actor: "admin_token", member: null }
    : requireMember(platform, request, least);
};

const requireMember = (platform: Platform, request: Request, least: Role): Operator => {
  const { name, role } = requireSession(platform, request);
  if (role === "viewer" && least === "admin")
    throw permissionDenied(
      `${name} is a viewer, who sees everything and changes nothing. An admin can do this, or make you one.`,
    );
  return { actor: "dashboard", member: name };
};

const leastRoleFor = ({ method, url, headers }: Request): Role =>
  method === "GET" || method === "HEAD" || (method === "POST" && ASKS.test(pathOf(url)) && !headers.has("idempotency-key"))
    ? "viewer"
    : "admin";

/** The author of what this request changes now. `member`: who has just proved to be one, where nobody was let in before. */
export const byOperator = ({ exchanges, clock }: Platform, request: Request, member: string | null = null): Author => {
  const { operator = { actor: "dashboard", member }, ip } = exchanges.of(request);
  return { ...operator, key: null, ip, atMs: clock.now() };
};
