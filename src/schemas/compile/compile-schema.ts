/**
 * Compiles a caller's JSON Schema (draft-07 or 2020-12) into a check that always terminates: typebox validates, RE2 matches the patterns,
 * and a meter bounds the work of one check (decisions §6, safety-notes §5).
 */
import { Build, Meta } from "typebox/schema";
import { Settings } from "typebox/system";
import { isRecord } from "../../lib/is-record.ts";
import type { SchemaError } from "./describe-errors.ts";
import { explainByNames, explainPlainly } from "./explain-errors.ts";
import { inspectSchema, schemaText } from "./inspect-schema.ts";
import { createPatterns } from "./linear-pattern.ts";
import { createMarks } from "./mark-patterns.ts";
import { type Budget, createBudget, type Meter, WorkExceeded } from "./meter.ts";
import type { Preparation } from "./prepare-schema.ts";
import { type Documents, homesIn, prepareSource, type Source } from "./prepare-source.ts";
import { createLooks } from "./spend-looks.ts";
import { type Draft, invalidSchema } from "./subschemas.ts";

/** The default is eight, which the other branches of a union can use up before the branch that was meant reports its errors. */
Settings.Set({ maxErrors: 64 });

export type CompiledSchema = {
  /** The schema as it was given. */
  source: unknown;
  /** Never throws; `errors` is empty exactly if `valid`. Several checks may share a budget, which each reduces. */
  check(value: unknown, budget?: Budget): SchemaVerdict;
  /** About how much memory it takes. */
  sizeBytes: number;
};
type SchemaVerdict = { valid: boolean; errors: SchemaError[] };

/** The price of a step while errors are being collected. */
const EXPLAIN_PRICE = 8;
/** Memory, measured: of a check for each character of the schema, and of an instruction of its patterns. */
const BYTES_PER_CHARACTER = 45;
const BYTES_PER_INSTRUCTION = 220;

/** Throws ApiError 400 with `param` `schema` and the place in the message. */
export const compileSchema = (schema: unknown): CompiledSchema => {
  const draft = draftOf(schema);
  const text = schemaText(schema);
  const documents = documentsFor(text);
  const { targets, hasParts, lookUpSteps, isSchema, programSize } = inspectSchema(schema, draft, documents);
  const source: Source = { schema, documents, homes: hasParts ? new Map() : homesIn(schema, targets, isSchema) };
  const meter: Meter = { left: 0, price: 1 };
  const spendLooks = createLooks(draft);
  const preparation: Preparation = {
    draft,
    meter,
    patternOf: createPatterns(meter),
    lookUpSteps,
    spendTargets: (from, value) => {
      for (const target of targets.get(from) ?? []) spendLooks(meter, target, value);
    },
    isSchema,
    homeOf: (from) => ("$ref" in from ? source.homes.get(targets.get(from)?.[0]) : undefined),
    usesEvaluated: text.includes('"unevaluated'),
    prepared: new Map(),
  };
  const read = mentionsInheritedName(text) ? withoutPrototypes : (value: unknown) => value;
  const fits = buildCheck(source, preparation);
  const explain = text.includes('"patternProperties"') ? explainByNames : explainPlainly;
  const verdictOf = (value: unknown): SchemaVerdict => {
    meter.price = 1;
    spendLooks(meter, schema, value);
    if (fits(value)) return { valid: true, errors: [] };
    meter.price = EXPLAIN_PRICE;
    spendLooks(meter, schema, value);
    return {
      valid: false,
      errors: explain(source, { ...preparation, explaining: true, prepared: new Map() }, value),
    };
  };
  const check = (value: unknown, budget = createBudget()): SchemaVerdict => {
    meter.left = budget.left;
    const verdict = withinBounds(() => verdictOf(read(value)));
    budget.left = meter.left;
    return verdict;
  };
  return { source: schema, check, sizeBytes: text.length * BYTES_PER_CHARACTER + programSize * BYTES_PER_INSTRUCTION };
};

const draftOf = (schema: unknown): Draft => {
  const named = isRecord(schema) ? schema["$schema"] : undefined;
  if (typeof named !== "string") return "2020-12";
  if (/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/.test(named)) return "draft-07";
  if (/^https?:\/\/json-schema\.org\/(?:draft\/2020-12\/)?schema#?$/.test(named)) return "2020-12";
  throw invalidSchema("/$schema", "must name draft-07 or 2020-12, the two drafts that are checked here");
};

/** The drafts' own metaschemas, which any schema may refer to. */
const documentsFor = (text: string): Documents => {
  if (!text.includes("//json-schema.org/")) return {};
  const draft07 = Meta["http://json-schema.org/draft-07/schema#"];
  return {
    "http://json-schema.org/draft-07/schema#": draft07,
    "http://json-schema.org/draft-07/schema": draft07,
    "https://json-schema.org/draft/2020-12/schema": Meta["https://json-schema.org/draft/2020-12/schema"],
  };
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

const buildCheck = (source: Source, preparation: Preparation): ((value: unknown) => boolean) => {
  try {
    const { renamePatterns, withLinearPatterns } = createMarks(preparation.patternOf);
    const built = Build(...prepareSource(source, { ...preparation, renamePatterns }));
    const evaluated = withLinearPatterns(built).Evaluate();
    return (value) => evaluated.Check(value);
  } catch (error) {
    if (error instanceof RangeError) throw invalidSchema("", "is nested too deeply");
    throw error;
  }
};

const withinBounds = (check: () => SchemaVerdict): SchemaVerdict => {
  try {
    return check();
  } catch (error) {
    if (error instanceof WorkExceeded) return { valid: false, errors: [{ path: "", message: "takes too much work to check" }] };
    if (error instanceof RangeError) return { valid: false, errors: [{ path: "", message: "is nested too deeply to check" }] };
    throw error;
  }
};
