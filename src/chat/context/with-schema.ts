/** The JSON Schema that a call's answer must fit, sent with the call or saved before, as the output format of the request. */

import { ApiError, invalidRequest } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import type { ChatRequest } from "../../providers/provider.ts";
import type { CompiledSchema } from "../../schemas/compile/compile-schema.ts";
import { findSchema } from "../../schemas/find-schema.ts";
import { compileCached } from "../../schemas/schema-cache.ts";
import type { CallDraft } from "../call-draft.ts";

/** Leaves the request unchanged without a schema. Throws 400. */
export const withSchema = async (
  platform: Platform,
  draft: CallDraft,
): Promise<{ request: ChatRequest; schema?: CompiledSchema }> => {
  const { request } = draft.input;
  const named = await namedSchema(platform, draft);
  if (named === undefined) return { request };
  const { name, value, param, strict } = named;
  const schema = await compileFor(platform, value, param);
  return { request: { ...request, outputFormat: { type: "schema", name: wireName(name), schema: value, strict } }, schema };
};

/** `param`: the field that named it. */
type NamedSchema = { name: string; value: Record<string, unknown>; param: string; strict: boolean };

const namedSchema = async (platform: Platform, { input, caller }: CallDraft): Promise<NamedSchema | undefined> => {
  const { schema, schemaId, schemaStrict, request } = input;
  if (schema !== undefined && schemaId !== undefined)
    throw invalidRequest("`schema` and `schema_id` exclude each other.", "schema_id");
  if (schemaId !== undefined) {
    const saved = await findSchema(platform.db, caller.project.id, schemaId);
    if (saved === undefined) throw invalidRequest(`The schema \`${schemaId.slice(0, 128)}\` was not found.`, "schema_id");
    return { name: saved.slug, value: saved.schema as NamedSchema["value"], param: "schema_id", strict: schemaStrict };
  }
  if (schema === undefined) return undefined;
  const { name, strict } =
    request.outputFormat?.type === "schema" ? request.outputFormat : { name: "answer", strict: schemaStrict };
  return { name, value: schema.value as NamedSchema["value"], param: schema.param, strict };
};

/** Vendors accept only letters, digits, `_` and `-` in a schema's name. */
const wireName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);

/** Throws 400 with the field that held the schema. */
const compileFor = async (platform: Platform, value: unknown, param: string): Promise<CompiledSchema> => {
  try {
    return await compileCached(platform.schemas, value);
  } catch (error) {
    if (error instanceof ApiError) throw invalidRequest(error.message, param);
    throw error;
  }
};
