/** Compiled schemas that were used recently. */
import type { CompiledSchema } from "./compile/compile-schema.ts";

export type SchemaCache = { limit: number; byText: Map<string, CompiledSchema> };

export const createSchemaCache = (limit = 256): SchemaCache => ({ limit, byText: new Map() });

/** The compiled schema, from the cache if the same JSON was compiled before. Throws like `compileSchema`. */
export const compileCached = async (cache: SchemaCache, schema: unknown): Promise<CompiledSchema> => {
  const text = schemaText(schema);
  // The validator is loaded with the first schema: it would be a quarter of what a start loads, and many deployments never need it.
  const compiled = cache.byText.get(text) ?? (await import("./compile/compile-schema.ts")).compileSchema(schema);
  cache.byText.delete(text);
  cache.byText.set(text, compiled);
  const oldest = cache.byText.keys().next().value;
  if (cache.byText.size > cache.limit && oldest !== undefined) cache.byText.delete(oldest);
  return compiled;
};

/** A schema that cannot be serialised has no text; `compileSchema` refuses it with an explanation. */
const schemaText = (schema: unknown): string => {
  try {
    return JSON.stringify(schema) ?? "";
  } catch {
    return "";
  }
};
