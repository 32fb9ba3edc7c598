/** Text bounded in characters as people and JSON Schema count them: an emoji is one, though it takes two places in a string. */

import { Kind, Type, TypeRegistry } from "@sinclair/typebox";

type BoundedText = { minLength?: number; maxLength: number; pattern?: string };

/** Registered where a schema is made, so that whoever holds one can check it. */
export const boundedText = (bounds: BoundedText) => {
  if (!TypeRegistry.Has(KIND)) TypeRegistry.Set<BoundedText>(KIND, fits);
  return Type.Unsafe<string>({ [Kind]: KIND, type: "string", ...bounds });
};

const KIND = "BoundedText";

const fits = ({ minLength = 0, maxLength, pattern }: BoundedText, value: unknown): boolean =>
  typeof value === "string" &&
  value.length <= 2 * maxLength &&
  countCharacters(value) >= minLength &&
  countCharacters(value) <= maxLength &&
  (pattern === undefined || new RegExp(pattern).test(value));

/** Characters, not UTF-16 units. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};
