/**
 * Refuses, naming the place, a schema that is invalid, too large, has unresolvable references, or could run without end (safety-notes T3,
 * T4). Runs once per schema, before it is prepared for typebox.
 */
import { NextStack, Resolve, Stack, type XSchema } from "typebox/schema";
import { isContainer, isRecord } from "../../lib/is-record.ts";
import { boundFanOut } from "./bound-fan-out.ts";
import { checkPattern } from "./linear-pattern.ts";
import {
  boundSearch,
  type Referable,
  resolveReference,
  type TypeboxStack,
  urisOf,
  withoutFragment,
} from "./resolve-reference.ts";
import { appliesInPlace, KEYWORD_RULES } from "./schema-keywords.ts";
import {
  type Draft,
  escapePointer,
  invalidSchema,
  type SchemaObject,
  standsAlone,
  subschemas,
  timesOfContains,
} from "./subschemas.ts";
import { PatternError } from "./translate-pattern.ts";

type Inspected = {
  /** Maps a schema with a reference to its possible targets. */
  targets: ReadonlyMap<object, unknown[]>;
  /** Whether a part of the schema has an `$id`. */
  hasParts: boolean;
  /** What it takes typebox to look up a reference while it explains errors, in the meter's steps. */
  lookUpSteps: number;
  /** Whether this object is a schema; others hold whatever their keyword is for. */
  isSchema(value: object): boolean;
  /** Of all patterns, in RE2 instructions. */
  programSize: number;
};

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 32;
const MAX_NODES = 1_000;
/** How many subschemas typebox may compile; it compiles that of `contains` once for each of its bounds. */
const MAX_COMPILED = 10_000;
/** All patterns together, in RE2 instructions. */
const MAX_PROGRAM_SIZE = 100_000;

type Inspection = {
  draft: Draft;
  /** Whether the schema names its draft; if not, keywords of the other draft are accepted as well. */
  isNamed: boolean;
  places: Map<object, string>;
  /** Maps a schema to those that look at the same value. */
  inPlace: Map<object, object[]>;
  targets: Map<object, unknown[]>;
  references: { from: SchemaObject; place: string; depth: number; stack: TypeboxStack }[];
  referable: Referable;
  trusted: ReadonlySet<object>;
  programSize: number;
  compiled: number;
};

/**
 * Resolves each reference of a schema that passed `schemaText`. Throws ApiError 400 with `param` `schema`. `documents`: further schemas, by
 * URI, that `$ref` may name; their own references are not among the targets.
 */
export const inspectSchema = (schema: unknown, draft: Draft, documents: Record<string, XSchema>): Inspected => {
  const targets = new Map<object, unknown[]>();
  if (!isRecord(schema)) return { targets, hasParts: false, lookUpSteps: 0, isSchema: () => false, programSize: 0 };
  const trusted = new Set<object>();
  for (const document of Object.values(documents)) collectObjects(document, trusted);
  const stack = guarded("", () => Stack(documents, schema as XSchema));
  const hasParts = JSON.stringify({ ...schema, $id: undefined }).includes('"$id":"');
  const uris = new Set([...Object.keys(documents).map(withoutFragment), ...urisOf(stack)]);
  const inspection: Inspection = {
    draft,
    isNamed: Object.hasOwn(schema, "$schema"),
    places: new Map(),
    inPlace: new Map(),
    targets,
    references: [],
    referable: { root: schema, uris, anchors: new Map(), names: 0, hasParts },
    trusted,
    programSize: 0,
    compiled: 0,
  };
  visitSchema(inspection, schema, { place: "", depth: 0, copies: 1, stack });
  const lookUpSteps = followReferences(inspection);
  boundFanOut(inspection.places, inspection.inPlace);
  return {
    targets,
    hasParts,
    lookUpSteps,
    isSchema: (value) => inspection.places.has(value),
    programSize: inspection.programSize,
  };
};

/** Returns what it takes to look one of them up, in the meter's steps. What stands in an unknown keyword is found only by a reference. */
const followReferences = (inspection: Inspection): number => {
  const { referable, references } = inspection;
  let lookUpSteps = 0;
  let bounded = 0;
  for (const reference of references) {
    if (references.length > bounded) {
      lookUpSteps = boundSearch(
        referable,
        references.map(({ from }) => from),
      );
      bounded = references.length;
    }
    followReference(inspection, reference);
  }
  return lookUpSteps;
};

/** The schema as JSON. Throws ApiError 400 if it is no schema, or too large. */
export const schemaText = (schema: unknown): string => {
  if (!isRecord(schema) && typeof schema !== "boolean") throw invalidSchema("", "must be an object or a boolean");
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > MAX_BYTES) throw invalidSchema("", `is larger than ${MAX_BYTES / 1024} KB`);
  return text;
};

const collectObjects = (value: unknown, into: Set<object>): void => {
  if (!isContainer(value)) return;
  into.add(value);
  for (const child of Object.values(value)) collectObjects(child, into);
};

/** Turns typebox's errors about URIs or deep nesting into a refusal that names the place. */
const guarded = <T>(place: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw invalidSchema(place, error instanceof RangeError ? "is nested too deeply" : "holds a URI that cannot be read");
  }
};

/** `copies`: how often typebox compiles what stands here. `stack`: that of the schema around it. */
type Position = { place: string; depth: number; copies: number; stack: TypeboxStack };

const visitSchema = (inspection: Inspection, schema: unknown, { place, depth, copies, stack: outer }: Position): void => {
  if (typeof schema === "boolean") return;
  if (!isRecord(schema)) throw invalidSchema(place, "must be a schema (an object or a boolean)");
  if (inspection.places.has(schema)) return;
  inspection.places.set(schema, place);
  inspection.compiled += copies;
  if (inspection.places.size > MAX_NODES) throw invalidSchema("", `has more than ${MAX_NODES} subschemas`);
  if (depth > MAX_DEPTH) throw invalidSchema(place, `is nested more than ${MAX_DEPTH} levels deep`);
  if (inspection.compiled > MAX_COMPILED) throw invalidSchema(place, "is nested in too many bounds of `contains`");
  for (const [keyword, value] of Object.entries(schema)) checkKeyword(inspection, keyword, value, place);
  if (["$id", "$anchor", "$dynamicAnchor"].some((keyword) => Object.hasOwn(schema, keyword))) inspection.referable.names++;
  const alone = standsAlone(schema, inspection.draft);
  const stack = alone ? outer : guarded(place, () => NextStack(outer, schema));
  const { anchors, uris } = inspection.referable;
  if (Object.hasOwn(schema, "$id")) for (const uri of urisOf(stack)) uris.add(uri);
  for (const anchor of [schema["$dynamicAnchor"], schema["$anchor"]]) if (typeof anchor === "string") anchors.set(anchor, schema);
  for (const [keyword, child, childPlace] of subschemas(schema, place)) {
    const times = keyword === "contains" ? timesOfContains(schema) : 1;
    visitSchema(inspection, child, { place: childPlace, depth: depth + 1, copies: copies * times, stack });
    if (!alone && appliesInPlace(keyword)) addInPlace(inspection, schema, child);
  }
  if (schema["$ref"] !== undefined || schema["$dynamicRef"] !== undefined) {
    inspection.references.push({ from: schema, place, depth, stack });
  }
};

const checkKeyword = (inspection: Inspection, keyword: string, value: unknown, place: string): void => {
  const here = `${place}/${keyword}`;
  const rule = KEYWORD_RULES.get(keyword);
  if (rule && !rule.fits(value)) throw invalidSchema(here, rule.says);
  if (keyword === "items" && Array.isArray(value) && inspection.isNamed && inspection.draft === "2020-12") {
    throw invalidSchema(here, "must be one schema in 2020-12, where a list of them is called prefixItems");
  }
  if (keyword === "pattern") countPattern(inspection, value as string, here);
  if (keyword === "patternProperties" && isRecord(value)) {
    for (const pattern of Object.keys(value)) countPattern(inspection, pattern, `${here}/${escapePointer(pattern)}`);
  }
};

const countPattern = (inspection: Inspection, source: string, place: string): void => {
  try {
    inspection.programSize += checkPattern(source);
  } catch (error) {
    if (error instanceof PatternError) throw invalidSchema(place, `is refused: ${error.message}`);
    throw error;
  }
  if (inspection.programSize > MAX_PROGRAM_SIZE) throw invalidSchema(place, "makes the patterns too large together");
};

const addInPlace = (inspection: Inspection, from: object, to: unknown): void => {
  if (!isRecord(to)) return;
  const targets = inspection.inPlace.get(from);
  if (targets) targets.push(to);
  else inspection.inPlace.set(from, [to]);
};

type Reference = Inspection["references"][number];

/** Resolves references as typebox does, so that both agree; nothing is ever fetched. */
const followReference = (inspection: Inspection, { from, place, depth, stack }: Reference): void => {
  if (from["$ref"] !== undefined) {
    const here = `${place}/$ref`;
    const reference = from["$ref"] as string;
    const { target, stack: next } = guarded(here, () => resolveReference(inspection.referable, stack, reference));
    if (!isRecord(target) && typeof target !== "boolean") throw invalidSchema(here, unresolved(reference));
    if (isRecord(target) && !inspection.trusted.has(target))
      visitSchema(inspection, target, { place: here, depth, copies: 1, stack: next });
    addInPlace(inspection, from, target);
    inspection.targets.set(from, [target]);
  }
  if (from["$dynamicRef"] !== undefined && inspection.draft === "2020-12") {
    const here = `${place}/$dynamicRef`;
    const target = guarded(here, () => Resolve.DynamicRef(stack, from as { $dynamicRef: string }));
    if (target === undefined) throw invalidSchema(here, unresolved(from["$dynamicRef"] as string));
    // Which of several anchors is meant depends on the path taken to it.
    const anchored = [...inspection.places.keys()].filter((node) => "$dynamicAnchor" in node);
    inspection.targets.set(from, [...(inspection.targets.get(from) ?? []), target, ...anchored]);
  }
};

const unresolved = (target: string): string =>
  `refers to ${JSON.stringify(target.slice(0, 200))}, which is not inside this schema (other hosts are never asked)`;
