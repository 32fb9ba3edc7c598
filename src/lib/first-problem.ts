/** Turns the first mismatch of a TypeBox schema into a sentence and a dotted path: what was wrong, where, and what it may be. */

import { Kind, type TSchema } from "@sinclair/typebox";
import { Value, type ValueError } from "@sinclair/typebox/value";
import { isRecord } from "./is-record.ts";
import { unescapeStep } from "./json-pointer.ts";
import { NO_DOTS_ALONE } from "./session-id.ts";

type Problem = { path: string; message: string };

export const firstProblem = (schema: TSchema, value: unknown, at: string[] = []): Problem => {
  const first = Value.Errors(schema, value).First();
  if (first === undefined) return { path: at.join("."), message: "The value does not fit." };
  const error = first.value === undefined ? (wrongTypeBeside(schema, value, first.path) ?? first) : first;
  const path = [...at, ...error.path.split("/").slice(1).map(unescapeStep)];
  if (error.schema[Kind] === "Union") {
    const inner = meantVariant(error.schema, error.value);
    if (inner !== undefined) return firstProblem(inner, error.value, path);
    const tag = wrongTag(variantsOf(error.schema), error.value);
    if (tag !== undefined) return problemAt([...path, tag.field], anyOf(tag.choices), tag.given);
  }
  if (!error.message.startsWith("Unexpected property")) return problemAt(path, expectation(error.schema), error.value);
  const name = path.join(".");
  return { path: name, message: `\`${name}\` is not a known field.` };
};

const problemAt = (path: string[], expected: string, given: unknown): Problem => {
  const name = path.join(".") || "the body";
  const problem = given === undefined ? `is required: ${expected}` : `must be ${expected}; it was ${shown(given)}`;
  return { path: name, message: `\`${name}\` ${problem}.` };
};

const anyOf = (choices: readonly string[]): string =>
  `one of ${[...new Set(choices)].map((choice) => JSON.stringify(choice)).join(", ")}`;

/** If the object with the missing field also has the wrong `type`, returns the error for `type`, which explains the other. */
const wrongTypeBeside = (schema: TSchema, value: unknown, missing: string): ValueError | undefined => {
  const parent = missing.slice(0, missing.lastIndexOf("/"));
  if (parent === "") return undefined;
  for (const error of Value.Errors(schema, value)) {
    if (!error.path.startsWith(`${parent}/`)) return undefined;
    if (error.path === `${parent}/type` && error.schema["const"] !== undefined) return error;
  }
  return undefined;
};

/** All variants of a union, including those of nested unions. */
const variantsOf = (schema: TSchema): TSchema[] =>
  schema[Kind] === "Union" ? (schema["anyOf"] as TSchema[]).flatMap(variantsOf) : [schema];

/** The fields that tell the variants of a union apart. */
const TAGS = ["type", "role"];
const tagOf = (variant: TSchema, field: string): TSchema | undefined => variant["properties"]?.[field];

/**
 * The variant of a union that the caller seems to have meant: the one with the same `type` or `role`, the only one that has it, else the
 * only one of the same JSON kind.
 */
export const meantVariant = (union: TSchema, value: unknown): TSchema | undefined => {
  const variants = variantsOf(union);
  if (isRecord(value)) {
    for (const field of TAGS.filter((name) => value[name] !== undefined)) {
      const bearers = variants.filter((variant) => tagOf(variant, field) !== undefined);
      const found = bearers.length === 1 ? bearers[0] : bearers.find((each) => Value.Check(tagOf(each, field)!, value[field]));
      if (found !== undefined) return found;
    }
    // No known tag: the complaint is about the tag itself.
    if (variants.some((variant) => TAGS.some((field) => tagOf(variant, field) !== undefined))) return undefined;
  }
  const kind = Array.isArray(value) ? "array" : typeof value;
  const sameKind = variants.filter((variant) => variant["type"] === kind && variant["const"] === undefined);
  return sameKind.length === 1 ? sameKind[0] : undefined;
};

type Tag = { field: string; choices: string[]; given: unknown };

/** If every object variant has a `type` (or a `role`) and the value names none of them, that field is the problem. */
const wrongTag = (variants: TSchema[], value: unknown): Tag | undefined => {
  if (!isRecord(value)) return undefined;
  const objects = variants.filter((variant) => variant["type"] === "object");
  for (const field of TAGS) {
    const given = value[field];
    const tags = objects.flatMap((variant) => tagOf(variant, field) ?? []);
    const choices = tags.map(constantsOf);
    // If a variant takes any word as its tag, a wrong tag cannot be told, but a missing one can.
    const isListed = given === undefined ? choices.flat().length > 0 : choices.every((some) => some.length > 0);
    if (tags.length > 0 && tags.length === objects.length && isListed) return { field, choices: choices.flat(), given };
  }
  return undefined;
};

const constantsOf = (schema: TSchema): string[] =>
  schema["const"] !== undefined ? [schema["const"]] : ((schema["anyOf"] ?? []) as TSchema[]).flatMap(constantsOf);

/** Patterns, described in words. */
const SAID: Record<string, string> = {
  "\\S": " that is not blank",
  "^[!-~]+$": " in ASCII, without spaces",
  "^https?://": " that begins with http:// or https://",
  "^(?:https?://|env:)": " that begins with http://, https:// or env:",
  "^\\d{4}-\\d{2}-\\d{2}$": " such as 2027-01-14",
  "^\\d{4}-(0[1-9]|1[0-2])$": " such as 2026-11",
  "^(?!sch_)[A-Za-z0-9][A-Za-z0-9._-]{0,99}$":
    " of up to 100 letters, digits, dots, dashes and underscores, which begins with a letter or digit, and not with sch_",
  [NO_DOTS_ALONE]: ' other than "." and ".."',
};

const matching = (pattern: string | undefined): string =>
  pattern === undefined ? "" : (SAID[pattern] ?? ` matching ${pattern}`);

/** What a schema takes, as the end of a sentence. */
const expectation = (schema: TSchema): string => {
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (schema["anyOf"] !== undefined) return unionExpectation(schema["anyOf"] as TSchema[]);
  switch (schema["type"]) {
    case "string":
      return `a string${range(schema["minLength"], schema["maxLength"], "character")}${matching(schema["pattern"])}`;
    case "integer":
      return `a whole number${range(schema["minimum"], schema["maximum"])}`;
    case "number":
      if (schema["exclusiveMinimum"] !== undefined) return `a number above ${schema["exclusiveMinimum"]}`;
      return `a number${range(schema["minimum"], schema["maximum"])}`;
    case "boolean":
      return "true or false";
    case "array":
      return `an array${range(schema["minItems"], schema["maxItems"], "item")}`;
    case "object":
      return "an object";
    case "null":
      return "null";
    default:
      return "a different value";
  }
};

const unionExpectation = (variants: TSchema[]): string => {
  const field = TAGS.find((name) => variants.every((variant) => tagOf(variant, name)?.["const"] !== undefined));
  if (field !== undefined)
    return `an object whose \`${field}\` is ${anyOf(variants.map((variant) => tagOf(variant, field)!["const"]))}`;
  const constants = variants.every((variant) => variant["const"] !== undefined);
  return `${constants ? "one of " : ""}${[...new Set(variants.map(expectation))].join(constants ? ", " : " or ")}`;
};

const range = (least: number | undefined, most: number | undefined, unit?: string): string => {
  const counted = (count: number): string => (unit === undefined ? `${count}` : `${count} ${unit}${count === 1 ? "" : "s"}`);
  if (least !== undefined && least === most) return ` of ${counted(least)}`;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${counted(most)}`;
  if (least !== undefined) return ` of at least ${counted(least)}`;
  if (most !== undefined) return ` of at most ${counted(most)}`;
  return "";
};

const shown = (value: unknown): string => {
  // JSON writes Infinity, which a too large number is read as, as null.
  const text = typeof value === "number" ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};
