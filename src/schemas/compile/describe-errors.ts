/** Converts typebox's errors to the wire's `errors[]`: the place in the value, and what it must be. */
import type { TLocalizedValidationError } from "typebox/error";
import { unescapeStep } from "../../lib/json-pointer.ts";

/** `path` is a JSON pointer into the value; the whole value is "". */
export type SchemaError = { path: string; message: string };

const MAX_SHOWN_VALUES = 20;
const MAX_SHOWN_CHARACTERS = 100;

type Problem = TLocalizedValidationError;

/** An error that only sums up others is left out where they are told. */
export const describeErrors = (errors: Problem[]): SchemaError[] => {
  const plain = errors.filter((error) => !isSummary(error, errors));
  const chosen = (plain.length > 0 ? plain : errors).map((error) => placed(error, errors));
  const unique = new Map(chosen.map((error) => [`${error.path}\n${error.message}`, error]));
  return unique.size > 0 ? [...unique.values()] : [{ path: "", message: "does not fit the schema" }];
};

/** A false schema is told by the keyword that holds it; a condition, and what all properties must be, by what is wrong inside. */
const isSummary = (error: Problem, errors: readonly Problem[]): boolean => {
  if (error.keyword === "if") return true;
  if (error.keyword === "boolean") return errors.some((other) => other.keyword !== "boolean" && isInside(error, other));
  return PROPERTY_KEYWORDS.has(error.keyword) && errors.some((other) => other.keyword !== "boolean" && isInside(other, error));
};
const PROPERTY_KEYWORDS = new Set(["additionalProperties", "propertyNames"]);

/** Whether the first is an error in the schema that the second's keyword holds. */
const isInside = ({ schemaPath }: Problem, outer: Problem): boolean =>
  schemaPath.startsWith(`${outer.schemaPath}/${outer.keyword}`);

/** What is wrong with a name is told of the object that has it: typebox would tell it of the name's value. */
const placed = (error: Problem, errors: readonly Problem[]): SchemaError => {
  const message = describe(error);
  const object = errors.find((other) => other.keyword === "propertyNames" && isInside(error, other));
  if (object === undefined) return { path: error.instancePath, message };
  const name = unescapeStep(error.instancePath.slice(object.instancePath.length + 1));
  return { path: object.instancePath, message: `must not have a property named ${quoteAll([name])}: the name ${message}` };
};

const describe = ({ keyword, message, params }: Problem): string => {
  const given = params as Record<string, unknown>;
  const named = given[keyword];
  if (keyword === "additionalProperties" && Array.isArray(named))
    return `must not have the additional properties ${quoteAll(named)}`;
  if (keyword === "unevaluatedProperties" && Array.isArray(named))
    return `must not have unevaluated properties ${quoteAll(named)}`;
  if (keyword === "propertyNames" && Array.isArray(named)) return `must not have properties named ${quoteAll(named)}`;
  if (keyword === "enum" && Array.isArray(given["allowedValues"])) return `must be one of ${quoteAll(given["allowedValues"])}`;
  if (keyword === "const" && "allowedValue" in given) return `must be ${JSON.stringify(given["allowedValue"])}`;
  if (keyword === "contains") return `must hold ${countOf(given)} of the items that \`contains\` describes`;
  if (keyword === "boolean") return "must not be there";
  if (keyword === "if") return "must fit the schema that its condition selects";
  return message;
};

const countOf = ({ minContains, maxContains }: Record<string, unknown>): string =>
  `at least ${minContains}${maxContains === undefined ? "" : ` and at most ${maxContains}`}`;

const quoteAll = (values: unknown[]): string =>
  values
    .slice(0, MAX_SHOWN_VALUES)
    .map((value) => JSON.stringify(value).slice(0, MAX_SHOWN_CHARACTERS))
    .join(", ") + (values.length > MAX_SHOWN_VALUES ? ", …" : "");
