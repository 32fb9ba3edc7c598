/** Builds an instance of a JSON Schema (draft-07 or 2020-12) from what a text says. */

import { isRecord } from "../../../lib/is-record.ts";
import { listAt, numberAt, recordAt, textAt } from "../../../lib/json-at.ts";
import { chooseLabel, moodOf } from "../text/choose-label.ts";
import { factsFor } from "../text/facts-for-key.ts";
import { type Facts, readFacts } from "../text/read-facts.ts";
import { createCheck } from "./check-instance.ts";
import { booleanFor } from "./fill-boolean.ts";
import { numberFor } from "./fill-number.ts";
import { stringFor } from "./fill-string.ts";
import { mergeSchemas, resolveRef, type Schema, typesOf } from "./merge-schemas.ts";
import { createPatterns, type Patterns } from "./patterns.ts";

/** Instances tried until one is valid: three with the text's values, three with required members only, each with other branches of the choices. */
const VARIANTS = 6;
const MAX_DEPTH = 24;
/** Below this depth only what is required is built, so that recursive schemas end. */
const GENEROUS_DEPTH = 4;
/** Schemas applied; one with many properties, and a long text, count as several. */
const MAX_NODES = 5_000;
const PROPERTIES_A_NODE = 8;
const CHARACTERS_A_NODE = 64;
const MAX_ITEMS = 1_000;
/** After so many values in a row that it has, a list without repeats ends. */
const MOST_TRIES = 30;
/** As much as the gateway takes as a schema; the parameters of a tool may be longer. */
const MAX_SCHEMA_CHARACTERS = 64 * 1024;

type Building = {
  root: unknown;
  patterns: Patterns;
  /** Undefined: only required members are built, and without the text. */
  facts: Facts | undefined;
  /** Which branch of each choice is taken. */
  branch: number;
  left: { nodes: number };
  /** Which of the values that a place may have, where several shall differ. */
  nth: number;
  /** The member chosen from an `enum`, by the key of the field. */
  chosen: Map<readonly unknown[], Map<string, unknown>>;
};

/**
 * If no variant is valid (a contradiction, keywords that the builder does not know, or a schema that takes too much work), returns the
 * first.
 */
export function schemaInstance(schema: unknown, text: string): unknown {
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) return {};
  const isValid = createCheck(schema);
  const patterns = createPatterns();
  let first: unknown;
  for (let variant = 0; variant < VARIANTS; variant += 1) {
    const facts = variant < VARIANTS / 2 ? readFacts(text) : undefined;
    const branch = variant % (VARIANTS / 2);
    const building: Building = { root: schema, patterns, facts, branch, left: { nodes: MAX_NODES }, nth: 0, chosen: new Map() };
    const value = build(schema, "", 0, building);
    if (variant === 0) first = value;
    if (isValid(value)) return value;
  }
  return first;
}

function build(schema: unknown, key: string, depth: number, building: Building): unknown {
  building.left.nodes -= 1;
  if (!isRecord(schema) || depth > MAX_DEPTH || building.left.nodes < 0) return schema === false ? null : "text";
  const plain = resolveChoices(schema, building, 0);
  if ("const" in plain) return plain["const"];
  if (Array.isArray(plain["enum"])) return chooseMember(plain["enum"], key, building) ?? null;
  const types = typesOf(plain);
  const type = types[building.branch % types.length] ?? "null";
  const nullable = plain["nullable"] === true || types.includes("null");
  switch (type) {
    case "object":
      return buildObject(plain, depth, building);
    case "array":
      return buildArray(plain, key, depth, building);
    case "integer":
    case "number":
      return numberFor(plain, key, building.facts, type === "integer", building.nth);
    case "boolean":
      return booleanFor(key, building.facts) !== (building.nth % 2 === 1);
    case "null":
      return null;
    default: {
      const text = stringFor(plain, key, building, nullable);
      building.left.nodes -= (text?.length ?? 0) / CHARACTERS_A_NODE;
      return text ?? null;
    }
  }
}

/** A flat schema: follows references, merges `allOf`, and takes one branch of each choice. */
function resolveChoices(schema: Schema, building: Building, depth: number): Schema {
  building.left.nodes -= 1 + Object.keys(schema["properties"] ?? {}).length / PROPERTIES_A_NODE;
  if (depth > MAX_DEPTH || building.left.nodes < 0) return schema;
  let { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...plain } = schema;
  const fold = (part: unknown): void => {
    if (isRecord(part)) plain = mergeSchemas(plain, resolveChoices(part, building, depth + 1));
  };
  if (typeof $ref === "string") fold(resolveRef(building.root, $ref));
  listAt(allOf).forEach(fold);
  for (const choices of [anyOf, oneOf]) fold(chooseBranch(listAt(choices), building.branch));
  if (condition !== undefined) fold(building.branch % 2 === 0 ? then : otherwise);
  return plain;
}

/** `null` comes last, because a value is more useful. */
function chooseBranch(choices: readonly unknown[], branch: number): unknown {
  const isNull = (choice: unknown): boolean => isRecord(choice) && choice["type"] === "null";
  const ordered = [...choices.filter((choice) => !isNull(choice)), ...choices.filter(isNull)];
  return ordered[branch % ordered.length];
}

/** The member of an `enum` that fits the text, or the next one in a later variant. Looked up once for all items of a list. */
function chooseMember(members: readonly unknown[], key: string, building: Building): unknown {
  const { facts, chosen, branch, nth } = building;
  const remembered = (found: Facts): unknown =>
    chosen.getOrInsertComputed(members, () => new Map()).getOrInsertComputed(key, () => memberFor(members, key, found));
  const first = branch > 0 || facts === undefined ? branch : members.indexOf(remembered(facts));
  return members[(first + nth) % Math.max(1, members.length)];
}

/** The member that the text gives for the key, its mood, a member it mentions, or else the label that fits best. */
function memberFor(members: readonly unknown[], key: string, facts: Facts): unknown {
  const text = facts.text.toLowerCase();
  const mood = moodOf(text);
  const named = members.filter((member) => typeof member === "string" && member !== "");
  const said = facts.said(key)?.toLowerCase();
  const fromText =
    named.find((member) => said?.startsWith(String(member).toLowerCase())) ??
    named.find((member) => text !== "" && String(member).toLowerCase() === mood) ??
    named.find((member) => text.includes(String(member).toLowerCase()));
  if (fromText !== undefined) return fromText;
  return named.length === members.length && named.length > 1 ? chooseLabel(named.map(String), facts.text) : members[0];
}

function buildObject(schema: Schema, depth: number, building: Building): Record<string, unknown> {
  const properties = recordAt(schema, "properties");
  const required = new Set(listAt(schema, "required").filter((key) => typeof key === "string"));
  const isGenerous = building.facts !== undefined && depth < GENEROUS_DEPTH;
  const optional = Object.keys(properties).filter((key) => isGenerous && !required.has(key) && properties[key] !== false);
  const room = Math.max(0, (numberAt(schema, "maxProperties") ?? Number.POSITIVE_INFINITY) - required.size);
  const taken = new Set(optional.slice(0, room));
  const known = Object.keys(properties).filter((key) => required.has(key) || taken.has(key));
  const wanted = new Set([...known, ...required]);
  const least = Math.min(numberAt(schema, "minProperties") ?? 0, MAX_ITEMS);
  if (wanted.size < least) for (const key of extraKeys(schema, building.patterns)) if (wanted.add(key).size >= least) break;
  const others = Object.values(recordAt(schema, "patternProperties"))[0] ?? schema["additionalProperties"] ?? true;
  const schemaOf = (key: string): unknown => (Object.hasOwn(properties, key) ? properties[key] : others);
  return Object.fromEntries([...wanted].map((key) => [key, build(schemaOf(key), key, depth + 1, building)]));
}

/** Names for additional members, which match the schema's pattern for them. */
function* extraKeys(schema: Schema, patterns: Patterns): Generator<string> {
  const pattern = textAt(schema, "propertyNames", "pattern") || Object.keys(recordAt(schema, "patternProperties"))[0] || "";
  const named = pattern === "" ? undefined : patterns(pattern);
  for (let nth = 0, name = named?.instance(); name !== undefined; name = named?.instance(0, undefined, ++nth)) yield name;
  for (let number = 1; number <= MAX_ITEMS; number += 1) yield `extra${number}`;
}

function buildArray(schema: Schema, key: string, depth: number, building: Building): unknown[] {
  const tuple = [schema["prefixItems"], schema["items"]].find(Array.isArray) as unknown[] | undefined;
  const itemSchema = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  const least = Math.min(numberAt(schema, "minItems") ?? 0, MAX_ITEMS);
  const most = Math.min(numberAt(schema, "maxItems") ?? MAX_ITEMS, MAX_ITEMS);
  const items: unknown[] = [];
  const seen = schema["uniqueItems"] === true ? new Set<string>() : undefined;
  /** False if the list has each value already that was tried. */
  const add = (part: unknown): boolean => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const nth = building.nth + (tries === 0 ? 0 : items.length + tries - 1);
      const item = build(part, key, depth + 1, { ...building, nth });
      if (seen?.has(JSON.stringify(item))) continue;
      seen?.add(JSON.stringify(item));
      return items.push(item) > 0;
    }
    return false;
  };
  (tuple ?? []).slice(0, most).forEach(add);
  const count = Math.min(most, Math.max(least, items.length, tuple ? 0 : wantedItems(itemSchema, key, depth, building)));
  const contained = isRecord(schema["contains"]) ? (numberAt(schema, "minContains") ?? 1) : 0;
  for (let i = 0; i < Math.min(contained, most); i += 1) add(schema["contains"]);
  while (items.length < count && itemSchema !== false) if (!add(itemSchema ?? true)) break;
  return items;
}

/** As many items as the text has facts for; one if it has none. */
function wantedItems(item: unknown, key: string, depth: number, { facts }: Building): number {
  if (depth >= GENEROUS_DEPTH) return 0;
  if (!facts) return 1;
  const properties = Object.keys(recordAt(item, "properties"));
  const keys = properties.length > 0 ? properties : [key];
  return Math.min(10, Math.max(1, ...keys.map((name) => factsFor(name, facts).length)));
}
