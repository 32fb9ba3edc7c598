/** A model's answer as JSON that fits its schema; where no reading does, the likeliest with its strings as the schema wants them. */
import type { CompiledSchema } from "./compile/compile-schema.ts";
import { fitStrings } from "./fit-strings.ts";
import { repairJson } from "./repair/repair-json.ts";

export const repairToFit = (schema: CompiledSchema, text: string): ReturnType<typeof repairJson> => {
  const repaired = repairJson(text, schema);
  const likeliest = repaired.ok ? repaired : repairJson(text);
  if (repaired.ok || !likeliest.ok) return repaired;
  const fitted = fitStrings(schema, likeliest.value);
  return fitted ? { ok: true, value: fitted.value, repairs: [...likeliest.repairs, ...fitted.repairs] } : repaired;
};
