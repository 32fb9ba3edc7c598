/** Numbers and truth values that a model put in quotes, taken out of them where the schema wants no text there. */
import type { CompiledSchema } from "./compile/compile-schema.ts";

const LITERAL = /^(?:-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?|true|false|True|False)$/;
/** A check tells of some errors at a time. */
const MAX_ROUNDS = 50;

/** The value as it fits, `undefined` where quotes alone do not keep it from fitting. The value given is not changed. */
export const unquoteLiterals = (schema: CompiledSchema, value: unknown): { value: unknown } | undefined => {
  const holder = { "": structuredClone(value) };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { valid, errors } = schema.check(holder[""]);
    if (valid) return { value: holder[""] };
    if (errors.filter(({ path }) => unquoteAt(holder, path)).length === 0) return undefined;
  }
  return undefined;
};

/** Whether there was something to take out of quotes at that JSON pointer. */
const unquoteAt = (holder: object, path: string): boolean => {
  const steps = path.split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = steps.pop()!;
  let place: unknown = holder;
  for (const step of steps) place = Object.getOwnPropertyDescriptor(Object(place), step)?.value;
  const quoted = Object.getOwnPropertyDescriptor(Object(place), key)?.value;
  // JSON knows fewer blanks than a model writes.
  const text = typeof quoted === "string" ? quoted.trim() : "";
  if (!LITERAL.test(text)) return false;
  (place as Record<string, unknown>)[key] = JSON.parse(text.toLowerCase());
  return true;
};
