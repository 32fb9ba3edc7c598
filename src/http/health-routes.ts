/** `/healthz` says that the process is up, `/readyz` that it can take work (decisions §1). They need no key and reveal nothing. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { serviceUnavailable } from "../api-error.ts";
import { tryToWrite } from "../database/settings.ts";
import type { Platform } from "../platform.ts";
import { describe } from "./describe.ts";

const Health = Type.Object({ status: Type.String() });

export const healthRoutes = (platform: Platform) => {
  const probe = createProbe(platform);
  return new Elysia()
    .get("/healthz", () => ({ status: "ok" }), {
      detail: describe({ summary: "The process is up", tags: ["health"], response: Health }),
    })
    .get(
      "/readyz",
      async () => {
        if (platform.draining) throw serviceUnavailable("The server is stopping.");
        if (!platform.background.isAtWork()) throw serviceUnavailable("The background jobs are not running.");
        await probe().catch(() => {
          throw serviceUnavailable("The database cannot be written.");
        });
        return { status: "ready" };
      },
      {
        detail: describe({ summary: "The database is writable and jobs run", tags: ["health"], response: Health, errors: [503] }),
      },
    );
};

const PROBE_EVERY_MS = 1_000;

/** Writes at most once a second, because anybody may ask. */
const createProbe = ({ db, clock }: Platform): (() => Promise<void>) => {
  let probedAt = Number.NEGATIVE_INFINITY;
  let outcome = Promise.resolve();
  return () => {
    const now = clock.now();
    // Also if the clock was set back.
    if (Math.abs(now - probedAt) >= PROBE_EVERY_MS) {
      probedAt = now;
      outcome = tryToWrite(db, now);
    }
    return outcome;
  };
};
