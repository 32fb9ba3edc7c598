/** Holds a model's answer against the caller's schema: extract, repair, validate; with `strict`, the answer must fit as it is. */

import type { CompiledSchema } from "./compile-schema.ts";
import type { SchemaError } from "./describe-errors.ts";
import type { Repair } from "./json-reader.ts";
import { repairJson } from "./repair-json.ts";

export type Enforced = { repaired: Repair[]; errors: SchemaError[] } & (
  | { passed: true; value: unknown; text: string }
  | { passed: false }
);

/** `text` of a passed answer is its JSON alone, byte for byte where nothing was repaired. */
export const enforceSchema = (schema: CompiledSchema, text: string, { strict }: { strict: boolean }): Enforced => {
  if (strict) return enforceStrictly(schema, text);
  const repaired = repairJson(text, schema);
  if (repaired.ok) {
    const whole = repaired.repairs.length === 0;
    return {
      passed: true,
      value: repaired.value,
      text: whole ? text.trim() : JSON.stringify(repaired.value),
      repaired: repaired.repairs,
      errors: [],
    };
  }
  const loose = repairJson(text);
  const errors = loose.ok ? schema.check(loose.value).errors : [{ path: "", message: repaired.message }];
  return { passed: false, repaired: [], errors };
};

const enforceStrictly = (schema: CompiledSchema, text: string): Enforced => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { passed: false, repaired: [], errors: [{ path: "", message: "The answer is not valid JSON." }] };
  }
  const { valid, errors } = schema.check(value);
  return valid ? { passed: true, value, text, repaired: [], errors: [] } : { passed: false, repaired: [], errors };
};

/** Asks the model to mend its answer. */
export const retryMessage = (errors: readonly SchemaError[]): string =>
  `Your answer does not fit the JSON schema:\n${errors
    .slice(0, 20)
    .map(({ path, message }) => `- ${path || "the whole answer"}: ${message}`)
    .join("\n")}\nAnswer again with JSON that fits the schema, and nothing else.`;
