/** A model's answer as JSON that fits its schema; where no reading does, the likeliest without the quotes around its numbers. */
import type { CompiledSchema } from "./compile/compile-schema.ts";
import { repairJson } from "./repair/repair-json.ts";
import { unquoteLiterals } from "./unquote-literals.ts";

export const repairToFit = (schema: CompiledSchema, text: string): ReturnType<typeof repairJson> => {
  const repaired = repairJson(text, schema);
  const likeliest = repaired.ok ? repaired : repairJson(text);
  if (repaired.ok || !likeliest.ok) return repaired;
  const unquoted = unquoteLiterals(schema, likeliest.value);
  return unquoted ? { ok: true, ...unquoted, repairs: [...likeliest.repairs, "quoted_literal"] } : repaired;
};
