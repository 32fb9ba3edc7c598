/**
 * Spends the worst-case cost of a check before it begins: each schema applies to each matching part of the value, so a schema of 64 KB
 * could look at a value of 1 MB a billion times. References spend separately, when they are followed.
 */

import { isContainer, isRecord } from "../../lib/is-record.ts";
import { type Meter, spend } from "./meter.ts";
import { SCHEMA_KEYWORDS } from "./schema-keywords.ts";
import { type Draft, type SchemaObject, standsAlone, subschemas, timesOfContains } from "./subschemas.ts";

/** The price, in the meter's steps, of applying a schema to a value, looking up a name, or comparing a part of a constant or list. */
const STEPS_PER_LOOK = 10;
const STEPS_PER_NAME = 5;
const STEPS_PER_PART = 30;

/** A schema's own steps, and which of its subschemas apply where. */
type Plan = {
  steps: number;
  same: SchemaObject[];
  items: SchemaObject[];
  itemsByPlace: SchemaObject[];
  properties: SchemaObject[];
  propertiesByName: [string, SchemaObject][];
  names: SchemaObject[];
};

export const createLooks = (draft: Draft) => {
  const plans = new WeakMap<object, Plan>();
  const planned = (schema: SchemaObject): Plan => {
    let plan = plans.get(schema);
    if (plan === undefined) {
      plan = planOf(schema);
      plans.set(schema, plan);
    }
    return plan;
  };

  /** Throws WorkExceeded. */
  const spendLooks = (meter: Meter, schema: unknown, value: unknown): void => {
    if (!isRecord(schema) || standsAlone(schema, draft)) return;
    const plan = planned(schema);
    spend(meter, plan.steps + stepsOf(schema, value));
    for (const child of plan.same) spendLooks(meter, child, value);
    if (Array.isArray(value)) {
      for (const child of plan.items) for (const item of value) spendLooks(meter, child, item);
      for (const [index, child] of plan.itemsByPlace.entries()) if (index < value.length) spendLooks(meter, child, value[index]);
    } else if (isRecord(value)) {
      for (const [name, child] of plan.propertiesByName) if (Object.hasOwn(value, name)) spendLooks(meter, child, value[name]);
      for (const child of plan.properties) for (const part of Object.values(value)) spendLooks(meter, child, part);
      for (const child of plan.names) for (const name of Object.keys(value)) spendLooks(meter, child, name);
    }
  };
  return spendLooks;
};

const planOf = (schema: SchemaObject): Plan => {
  const children = [...subschemas(schema, "")].flatMap(([keyword, child]) =>
    isRecord(child)
      ? Array.from({ length: keyword === "contains" ? timesOfContains(schema) : 1 }, () => ({ keyword, child }))
      : [],
  );
  const isByPlace = (keyword: string): boolean => keyword === "items" && Array.isArray(schema["items"]);
  const applyingTo = (what: string): SchemaObject[] =>
    children
      .filter(({ keyword }) => (isByPlace(keyword) ? "items by place" : SCHEMA_KEYWORDS.get(keyword)!.appliesTo) === what)
      .map(({ child }) => child);
  return {
    steps: constantSteps(schema),
    same: applyingTo("same"),
    items: applyingTo("items"),
    itemsByPlace: applyingTo("items by place"),
    properties: applyingTo("properties"),
    propertiesByName: Object.entries(schema["properties"] ?? {}).filter(([, child]) => isRecord(child)),
    names: applyingTo("names"),
  };
};

const constantSteps = (schema: SchemaObject): number => {
  const names = [schema["required"], ...Object.values(schema["dependentRequired"] ?? {})].flat().length;
  const constants = [...((schema["enum"] ?? []) as unknown[]), ...("const" in schema ? [schema["const"]] : [])];
  const comparing = constants.map((constant) => (isContainer(constant) ? STEPS_PER_PART * sizeOf(constant) : 1));
  // All alternatives of `oneOf` are tried, even after two fit.
  const exclusive = ((schema["oneOf"] ?? []) as unknown[]).length;
  return comparing.reduce((sum, steps) => sum + steps, STEPS_PER_LOOK + STEPS_PER_NAME * names + STEPS_PER_PART * exclusive);
};

/** The cost that depends on the value. */
const stepsOf = (schema: SchemaObject, value: unknown): number => {
  if (typeof value === "string") return "minLength" in schema || "maxLength" in schema ? value.length >> 2 : 0;
  if (Array.isArray(value)) {
    const looks = "unevaluatedItems" in schema || "contains" in schema ? value.length * STEPS_PER_LOOK : 0;
    return looks + (schema["uniqueItems"] === true ? sizeOf(value) * STEPS_PER_PART * 2 : 0);
  }
  const isCounted = "additionalProperties" in schema || "unevaluatedProperties" in schema || "propertyNames" in schema;
  return isCounted && isRecord(value) ? Object.keys(value).length * STEPS_PER_LOOK : 0;
};

/** The number of parts of a value; a long text counts as several. */
const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return 1 + (value.length >> 4);
  if (!isContainer(value)) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + sizeOf(child), 1);
};
