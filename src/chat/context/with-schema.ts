/** The JSON Schema that a call's answer must fit, sent with the call or saved before, as the output format of the request. */

import { ApiError, invalidRequest } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import type { ChatRequest, OutputFormat } from "../../providers/provider.ts";
import type { CompiledSchema } from "../../schemas/compile/compile-schema.ts";
import { findSchema } from "../../schemas/find-schema.ts";
import { compileCached } from "../../schemas/schema-cache.ts";
import type { CallDraft } from "../call-draft.ts";

type SchemaFormat = Extract<OutputFormat, { type: "schema" }>;

/** Leaves the request unchanged without a schema. Throws 400. */
export const withSchema = async (
  platform: Platform,
  draft: CallDraft,
): Promise<{ request: ChatRequest; schema?: CompiledSchema }> => {
  const { request, schemaField = "schema_id" } = draft.input;
  const format = (await savedFormat(platform, draft)) ?? request.outputFormat;
  if (format?.type !== "schema") return { request };
  const schema = await compileFor(platform, format.schema, schemaField);
  return { request: { ...request, outputFormat: { ...format, name: wireName(format.name) } }, schema };
};

const savedFormat = async (platform: Platform, { input, caller }: CallDraft): Promise<SchemaFormat | undefined> => {
  const { schemaId, schemaStrict } = input;
  if (schemaId === undefined) return undefined;
  if (input.schemaField !== undefined) throw invalidRequest("`schema` and `schema_id` exclude each other.", "schema_id");
  const saved = await findSchema(platform.db, caller.project.id, schemaId);
  if (saved === undefined) throw invalidRequest(`The schema \`${schemaId.slice(0, 128)}\` was not found.`, "schema_id");
  return { type: "schema", name: saved.slug, schema: saved.schema as SchemaFormat["schema"], strict: schemaStrict };
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
