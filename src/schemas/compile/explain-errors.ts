/** Finds out where a value does not fit its schema, and why. */

import { Errors } from "typebox/schema";
import { isContainer } from "../../lib/is-record.ts";
import { describeErrors, type SchemaError } from "./describe-errors.ts";
import type { Preparation } from "./prepare-schema.ts";
import { prepareSource, type Source } from "./prepare-source.ts";

/** If the value has more property names than this, errors under `patternProperties` become one sentence. */
const MAX_EXPLAINED_NAMES = 2_000;

type Explain = (source: Source, preparation: Preparation, value: unknown) => SchemaError[];

export const explainPlainly: Explain = (source, preparation, value) =>
  describeErrors(Errors(...prepareSource(source, preparation), value)[1]);

/**
 * typebox explains errors with native regular expressions made of the keys of `patternProperties`, which a hostile schema could make
 * backtrack. For one value, each key can list the matching names of that value instead.
 */
export const explainByNames: Explain = (source, preparation, value) => {
  const names = [...collectNames(value, new Set())];
  if (names.length > MAX_EXPLAINED_NAMES) return [{ path: "", message: "does not fit the schema" }];
  const renamePatterns = (patterns: string[]): string[] =>
    patterns.map((pattern, index) => {
      const matching = preparation.patternOf(pattern);
      const literals = names.filter((name) => matching.test(name)).map(escapeLiteral);
      const unique = "(?:)".repeat(index);
      return literals.length === 0 ? `(?!)${unique}` : `^(?:${literals.join("|")})$${unique}`;
    });
  return explainPlainly(source, { ...preparation, renamePatterns }, value);
};

const collectNames = (value: unknown, into: Set<string>): Set<string> => {
  if (into.size > MAX_EXPLAINED_NAMES || !isContainer(value)) return into;
  for (const [key, child] of Object.entries(value)) {
    if (!Array.isArray(value)) into.add(key);
    collectNames(child, into);
  }
  return into;
};

const escapeLiteral = (name: string): string => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
