/** Tries a schema on a text before it is saved, downloads a copy of the database, and tells of regular ones. */

import { Type } from "@sinclair/typebox";
import { readJson } from "../../http/read-json.ts";
import { HOUR_MS, toIso } from "../../lib/clock.ts";
import type { Platform } from "../../platform.ts";
import { enforceSchema } from "../../schemas/enforce-schema.ts";
import { compileCached } from "../../schemas/schema-cache.ts";
import { newestBackup } from "../../take-backups.ts";
import { downloadCopy } from "../download-copy.ts";
import { requireOperator } from "../sessions/require-operator.ts";
import type { BackupsAnswer, SchemaTry } from "../wire.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const SchemaTryBody = Type.Object({
  schema: Type.Object({}, { additionalProperties: true }),
  text: Type.String({ maxLength: 500_000 }),
  strict: Type.Optional(Type.Boolean()),
});

export const toolRoutes = (platform: Platform) =>
  signedInRoutes(platform)
    .post("/schema-try", async ({ request }): Promise<SchemaTry> => {
      const { schema, text, strict = false } = await readJson(request, SchemaTryBody);
      const verdict = enforceSchema(await compileCached(platform.schemas, schema), text, { strict });
      return verdict.passed
        ? { passed: true, value: verdict.value, repaired: verdict.repaired, errors: [] }
        : { passed: false, repaired: [], errors: verdict.errors };
    })
    // The copy has the digests of all keys and passwords.
    .get("/backup", ({ request }) => {
      requireOperator(platform, request, "admin");
      return downloadCopy(platform);
    })
    .get("/backups", (): BackupsAnswer => {
      const { backups, databasePath } = platform.config;
      if (backups === undefined) return { backups: null };
      const { folder, everyMs, keep } = backups;
      const newest = toIso(newestBackup(folder, databasePath) ?? null);
      return { backups: { folder, every_hours: everyMs / HOUR_MS, keep, newest_at: newest } };
    });
