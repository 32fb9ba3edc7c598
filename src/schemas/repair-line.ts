/** The line tool `signalbox repair --jsonl`: a model's answer in, the JSON it was meant to be out (decisions §12). */
import { ApiError } from "../api-error.ts";
import { repairToFit } from "./fit/repair-to-fit.ts";
import { repairJson } from "./repair/repair-json.ts";
import { compileCached, type SchemaCache } from "./schema-cache.ts";

type Line = { id?: string | number; input: string; schema?: unknown };

/** A schema that is none is an error of its line, not of the run. */
export const repairLine = async (cache: SchemaCache, line: Line) => ({
  ...(line.id !== undefined && { id: line.id }),
  ...(await repaired(cache, line)),
});

const repaired = async (
  cache: SchemaCache,
  { input, schema }: Line,
): Promise<{ value: unknown } | { error: true; message: string }> => {
  try {
    const compiled = schema === undefined || schema === null ? undefined : await compileCached(cache, schema);
    const outcome = compiled === undefined ? repairJson(input) : repairToFit(compiled, input);
    return outcome.ok ? { value: outcome.value } : { error: true, message: outcome.message };
  } catch (error) {
    if (error instanceof ApiError) return { error: true, message: error.message };
    throw error;
  }
};
