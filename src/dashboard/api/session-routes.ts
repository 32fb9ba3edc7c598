/** Signing in and out, and first passwords: the operator's and those of invited members (decisions §1, safety-notes T11). */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  findInvited,
  hasMembers,
  isMemberPassword,
  memberPasswordHash,
  redeemInvitation,
  setMemberPassword,
} from "../../accounts/member-store.ts";
import {
  adminPasswordHash,
  hasAdminPassword,
  isAdminPassword,
  LEAST_PASSWORD_CHARACTERS,
  redeemSetupToken,
  setAdminPassword,
} from "../../accounts/operator.ts";
import { ApiError, invalidRequest } from "../../api-error.ts";
import type { Sql } from "../../database/database.ts";
import { readJson } from "../../http/read-json.ts";
import { toIso } from "../../lib/clock.ts";
import type { Platform } from "../../platform.ts";
import { VERSION } from "../../version.ts";
import { createLoginThrottle } from "../sessions/login-throttle.ts";
import { byOperator } from "../sessions/require-operator.ts";
import { closeSession, findOpenSession, openSession, refuseForeignSite, requireSession } from "../sessions/sessions.ts";
import { deleteOtherSessions } from "../sessions/store.ts";
import type { SessionState } from "../wire.ts";

const Password = Type.String({ minLength: 1, maxLength: 512 });
/** Without a name, or with an empty one, the operator signs in. */
const LoginBody = Type.Object({ name: Type.Optional(Type.String({ maxLength: 512 })), password: Password });
const SetupBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }), password: Password });
const ChangeBody = Type.Object({ current: Password, next: Password });
const OK = { ok: true };
/** For bodies that anyone who can reach the server may send. */
const WITHOUT_SESSION = { maxBytes: 16 * 1024 };

export const sessionRoutes = (platform: Platform) => {
  const { db, config, clock, exchanges } = platform;
  const throttle = createLoginThrottle(clock);
  const ipOf = (request: Request) => exchanges.of(request).ip;

  /**
   * `name`: null for the operator. Returns whether the password is still the one that was checked, because looking at it takes time, in
   * which it may be replaced or the member removed. Throws 401, with the same message for every wrong password.
   */
  const checkPassword = async (request: Request, name: string | null, password: string) => {
    throttle.begin(ipOf(request), name);
    const hash = passwordHash(db, name);
    const isRight =
      name === null ? await isAdminPassword(db, config.adminPassword, password) : await isMemberPassword(db, name, password);
    if (!isRight) throw wrongPassword(name);
    throttle.succeeded(ipOf(request), name);
    return (sql: Reading): boolean => passwordHash(sql, name) === hash;
  };

  return new Elysia({ prefix: "/dashboard/api" })
    .guard({ parse: ["none"] })
    .onBeforeHandle(({ request }) => refuseForeignSite(platform, request))
    .get("/session", async ({ request }): Promise<SessionState> => {
      const session = findOpenSession(platform, request);
      return {
        signed_in: session !== undefined,
        password_set: config.adminPassword !== undefined || (await hasAdminPassword(db)),
        password_from_environment: config.adminPassword !== undefined,
        member: session?.name == null ? null : { name: session.name, role: session.role! },
        has_members: hasMembers(db),
        version: VERSION,
        now: toIso(clock.now()),
      };
    })
    .post("/login", async ({ request, set }) => {
      const { name = "", password } = await readJson(request, LoginBody, WITHOUT_SESSION);
      const member = name.trim() || null;
      const holds = await checkPassword(request, member, password);
      set.headers["set-cookie"] = await openSession(platform, request, { member, holds });
      return OK;
    })
    .post("/setup", async ({ request, set }) => {
      const { token, password } = await readJson(request, SetupBody, WITHOUT_SESSION);
      requireStrength(password, "password");
      throttle.begin(ipOf(request), null);
      if (!(await redeemSetupToken(db, byOperator(platform, request), token, password)))
        throw invalidRequest(
          "This set-up link was used before or is not the latest. Start Signalbox again for a new one.",
          "token",
        );
      throttle.succeeded(ipOf(request), null);
      set.headers["set-cookie"] = await openSession(platform, request, { member: null });
      return OK;
    })
    .post("/invitation", async ({ request, set }) => {
      const { token, password } = await readJson(request, SetupBody, WITHOUT_SESSION);
      requireStrength(password, "password");
      throttle.begin(ipOf(request), null);
      const member = findInvited(db, token, clock.now());
      if (member === undefined || !(await redeemInvitation(db, byOperator(platform, request, member), token, password)))
        throw invalidRequest("This invitation was used before, is too old, or was replaced. Ask for another one.", "token");
      throttle.succeeded(ipOf(request), null);
      set.headers["set-cookie"] = await openSession(platform, request, { member });
      return OK;
    })
    .post("/logout", async ({ request, set }) => {
      set.headers["set-cookie"] = await closeSession(platform, request);
      return OK;
    })
    .post("/password", async ({ request }) => {
      const session = requireSession(platform, request);
      const { current, next } = await readJson(request, ChangeBody);
      if (session.name === null && config.adminPassword !== undefined)
        throw invalidRequest("The password comes from SIGNALBOX_ADMIN_PASSWORD; change it there.", "next");
      requireStrength(next, "next");
      const { name } = session;
      const holds = await checkPassword(request, name, current);
      const by = byOperator(platform, request, name);
      const isSet =
        name === null
          ? await setAdminPassword(db, by, next, holds)
          : await setMemberPassword(db, by, { name, password: next, may: holds });
      if (!isSet) throw wrongPassword(name);
      await deleteOtherSessions(db, session);
      return OK;
    });
};

/** The database, or a unit of work in it. */
type Reading = Pick<Sql, "get">;

const passwordHash = (sql: Reading, name: string | null) =>
  name === null ? adminPasswordHash(sql) : memberPasswordHash(sql, name);

const wrongPassword = (name: string | null) => {
  const message = name === null ? "That is not the password." : "That is not the password, or nobody has that name.";
  return new ApiError("authentication_error", message, { param: "password" });
};

const requireStrength = (password: string, param: string): void => {
  if (password.length < LEAST_PASSWORD_CHARACTERS)
    throw invalidRequest(`Choose a password of at least ${LEAST_PASSWORD_CHARACTERS} characters.`, param);
};
