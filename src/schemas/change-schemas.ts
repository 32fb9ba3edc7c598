/** How the owner of a project creates and changes saved schemas; schemas that could not be enforced are refused. */
import type { Static } from "@sinclair/typebox";
import type { Caller } from "../accounts/authenticate.ts";
import { notFound } from "../api-error.ts";
import { authorOf } from "../history/author.ts";
import { newId } from "../lib/ids.ts";
import { TIER_LIMITS } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import type { SavedSchema } from "./saved-schema.ts";
import { compileCached } from "./schema-cache.ts";
import { deleteSchema, findSchema, insertSchema, updateSchema } from "./store.ts";
import type { ChangeSchemaSchema, CreateSchemaSchema } from "./wire.ts";

/** Throws 400 with `param` `schema` and the place, 403 if the tier holds no more, or 409 for a taken slug. */
export const createSchema = async (
  platform: Platform,
  caller: Caller,
  body: Static<typeof CreateSchemaSchema>,
): Promise<SavedSchema> => {
  await compileCached(platform.schemas, body.schema);
  const now = platform.clock.now();
  const { id: projectId, tier } = caller.project;
  const saved: SavedSchema = {
    id: newId("sch"),
    slug: body.slug ?? slugOf(body.name),
    name: body.name,
    description: body.description ?? null,
    schema: body.schema,
    version: 1,
    createdAtMs: now,
    updatedAtMs: now,
  };
  return insertSchema(platform.db, authorOf(caller, now), saved, {
    projectId,
    slugIsFree: body.slug === undefined,
    most: TIER_LIMITS[tier].maxSchemas,
  });
};

/** Throws 400 for a schema that could not be enforced, 404 for an unknown one, 409 for a taken slug. */
export const changeSchema = async (
  platform: Platform,
  caller: Caller,
  idOrSlug: string,
  { slug, name, description, schema }: Static<typeof ChangeSchemaSchema>,
): Promise<SavedSchema> => {
  if (schema !== undefined) await compileCached(platform.schemas, schema);
  const by = authorOf(caller, platform.clock.now());
  const changed = await updateSchema(platform.db, by, caller.project.id, idOrSlug, (saved) => ({
    ...saved,
    slug: slug ?? saved.slug,
    name: name ?? saved.name,
    description: description === undefined ? saved.description : description,
    schema: schema ?? saved.schema,
    updatedAtMs: by.atMs,
  }));
  if (changed === undefined) throw notFound("The schema");
  return changed;
};

/** By id, slug or `slug@version`. Throws 404. */
export const requireSchema = async (platform: Platform, projectId: string, name: string): Promise<SavedSchema> => {
  const saved = await findSchema(platform.db, projectId, name);
  if (saved === undefined) throw notFound("The schema");
  return saved;
};

/** Returns its id. Throws 404. */
export const removeSchema = async (platform: Platform, caller: Caller, idOrSlug: string): Promise<string> => {
  const id = await deleteSchema(platform.db, authorOf(caller, platform.clock.now()), caller.project.id, idOrSlug);
  if (id === undefined) throw notFound("The schema");
  return id;
};

/** `Größe (v2)` → `grosse-v2`; a name without Latin letters or digits becomes `schema`. */
const slugOf = (name: string): string => {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase() // ß becomes SS
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["schema"];
  return words.join("-").slice(0, 60);
};
