/** A schema tried on a text before it counts, and a copy of the database to keep. */

import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Type } from "@sinclair/typebox";
import { readJson } from "../../http/read-json.ts";
import type { Platform } from "../../platform.ts";
import { enforceSchema } from "../../schemas/enforce-schema.ts";
import { compileCached } from "../../schemas/schema-cache.ts";
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
    .get("/backup", () => backupResponse(platform));

/** The copy lies beside the database until the browser has it. */
const backupResponse = async ({ db, clock }: Platform): Promise<Response> => {
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(":", "-");
  const path = join(dirname(db.path), `.${basename(db.path)}.download-${crypto.randomUUID()}`);
  await db.backup(path);
  const file = Bun.file(path);
  const { size } = file;
  const pieces = file.stream().getReader();
  let left = size;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.read();
      left -= value?.byteLength ?? 0;
      const last = done || left <= 0;
      // Gone before the last bytes leave: whoever has the whole copy can be sure that no other lies about.
      if (last) await rm(path, { force: true });
      if (value !== undefined) controller.enqueue(value);
      if (last) controller.close();
    },
    async cancel() {
      await pieces.cancel();
      await rm(path, { force: true });
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/vnd.sqlite3",
      "content-disposition": `attachment; filename="signalbox-${stamp}.db"`,
      "content-length": String(size),
      "cache-control": "no-store",
    },
  });
};
