/** Values for a JSON Schema of the OpenAPI document: ones that fit, ones at the edge, and ones that do not fit in some telling way. */

import type { Random } from "../random.ts";

export type Schema = Record<string, any>;

const TEXTS = [
  "",
  " ",
  "a",
  "Hello, what is a signal box?",
  "Ünïcödé 🚂 ﷽ 中文 עברית",
  "e\u0301\u200b\u202e",
  "\u0000",
  "\ud800",
  "'; DROP TABLE calls; --",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "%00%ff",
  "-1",
  "NaN",
  "__proto__",
  "a".repeat(300),
  "long ".repeat(2_000),
];
const NUMBERS = [0, -0, 1, -1, 0.5, 1e-9, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 4, 100];
const STRANGERS: unknown[] = [null, true, false, 0, -1, 1.5, "", "text", [], [null], {}, { a: 1 }, [[[[]]]]];

/** Mostly what fits; `wildness` is the share of places where something else stands. */
export const generateValue = (schema: Schema, random: Random, wildness = 0, depth = 0): unknown => {
  if (random.chance(wildness)) return random.pick(STRANGERS);
  if (schema["const"] !== undefined) return schema["const"];
  if (schema["enum"] !== undefined) return random.pick(schema["enum"]);
  const variants = (schema["anyOf"] ?? schema["oneOf"]) as Schema[] | undefined;
  if (variants !== undefined) return generateValue(random.pick(variants), random, wildness, depth);
  switch (schema["type"]) {
    case "string":
      return generateText(schema, random);
    case "integer":
      return Math.trunc(generateNumber(schema, random));
    case "number":
      return generateNumber(schema, random);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "array":
      return generateArray(schema, random, wildness, depth);
    case "object":
      return generateObject(schema, random, wildness, depth);
    default:
      return random.pick(STRANGERS);
  }
};

const generateText = (schema: Schema, random: Random): string => {
  const least = (schema["minLength"] as number | undefined) ?? 0;
  const most = (schema["maxLength"] as number | undefined) ?? 20_000;
  if (random.chance(0.05)) return "x".repeat(Math.min(most + 1, 30_000));
  if (random.chance(0.1)) return "x".repeat(least);
  const text = random.pick(TEXTS);
  return text.length < least ? text.padEnd(least, "x") : text;
};

const generateNumber = (schema: Schema, random: Random): number => {
  const edges = [schema["minimum"], schema["maximum"], schema["exclusiveMinimum"], schema["default"]].filter(
    Number.isFinite,
  ) as number[];
  if (edges.length > 0 && random.chance(0.7)) return random.pick(edges) + random.pick([0, 0, 0, 1, -1]);
  return random.pick(NUMBERS);
};

const generateArray = (schema: Schema, random: Random, wildness: number, depth: number): unknown[] => {
  const length = random.pick([schema["minItems"] ?? 0, 1, 1, 2, 3]);
  return depth > 6 ? [] : Array.from({ length }, () => generateValue(schema["items"] ?? {}, random, wildness, depth + 1));
};

const generateObject = (schema: Schema, random: Random, wildness: number, depth: number): object => {
  const required = new Set<string>(schema["required"] ?? []);
  const members = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>).flatMap(([name, property]) => {
    const wanted = required.has(name) ? !random.chance(wildness) : depth < 5 && random.chance(0.35);
    return wanted ? [[name, generateValue(property, random, wildness, depth + 1)] as const] : [];
  });
  const extra = random.chance(wildness) ? [[random.pick(TEXTS), random.pick(STRANGERS)] as const] : [];
  return Object.fromEntries([...members, ...extra]);
};
