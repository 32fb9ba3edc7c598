/** Compiled schemas that were used lately: a plain record the caller makes and owns. */
import { type CompiledSchema, compileSchema } from "./compile-schema.ts";

export type SchemaCache = { limit: number; byText: Map<string, CompiledSchema> };

export const createSchemaCache = (limit = 256): SchemaCache => ({ limit, byText: new Map() });

/** The compiled schema, from the cache where the very same JSON was compiled before. Throws like `compileSchema`. */
export const compileCached = (cache: SchemaCache, schema: unknown): CompiledSchema => {
  const text = schemaText(schema);
  const known = cache.byText.get(text);
  const compiled = known ?? compileSchema(schema);
  cache.byText.delete(text);
  cache.byText.set(text, compiled);
  const oldest = cache.byText.keys().next().value;
  if (cache.byText.size > cache.limit && oldest !== undefined) cache.byText.delete(oldest);
  return compiled;
};

/** What cannot be written as JSON is no schema; `compileSchema` refuses it in the caller's words. */
const schemaText = (schema: unknown): string => {
  try {
    return JSON.stringify(schema) ?? "";
  } catch {
    compileSchema(schema);
    return "";
  }
};
