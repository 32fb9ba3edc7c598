/** Tries a schema on a text before it is saved, and downloads a copy of the database. */

import { Type } from "@sinclair/typebox";
import { readJson } from "../../http/read-json.ts";
import type { Platform } from "../../platform.ts";
import { enforceSchema } from "../../schemas/enforce-schema.ts";
import { compileCached } from "../../schemas/schema-cache.ts";
import { downloadCopy } from "../download-copy.ts";
import type { SchemaTry } from "../wire.ts";
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
    .get("/backup", () => downloadCopy(platform));
