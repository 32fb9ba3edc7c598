/** Sessions: opaque secrets that expire after 12 idle hours or 7 days, whichever comes first (safety-notes T11). */

import { ApiError, permissionDenied } from "../../api-error.ts";
import type { Sql } from "../../database/database.ts";
import { originOf } from "../../http/request-origin.ts";
import { randomBase62 } from "../../lib/base62.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/clock.ts";
import { digest } from "../../lib/digest.ts";
import type { Platform } from "../../platform.ts";
import { readSessionCookie, sessionCookie } from "./session-cookie.ts";
import { deleteSession, deleteSessionsBefore, findSession, insertSession, type Session, updateSeen } from "./store.ts";

const IDLE_MS = 12 * HOUR_MS;
const ABSOLUTE_MS = 7 * DAY_MS;
/** The time of the last use is written at most this often. */
const SEEN_EVERY_MS = MINUTE_MS;

/**
 * Creates a new secret at every sign-in, so that a cookie planted before is useless. Returns the cookie to set. `member`: null for the
 * operator. Throws 401 if what was checked does not hold any more as the session is stored.
 */
export const openSession = async (
  platform: Platform,
  request: Request,
  { member, holds = () => true }: { member: string | null; holds?: (sql: Sql) => boolean },
): Promise<string> => {
  const { db, clock, exchanges } = platform;
  const now = clock.now();
  const old = readSessionCookie(request, isSecure(platform, request));
  if (old !== undefined) await deleteSession(db, storedHash(platform, old));
  await deleteSessionsBefore(db, { createdAtMs: now - ABSOLUTE_MS, seenAtMs: now - IDLE_MS });
  const secret = randomBase62(32);
  const from = { member, ip: exchanges.of(request).ip, userAgent: request.headers.get("user-agent") };
  if (!(await insertSession(db, storedHash(platform, secret), from, now, holds)))
    throw new ApiError("authentication_error", "The password was changed just now.", { param: "password" });
  return sessionCookie(secret, isSecure(platform, request), ABSOLUTE_MS / 1000);
};

/** Returns the cookie that deletes the old one. */
export const closeSession = async (platform: Platform, request: Request): Promise<string> => {
  const secret = readSessionCookie(request, isSecure(platform, request));
  if (secret !== undefined) await deleteSession(platform.db, storedHash(platform, secret));
  return sessionCookie("", isSecure(platform, request), 0);
};

export const findOpenSession = (platform: Platform, request: Request): Session | undefined => {
  const secret = readSessionCookie(request, isSecure(platform, request));
  const session = secret === undefined ? undefined : findSession(platform.db, storedHash(platform, secret));
  if (session === undefined) return undefined;
  const now = platform.clock.now();
  // What was written by a clock that ran far ahead is over too, or it would stay open until that time has come.
  if (Math.abs(now - session.createdAtMs) >= ABSOLUTE_MS || Math.abs(now - session.seenAtMs) >= IDLE_MS) return undefined;
  if (now - session.seenAtMs >= SEEN_EVERY_MS)
    platform.background.soon("dashboard session", () => updateSeen(platform.db, session.secretHash, now));
  return session;
};

/** Throws 403 for a request from another site and 401 without a session. Runs for every call to the dashboard's API. */
export const requireSession = (platform: Platform, request: Request): Session => {
  refuseForeignSite(platform, request);
  const session = findOpenSession(platform, request);
  if (session === undefined)
    throw new ApiError("authentication_error", "Sign in to the dashboard, or send its admin token as `Authorization: Bearer`.", {
      code: "signed_out",
    });
  return session;
};

/**
 * Browsers report where a request came from, and no page can change that. `Sec-Fetch-Site` is checked first, because a proxy may have
 * rewritten `Host`; without it, `Origin` must be ours. A client that sends neither is not a browser, so no other site can use its cookie.
 */
export const refuseForeignSite = (platform: Platform, request: Request): void => {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const typedAddress = site === "none" && request.method === "GET";
  const own = site !== null ? site === "same-origin" || typedAddress : origin === null || isOwnOrigin(platform, request, origin);
  if (!own) throw permissionDenied("The dashboard's API answers the dashboard's own pages only.");
};

const isOwnOrigin = (platform: Platform, request: Request, origin: string): boolean =>
  URL.canParse(origin) &&
  (new URL(origin).host === request.headers.get("host")?.toLowerCase() ||
    origin === new URL(originOf(platform.config, request)).origin);

/**
 * The environment's password is part of it: nothing tells when it was replaced, and whoever signed in with the one before must not stay.
 * A password that is stored signs the others out itself when it changes.
 */
const storedHash = (platform: Platform, secret: string): string => digest(secret + (platform.config.adminPassword ?? ""));

const isSecure = (platform: Platform, request: Request): boolean =>
  request.url.startsWith("https:") ||
  request.headers.get("x-forwarded-proto") === "https" ||
  platform.config.publicUrl?.startsWith("https:") === true;
