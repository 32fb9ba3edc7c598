/** Converts typebox's errors to the wire's `errors[]`: the place in the value, and what it must be. */
import type { TLocalizedValidationError } from "typebox/error";

/** `path` is a JSON pointer into the value; the whole value is "". */
export type SchemaError = { path: string; message: string };

const MAX_SHOWN_VALUES = 20;
const MAX_SHOWN_CHARACTERS = 100;

/** An error that only sums up others is left out where they are told. */
export const describeErrors = (errors: TLocalizedValidationError[]): SchemaError[] => {
  const plain = errors.filter((error) => !isSummary(error, errors));
  const chosen = (plain.length > 0 ? plain : errors).map((error) => ({ path: error.instancePath, message: describe(error) }));
  const unique = new Map(chosen.map((error) => [`${error.path}\n${error.message}`, error]));
  return unique.size > 0 ? [...unique.values()] : [{ path: "", message: "does not fit the schema" }];
};

/** Errors of `if` and of a false schema are explained better by those beside them, and properties of a wrong value by those inside. */
const isSummary = ({ keyword, schemaPath }: TLocalizedValidationError, errors: readonly TLocalizedValidationError[]): boolean =>
  keyword === "if" ||
  keyword === "boolean" ||
  (keyword === "additionalProperties" &&
    errors.some((error) => error.keyword !== "boolean" && error.schemaPath.startsWith(`${schemaPath}/additionalProperties`)));

const describe = ({ keyword, message, params }: TLocalizedValidationError): string => {
  const given = params as Record<string, unknown>;
  const named = given[keyword];
  if (keyword === "additionalProperties" && Array.isArray(named))
    return `must not have the additional properties ${quoteAll(named)}`;
  if (keyword === "unevaluatedProperties" && Array.isArray(named))
    return `must not have unevaluated properties ${quoteAll(named)}`;
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
