/** Checks a model's answer against its schema: unchanged if `strict`, else after repair (spec.md `schema_strict`). */
import { jsonOf } from "../lib/is-json.ts";
import type { CompiledSchema } from "./compile/compile-schema.ts";
import type { SchemaError } from "./compile/describe-errors.ts";
import { createBudget } from "./compile/meter.ts";
import { jsonTextOf } from "./fit/json-text.ts";
import { repairToFit } from "./fit/repair-to-fit.ts";
import type { Repair } from "./repair/json-reader.ts";
import type { Candidate } from "./repair/read-passage.ts";

/** `text`: the JSON for the caller; the model's own if nothing in it had to be repaired. */
export type Enforced =
  | { passed: true; value: unknown; text: string; repaired: Repair[]; errors: [] }
  | { passed: false; repaired: []; errors: SchemaError[] };

type EnforceOptions = {
  strict: boolean;
  /** The model ran out of tokens: the rest may fit the schema, but it is not what the model meant to say. */
  cutOff?: boolean;
};

/** Without a closing bracket, one cannot tell whether more was to come. */
const ENDLESS: ReadonlySet<Repair> = new Set(["truncated", "missing_braces"]);
const CUT_OFF: SchemaError = { path: "", message: "breaks off before its end" };
const NO_JSON: SchemaError = { path: "", message: "must be JSON, and holds none" };
const MAX_TOLD_ERRORS = 8;

export const enforceSchema = (compiled: CompiledSchema, text: string, { strict, cutOff = false }: EnforceOptions): Enforced => {
  const schema = withOneBudget(compiled);
  const value = jsonOf(text);
  const verdict = value === undefined ? undefined : schema.check(value);
  if (verdict?.valid) return { passed: true, value, text: text.trim(), repaired: [], errors: [] };
  if (strict) return failed(verdict?.errors ?? [cutOff ? CUT_OFF : NO_JSON]);
  const repaired = repairToFit(schema, text);
  if (!repaired.ok) return failed(verdict?.errors ?? errorsOf(schema, repaired.likeliest));
  if (cutOff && repaired.repairs.some((repair) => ENDLESS.has(repair))) return failed([CUT_OFF]);
  return { passed: true, value: repaired.value, text: jsonTextOf(repaired, text), repaired: repaired.repairs, errors: [] };
};

/** How far an answer is from its schema: the number of mistakes that are told of it, and the most if it holds no JSON. */
export const misfit = ({ errors }: Enforced): number =>
  errors.some((error) => error === NO_JSON) ? Number.MAX_SAFE_INTEGER : errors.length;

/** Many readings of an answer may be checked, so one budget bounds the work for all of them. */
const withOneBudget = (schema: CompiledSchema): CompiledSchema => {
  const budget = createBudget();
  return { ...schema, check: (value) => schema.check(value, budget) };
};

/** The message that asks the model to correct its answer. */
export const retryMessage = (errors: readonly SchemaError[]): string => {
  const lines = errors.map(({ path, message }) => `- ${path === "" ? "the answer" : path} ${message}`);
  return `Your answer does not fit the JSON Schema that was asked for:\n${lines.join("\n")}\n\nAnswer again with the corrected JSON alone: no explanation, no code fence.`;
};

const failed = (errors: SchemaError[]): Enforced => ({ passed: false, repaired: [], errors: errors.slice(0, MAX_TOLD_ERRORS) });

const errorsOf = (schema: CompiledSchema, reading: Candidate | undefined): SchemaError[] =>
  reading === undefined ? [NO_JSON] : schema.check(reading.value).errors;
