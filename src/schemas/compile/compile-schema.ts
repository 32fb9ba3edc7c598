/**
 * Compiles a caller's JSON Schema (draft-07 or 2020-12) into a check that always terminates: typebox validates, RE2 matches the patterns,
 * and a meter bounds the work of one check (decisions §6, safety-notes §5).
 */
import { Build, BuildResult, Errors, Meta, type XSchema } from "typebox/schema";
import { Settings } from "typebox/system";
import { isRecord } from "../../lib/is-record.ts";
import { describeErrors, type SchemaError } from "./describe-errors.ts";
import { inspectSchema, schemaText } from "./inspect-schema.ts";
import { LinearPattern, linearPattern } from "./linear-pattern.ts";
import { type Budget, createBudget, type Meter, WorkExceeded } from "./meter.ts";
import { type Preparation, prepareSchema } from "./prepare-schema.ts";
import { createLooks } from "./spend-looks.ts";
import { type Dialect, invalidSchema } from "./subschemas.ts";

/** The default is eight, which the other branches of a union can use up before the branch that was meant reports its errors. */
Settings.Set({ maxErrors: 64 });

export type CompiledSchema = {
  /** The schema as it was given. */
  source: unknown;
  /** Never throws; `errors` is empty exactly if `valid`. Several checks may share a budget, which each reduces. */
  check(value: unknown, budget?: Budget): SchemaVerdict;
};
type SchemaVerdict = { valid: boolean; errors: SchemaError[] };

export type CompileOptions = {
  /** For a schema without `$schema`. */
  dialect?: Dialect;
  /** Off by default: in both drafts `format` is an annotation, and an answer should not fail on a hint. */
  assertFormats?: boolean;
  /** Further schemas by absolute URI that `$ref` may name; nothing is ever fetched. */
  documents?: Record<string, unknown>;
};

type Documents = Record<string, XSchema>;

/** The price of a step while errors are being collected. */
const EXPLAIN_PRICE = 8;
/** What typebox needs to look up a reference while it explains: it compares the names of a schema, and with an `$id` goes through all of it. */
const STEPS_PER_NAME = 250;
const STEPS_PER_CHARACTER = 0.5;
/** If the value has more property names than this, errors under `patternProperties` become one sentence. */
const MAX_EXPLAINED_NAMES = 2_000;

/** Throws ApiError 400 with `param` `schema` and the place in the message. */
export const compileSchema = (schema: unknown, options: CompileOptions = {}): CompiledSchema => {
  const dialect = dialectOf(schema, options);
  const text = schemaText(schema);
  const documents = documentsFor(text, options.documents ?? {});
  const { targets, names } = inspectSchema(schema, dialect, documents);
  const meter: Meter = { left: 0, price: 1 };
  const spendLooks = createLooks(dialect);
  const preparation: Preparation = {
    dialect,
    assertFormats: options.assertFormats ?? false,
    meter,
    lookUpSteps: names * STEPS_PER_NAME + (text.includes('"$id"') ? text.length * STEPS_PER_CHARACTER : 0),
    spendTargets: (from, value) => {
      for (const target of targets.get(from) ?? []) spendLooks(meter, target, value);
    },
  };
  const read = mentionsInheritedName(text) ? withoutPrototypes : (value: unknown) => value;
  const fits = buildCheck(schema, documents, preparation);
  const explain = text.includes('"patternProperties"') ? explainByNames : explainPlainly;
  const verdictOf = (value: unknown): SchemaVerdict => {
    meter.price = 1;
    spendLooks(meter, schema, value);
    if (fits(value)) return { valid: true, errors: [] };
    meter.price = EXPLAIN_PRICE;
    spendLooks(meter, schema, value);
    return { valid: false, errors: explain(schema, documents, { ...preparation, explaining: true }, value) };
  };
  const check = (value: unknown, budget = createBudget()): SchemaVerdict => {
    meter.left = budget.left;
    const verdict = withinBounds(() => verdictOf(read(value)));
    budget.left = meter.left;
    return verdict;
  };
  return { source: schema, check };
};

const dialectOf = (schema: unknown, options: CompileOptions): Dialect => {
  const named = isRecord(schema) ? schema["$schema"] : undefined;
  if (typeof named !== "string" || (options.documents && Object.hasOwn(options.documents, named)))
    return options.dialect ?? "2020-12";
  if (/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/.test(named)) return "draft-07";
  if (/^https?:\/\/json-schema\.org\/(?:draft\/2020-12\/)?schema#?$/.test(named)) return "2020-12";
  throw invalidSchema("/$schema", "must name draft-07 or 2020-12, the two drafts that are checked here");
};

/** Only the drafts' own metaschemas may be referenced without being supplied. */
const documentsFor = (text: string, given: Record<string, unknown>): Documents => {
  if (!text.includes("//json-schema.org/")) return given as Documents;
  const draft07 = Meta["http://json-schema.org/draft-07/schema#"];
  const metaschemas = {
    "http://json-schema.org/draft-07/schema#": draft07,
    "http://json-schema.org/draft-07/schema": draft07,
    "https://json-schema.org/draft/2020-12/schema": Meta["https://json-schema.org/draft/2020-12/schema"],
  };
  return { ...given, ...metaschemas } as Documents;
};

/** typebox asks with `in`, which also finds what every object inherits (`toString`, `constructor`). */
const mentionsInheritedName = (text: string): boolean =>
  Object.getOwnPropertyNames(Object.prototype).some((name) => text.includes(`"${name}"`));

const withoutPrototypes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRecord(value)) return value;
  const bare: Record<string, unknown> = Object.create(null);
  for (const [key, child] of Object.entries(value)) bare[key] = withoutPrototypes(child);
  return bare;
};

/**
 * typebox looks through the whole schema for each reference it follows, in case its target has another base, unless the root names a
 * dialect. Without an `$id` there is no other base.
 */
const prepareRoot = (schema: unknown, preparation: Preparation): XSchema => {
  const prepared = prepareSchema(schema, preparation);
  return isRecord(prepared) && !JSON.stringify(schema).includes('"$id"') ? { $schema: "", ...prepared } : prepared;
};

const prepareDocuments = (documents: Documents, preparation: Preparation): Documents =>
  Object.fromEntries(Object.entries(documents).map(([uri, document]) => [uri, prepareSchema(document, preparation)]));

const buildCheck = (schema: unknown, documents: Documents, preparation: Preparation): ((value: unknown) => boolean) => {
  try {
    const built = Build(prepareDocuments(documents, preparation), prepareRoot(schema, preparation));
    const evaluated = withLinearPatterns(built, preparation).Evaluate();
    return (value) => evaluated.Check(value);
  } catch (error) {
    if (error instanceof RangeError) throw invalidSchema("", "is nested too deeply");
    throw error;
  }
};

/**
 * typebox compiles `patternProperties` to native regular expressions (and one that matches nothing); they are replaced before they are
 * used.
 */
const withLinearPatterns = (built: BuildResult, { meter }: Preparation): BuildResult => {
  const { identifier, variables } = built.External();
  const isNative = (variable: unknown): variable is RegExp =>
    variable instanceof RegExp && !(variable instanceof LinearPattern) && variable.source !== "(?!)";
  const linear = variables.map((variable) => (isNative(variable) ? linearPattern(variable.source, meter) : variable));
  const external = { identifier, variables: linear };
  return new BuildResult(built.Context(), built.Schema(), external, built.Functions(), built.Entry(), built.UseUnevaluated());
};

type Explain = (schema: unknown, documents: Documents, preparation: Preparation, value: unknown) => SchemaError[];

const explainPlainly: Explain = (schema, documents, preparation, value) =>
  describeErrors(Errors(prepareDocuments(documents, preparation), prepareRoot(schema, preparation), value)[1]);

/**
 * typebox explains errors with native regular expressions made of the keys of `patternProperties`, which a hostile schema could make
 * backtrack. For one value, each key can list the matching names of that value instead.
 */
const explainByNames: Explain = (schema, documents, preparation, value) => {
  const names = [...collectNames(value, new Set())];
  if (names.length > MAX_EXPLAINED_NAMES) return [{ path: "", message: "does not fit the schema" }];
  const renamePatterns = (patterns: string[]): string[] =>
    patterns.map((pattern, index) => {
      const matching = linearPattern(pattern, preparation.meter);
      const literals = names.filter((name) => matching.test(name)).map(escapeLiteral);
      const unique = "(?:)".repeat(index);
      return literals.length === 0 ? `(?!)${unique}` : `^(?:${literals.join("|")})$${unique}`;
    });
  return explainPlainly(schema, documents, { ...preparation, renamePatterns }, value);
};

const collectNames = (value: unknown, into: Set<string>): Set<string> => {
  if (into.size > MAX_EXPLAINED_NAMES || typeof value !== "object" || value === null) return into;
  for (const [key, child] of Object.entries(value)) {
    if (!Array.isArray(value)) into.add(key);
    collectNames(child, into);
  }
  return into;
};

const escapeLiteral = (name: string): string => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const withinBounds = (check: () => SchemaVerdict): SchemaVerdict => {
  try {
    return check();
  } catch (error) {
    if (error instanceof WorkExceeded) return { valid: false, errors: [{ path: "", message: "takes too much work to check" }] };
    if (error instanceof RangeError) return { valid: false, errors: [{ path: "", message: "is nested too deeply to check" }] };
    throw error;
  }
};
