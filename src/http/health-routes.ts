/** `/healthz` says the process is up, `/readyz` that it can take work (decisions §1). No key needed, nothing told. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { serviceUnavailable } from "../api-error.ts";
import type { Platform } from "../platform.ts";
import { describe } from "./describe.ts";

const Health = Type.Object({ status: Type.String() });

export const healthRoutes = (platform: Platform) =>
  new Elysia()
    .get("/healthz", () => ({ status: "ok" }), {
      detail: describe({ summary: "The process is up", tags: ["health"], response: Health }),
    })
    .get(
      "/readyz",
      async () => {
        if (platform.draining) throw serviceUnavailable("The server is stopping.");
        if (!platform.background.isAtWork()) throw serviceUnavailable("Jobs do not run.");
        // An empty unit of work still begins and commits a transaction: it fails where the file cannot be written.
        await platform.db
          .write((sql) => sql.run("UPDATE settings SET updated_at = updated_at WHERE name = 'ready'"))
          .catch(() => {
            throw serviceUnavailable("The database cannot be written.");
          });
        return { status: "ready" };
      },
      {
        detail: describe({ summary: "The database is writable and jobs run", tags: ["health"], response: Health, errors: [503] }),
      },
    );
