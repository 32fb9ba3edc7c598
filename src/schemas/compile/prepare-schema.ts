/**
 * Rewrites an inspected schema into what typebox can run safely: patterns become RE2, every reference is metered,
 * and what the draft does not assert (`format`, keywords beside a draft-07 `$ref`) is left out.
 */
import type { XSchema } from "typebox/schema";
import { Hashing } from "typebox/system";
import { isRecord } from "../../lib/is-record.ts";
import type { PatternOf } from "./linear-pattern.ts";
import { type Meter, spend } from "./meter.ts";
import { KEYWORD_RULES, SCHEMA_KEYWORDS } from "./schema-keywords.ts";
import { type Draft, standsAlone } from "./subschemas.ts";

/** The cost of following one reference, in the meter's steps. */
const STEPS_PER_REFERENCE = 500;

export type Preparation = {
  draft: Draft;
  meter: Meter;
  patternOf: PatternOf;
  /** What it takes to look up a reference while errors are explained; a compiled check need not look them up. */
  lookUpSteps: number;
  /** Spends what following a reference of that schema may cost with that value. */
  spendTargets: (schema: object, value: unknown) => void;
  /** Whether this object is a schema. What unknown keywords hold is none, unless a reference leads there. */
  isSchema: (value: object) => boolean;
  /** Where the target of a reference stands in the prepared schema; undefined: the reference stays as it is. */
  homeOf: (from: object) => string | undefined;
  /** Whether the schema says anything of what others have not evaluated. */
  usesEvaluated: boolean;
  /** The schemas that were prepared before. */
  prepared: Map<object, XSchema>;
  /** Whether the schema is compiled for explaining errors. */
  explaining?: boolean;
  /** Renames the keys of one `patternProperties`; absent: they stay. */
  renamePatterns?: (patterns: string[]) => string[];
};

export const prepareSchema = (schema: unknown, preparation: Preparation): XSchema => {
  if (!isRecord(schema)) return schema as XSchema;
  const known = preparation.prepared.get(schema);
  if (known !== undefined) return known;
  const prepared = preparation.isSchema(schema)
    ? prepareKnown(schema, preparation)
    : mapValues(schema, (child) => prepareInside(child, preparation));
  preparation.prepared.set(schema, prepared);
  return prepared;
};

/** What a keyword holds, with the schemas in it. Those in an unknown one are schemas only if references lead to them. */
const prepareInside = (value: unknown, preparation: Preparation): unknown =>
  Array.isArray(value) ? value.map((child) => prepareInside(child, preparation)) : prepareSchema(value, preparation);

const prepareKnown = (schema: Record<string, unknown>, preparation: Preparation): Record<string, unknown> => {
  const alone = standsAlone(schema, preparation.draft);
  const kept = Object.entries(schema).filter(([keyword]) => !isDropped(keyword, alone));
  const prepared = Object.fromEntries(kept.map(([keyword, value]) => [keyword, prepareKeyword(keyword, value, preparation)]));
  const forPurpose = preparation.explaining ? explainThen(explainTwins(prepared)) : isolateEvaluated(prepared, preparation);
  return meterReferences(schema, evaluateNoLists(forPurpose), preparation);
};

/**
 * Unknown keywords stay, because a JSON pointer may lead into them. `format` is an annotation in both drafts, and an answer should not fail
 * on a hint.
 */
const isDropped = (keyword: string, alone: boolean): boolean => {
  if (["format", "$recursiveRef", "$recursiveAnchor", "~refine"].includes(keyword)) return true;
  if (!alone || keyword === "$ref" || keyword === "definitions" || keyword === "$defs") return false;
  return KEYWORD_RULES.has(keyword) || SCHEMA_KEYWORDS.has(keyword) || keyword === "const";
};

/** Keywords whose values hold no schemas, whatever they look like. */
const DATA_KEYWORDS = new Set(["const", "enum", "default", "examples", "dependentRequired"]);

const prepareKeyword = (keyword: string, value: unknown, preparation: Preparation): unknown => {
  if (DATA_KEYWORDS.has(keyword)) return value;
  if (keyword === "pattern") return preparation.patternOf(value as string);
  if (keyword === "patternProperties") return preparePatternProperties(value as Record<string, unknown>, preparation);
  if (isRecord(value) && SCHEMA_KEYWORDS.get(keyword)?.holds === "map")
    return mapValues(value, (child) => prepareSchema(child, preparation));
  return prepareInside(value, preparation);
};

/** `Object.fromEntries` keeps a key named `__proto__` as data. */
const mapValues = (record: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

const preparePatternProperties = (patterns: Record<string, unknown>, preparation: Preparation): Record<string, unknown> => {
  const sources = Object.keys(patterns);
  const names = preparation.renamePatterns?.(sources) ?? sources;
  return Object.fromEntries(sources.map((source, index) => [names[index], prepareSchema(patterns[source], preparation)]));
};

/** Appended, so that pointers into `allOf` keep their index. */
const alsoAll = (schema: Record<string, unknown>, ...added: unknown[]): Record<string, unknown> => ({
  ...schema,
  allOf: [...((schema["allOf"] as unknown[]) ?? []), ...added],
});

const checkedBy = (check: (value: unknown) => boolean, message = "") => ({ "~refine": [{ check, error: () => message }] });

/**
 * Moves a reference to the end of `allOf`, behind a check that spends from the meter: only references can make the work grow beyond the
 * size of schema times value.
 */
const meterReferences = (
  source: object,
  prepared: Record<string, unknown>,
  { meter, lookUpSteps, spendTargets, homeOf, explaining }: Preparation,
): Record<string, unknown> => {
  const { $ref: reference, $dynamicRef, ...rest } = prepared;
  const references = Object.entries({ $ref: homeOf(source) ?? reference, $dynamicRef }).flatMap(([keyword, target]) =>
    typeof target === "string" ? [{ [keyword]: target }] : [],
  );
  if (references.length === 0) return prepared;
  const metered = checkedBy((value) => {
    spendTargets(source, value);
    return spend(meter, STEPS_PER_REFERENCE + (explaining ? lookUpSteps : 0));
  });
  return alsoAll(rest, metered, ...references);
};

/** typebox applies `unevaluatedProperties` to lists as well, by their indices; here a list evaluates all of them. */
const evaluateNoLists = (schema: Record<string, unknown>): Record<string, unknown> => {
  if (schema["unevaluatedProperties"] === undefined) return schema;
  return alsoAll(schema, { anyOf: [{ type: "array", unevaluatedProperties: true }, true] });
};

/**
 * typebox would record in one place what the schemas for the same value have evaluated, and even those for parts of it. `allOf` keeps a
 * record of its own, which counts only if all of it fits; a negation's record is dropped.
 */
const isolateEvaluated = (schema: Record<string, unknown>, { usesEvaluated }: Preparation): Record<string, unknown> => {
  if (!usesEvaluated) return schema;
  const isolated = { ...schema };
  for (const keyword of ["if", "then", "else"]) if (isRecord(schema[keyword])) isolated[keyword] = { allOf: [schema[keyword]] };
  for (const keyword of ["dependentSchemas", "dependencies"])
    if (isRecord(schema[keyword]))
      isolated[keyword] = mapValues(schema[keyword], (child) => (Array.isArray(child) ? child : { allOf: [child] }));
  for (const keyword of ["contains", "unevaluatedItems", "unevaluatedProperties"])
    if (isRecord(schema[keyword])) isolated[keyword] = { not: { not: schema[keyword] } };
  return isolated;
};

/** typebox lists the places of equal items in quadratic time, which nobody reads. */
const explainTwins = (schema: Record<string, unknown>): Record<string, unknown> => {
  const { uniqueItems, ...rest } = schema;
  if (uniqueItems !== true) return schema;
  const check = (value: unknown): boolean => !Array.isArray(value) || new Set(value.map(Hashing.Hash)).size === value.length;
  return alsoAll(rest, checkedBy(check, "must not have duplicate items"));
};

/**
 * typebox tells the errors inside `else`, but not those inside `then`. A condition with further ones inside stays: each would be asked twice
 * as often as the one around it.
 */
const explainThen = (schema: Record<string, unknown>): Record<string, unknown> => {
  const { if: condition, ...rest } = schema;
  if (condition === undefined || rest["then"] === undefined || JSON.stringify(condition).includes('"if":')) return schema;
  const consequence = { if: { not: condition }, else: rest["then"] };
  const alternative = { if: condition, else: rest["else"] ?? true };
  return alsoAll(rest, consequence, alternative);
};
