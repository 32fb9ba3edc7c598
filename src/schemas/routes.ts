/** `/v1/schemas` (decisions §6). */
import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { readQuery } from "../http/read-query.ts";
import type { Platform } from "../platform.ts";
import { changeSchema, createSchema, removeSchema, requireSchema } from "./change-schemas.ts";
import { listSchemas } from "./store.ts";
import {
  ChangeSchemaSchema,
  CreateSchemaSchema,
  DeletedSchemaSchema,
  SavedSchemaSchema,
  SchemaListSchema,
  SchemaQuery,
  toWireSchema,
} from "./wire.ts";

const guard = { scope: "schemas", group: "schemas" } as const;

export const schemaRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .post(
      "/v1/schemas",
      async ({ caller, request, set }) => {
        const saved = await createSchema(platform, caller, await readJson(request, CreateSchemaSchema));
        set.status = 201;
        return toWireSchema(saved);
      },
      {
        guard,
        detail: describe({
          summary: "Save a JSON Schema",
          body: CreateSchemaSchema,
          response: SavedSchemaSchema,
          status: 201,
        }),
      },
    )
    .get(
      "/v1/schemas",
      async ({ caller }) => {
        const schemas = await listSchemas(platform.db, caller.project.id);
        return { schemas: schemas.map(toWireSchema), total: schemas.length };
      },
      { guard, detail: describe({ summary: "Saved schemas", response: SchemaListSchema }) },
    )
    .get(
      "/v1/schemas/:id",
      async ({ caller, params, request }) => {
        const { version } = readQuery(request, SchemaQuery);
        const name = version === undefined ? params.id : `${params.id}@${version}`;
        return toWireSchema(await requireSchema(platform, caller.project.id, name));
      },
      {
        guard,
        detail: describe({
          summary: "One saved schema, by id or slug",
          query: SchemaQuery,
          response: SavedSchemaSchema,
        }),
      },
    )
    .put(
      "/v1/schemas/:id",
      async ({ caller, params, request }) =>
        toWireSchema(await changeSchema(platform, caller, params.id, await readJson(request, ChangeSchemaSchema))),
      {
        guard,
        detail: describe({
          summary: "Change a saved schema: its next version",
          body: ChangeSchemaSchema,
          response: SavedSchemaSchema,
          errors: [409],
        }),
      },
    )
    .delete(
      "/v1/schemas/:id",
      async ({ caller, params }) => ({ id: await removeSchema(platform, caller, params.id), deleted: true }),
      {
        guard,
        detail: describe({ summary: "Delete a saved schema", response: DeletedSchemaSchema }),
      },
    );
