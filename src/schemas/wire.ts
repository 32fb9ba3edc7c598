/** Saved schemas on the wire (decisions §6). */

import { type Static, Type } from "@sinclair/typebox";
import { toIso } from "../lib/clock.ts";
import { orNull } from "../lib/nullable.ts";
import type { SavedSchema } from "./saved-schema.ts";

const name = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" });
/** Gap: letters, digits, `-`, `_` and `.`; never with the prefix of an id. */
const slug = Type.String({ pattern: "^(?!sch_)[A-Za-z0-9][A-Za-z0-9._-]{0,99}$" });
const description = orNull(Type.String({ maxLength: 2_000 }));
const schema = Type.Object({}, { additionalProperties: true, description: "JSON Schema, draft-07 or 2020-12" });

export const CreateSchemaSchema = Type.Object({
  name,
  slug: Type.Optional(slug),
  schema,
  description: Type.Optional(description),
});

/** Gap: what a PUT leaves out stays as it was. */
export const ChangeSchemaSchema = Type.Partial(Type.Object({ name, slug, schema, description }));

export const SchemaQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, description: "An earlier version; the latest unless named" })),
});

export const SavedSchemaSchema = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  description: orNull(Type.String()),
  schema,
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export const SchemaListSchema = Type.Object({ schemas: Type.Array(SavedSchemaSchema), total: Type.Integer() });
export const DeletedSchemaSchema = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });

export const toWireSchema = (saved: SavedSchema): Static<typeof SavedSchemaSchema> => ({
  id: saved.id,
  slug: saved.slug,
  name: saved.name,
  description: saved.description,
  schema: saved.schema,
  version: saved.version,
  created_at: toIso(saved.createdAtMs),
  updated_at: toIso(saved.updatedAtMs),
});
