/** Compiled schemas that were used recently. */
import { createRecent, type Recent } from "../lib/recent.ts";
import type { CompiledSchema } from "./compile/compile-schema.ts";

export type SchemaCache = Recent<CompiledSchema>;

/** A schema of usual size takes a tenth of a megabyte, the largest one twenty. */
const REMEMBERED_BYTES = 16_000_000;

export const createSchemaCache = (): SchemaCache => createRecent(REMEMBERED_BYTES, ({ sizeBytes }) => sizeBytes);

/** The compiled schema, from the cache if the same JSON was compiled before. Throws like `compileSchema`. */
export const compileCached = async (cache: SchemaCache, schema: unknown): Promise<CompiledSchema> => {
  const text = JSON.stringify(schema) ?? "";
  const known = cache.find(text);
  if (known !== undefined) return known;
  // The validator is loaded with the first schema: it would be a quarter of what a start loads, and many deployments never need it.
  const compiled = (await import("./compile/compile-schema.ts")).compileSchema(schema);
  cache.keep(text, compiled);
  return compiled;
};
