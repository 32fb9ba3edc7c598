/** Converts typebox's errors to the wire's `errors[]`: the place in the value, and what it must be. */
import type { TLocalizedValidationError } from "typebox/error";

/** `path` is a JSON pointer into the value; the whole value is "". */
export type SchemaError = { path: string; message: string };

const MAX_SHOWN_VALUES = 20;
const MAX_SHOWN_CHARACTERS = 100;

/** The most specific first: an error of a combinator only if nothing inside it says more. */
export const describeErrors = (errors: TLocalizedValidationError[]): SchemaError[] => {
  const described = errors.map((error) => ({ path: error.instancePath, message: describe(error), keyword: error.keyword }));
  const plain = described.filter((error) => !isSummary(error.keyword));
  const chosen = plain.length > 0 ? plain : described;
  const unique = new Map(chosen.map(({ path, message }) => [`${path}\n${message}`, { path, message }]));
  return unique.size > 0 ? [...unique.values()] : [{ path: "", message: "does not fit the schema" }];
};

/** Errors of `if` and of a false schema are explained better by those beside them. */
const isSummary = (keyword: string): boolean => keyword === "if" || keyword === "boolean";

const describe = (error: TLocalizedValidationError): string => {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === "additionalProperties" && Array.isArray(params["additionalProperties"])) {
    return `must not have the additional properties ${quoteAll(params["additionalProperties"])}`;
  }
  if (error.keyword === "enum" && Array.isArray(params["allowedValues"])) {
    return `must be one of ${quoteAll(params["allowedValues"])}`;
  }
  if (error.keyword === "const" && "allowedValue" in params) return `must be ${JSON.stringify(params["allowedValue"])}`;
  return error.message;
};

const quoteAll = (values: unknown[]): string =>
  values
    .slice(0, MAX_SHOWN_VALUES)
    .map((value) => JSON.stringify(value).slice(0, MAX_SHOWN_CHARACTERS))
    .join(", ") + (values.length > MAX_SHOWN_VALUES ? ", …" : "");
