/** Signing in and out, and the first password (decisions §1, safety-notes T11). */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  hasAdminPassword,
  isAdminPassword,
  LEAST_PASSWORD_CHARACTERS,
  redeemSetupToken,
  setAdminPassword,
} from "../../accounts/operator.ts";
import { ApiError, invalidRequest } from "../../api-error.ts";
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
const LoginBody = Type.Object({ password: Password });
const SetupBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }), password: Password });
const ChangeBody = Type.Object({ current: Password, next: Password });
const OK = { ok: true };
/** For bodies that anyone who can reach the server may send. */
const WITHOUT_SESSION = { maxBytes: 16 * 1024 };

export const sessionRoutes = (platform: Platform) => {
  const { db, config, clock, exchanges } = platform;
  const throttle = createLoginThrottle(clock);
  const ipOf = (request: Request) => exchanges.of(request).ip;

  /** Throws 401, with the same message for every wrong password. */
  const checkPassword = async (request: Request, password: string) => {
    throttle.begin(ipOf(request));
    if (!(await isAdminPassword(db, config.adminPassword, password)))
      throw new ApiError("authentication_error", "That is not the password.", { param: "password" });
    throttle.succeeded(ipOf(request));
  };

  return new Elysia({ prefix: "/dashboard/api" })
    .guard({ parse: ["none"] })
    .onBeforeHandle(({ request }) => refuseForeignSite(platform, request))
    .get(
      "/session",
      async ({ request }): Promise<SessionState> => ({
        signed_in: findOpenSession(platform, request) !== undefined,
        password_set: config.adminPassword !== undefined || (await hasAdminPassword(db)),
        password_from_environment: config.adminPassword !== undefined,
        version: VERSION,
        now: toIso(clock.now()),
      }),
    )
    .post("/login", async ({ request, set }) => {
      const { password } = await readJson(request, LoginBody, WITHOUT_SESSION);
      await checkPassword(request, password);
      set.headers["set-cookie"] = await openSession(platform, request);
      return OK;
    })
    .post("/setup", async ({ request, set }) => {
      const { token, password } = await readJson(request, SetupBody, WITHOUT_SESSION);
      requireStrength(password, "password");
      throttle.begin(ipOf(request));
      if (!(await redeemSetupToken(db, byOperator(platform, request), token, password)))
        throw invalidRequest(
          "This set-up link was used before or is not the latest. Start Signalbox again for a new one.",
          "token",
        );
      throttle.succeeded(ipOf(request));
      set.headers["set-cookie"] = await openSession(platform, request);
      return OK;
    })
    .post("/logout", async ({ request, set }) => {
      set.headers["set-cookie"] = await closeSession(platform, request);
      return OK;
    })
    .post("/password", async ({ request }) => {
      const session = requireSession(platform, request);
      const { current, next } = await readJson(request, ChangeBody);
      if (config.adminPassword !== undefined)
        throw invalidRequest("The password comes from SIGNALBOX_ADMIN_PASSWORD; change it there.", "next");
      requireStrength(next, "next");
      await checkPassword(request, current);
      await setAdminPassword(db, byOperator(platform, request), next);
      await deleteOtherSessions(db, session.secretHash);
      return OK;
    });
};

const requireStrength = (password: string, param: string): void => {
  if (password.length < LEAST_PASSWORD_CHARACTERS)
    throw invalidRequest(`Choose a password of at least ${LEAST_PASSWORD_CHARACTERS} characters.`, param);
};
