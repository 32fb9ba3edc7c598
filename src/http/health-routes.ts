/** `/healthz` says the process is up, `/readyz` that it can take work (decisions §1). No key needed, nothing told. */

import { Elysia } from "elysia";
import type { Platform } from "../platform.ts";
import { describe } from "./describe.ts";

export const healthRoutes = (platform: Platform) =>
  new Elysia()
    .get("/healthz", () => ({ status: "ok" }), { detail: describe({ summary: "The process is up", tags: ["health"] }) })
    .get(
      "/readyz",
      async ({ status }) => {
        if (platform.draining) return status(503, { status: "draining" });
        if (!platform.background.isAtWork()) return status(503, { status: "jobs do not run" });
        try {
          // An empty unit of work still begins and commits a transaction: it fails where the file cannot be written.
          await platform.db.write((sql) => sql.run("UPDATE settings SET updated_at = updated_at WHERE name = 'ready'"));
          return { status: "ready" };
        } catch {
          return status(503, { status: "the database cannot be written" });
        }
      },
      { detail: describe({ summary: "The database is writable and jobs run", tags: ["health"], errors: [503] }) },
    );
