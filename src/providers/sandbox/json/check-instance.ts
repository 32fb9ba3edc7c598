/** Whether a built value fits its schema. The work is bounded, because a small recursive schema can keep a validator busy for ever. */

import { Check } from "typebox/schema";
import { isContainer } from "../../../lib/is-record.ts";

/** How many keywords the validator may read, some hundredths of a second. */
const MOST_LOOKS = 300_000;
const MAX_DEPTH = 64;

/** Returns a check that says true, too, if the validator cannot tell or has used up its looks. */
export function createCheck(schema: unknown): (value: unknown) => boolean {
  let looksLeft = MOST_LOOKS;
  const look: Look = (member) => {
    looksLeft -= 1;
    if (looksLeft < 0) throw new Error("Checking the value takes too many looks.");
    return member;
  };
  const metered = meteredCopy(schema, look, 0) as Parameters<typeof Check>[0];
  return (value) => {
    try {
      return Check(metered, value);
    } catch {
      return true;
    }
  };
}

type Look = (member: unknown) => unknown;

/**
 * The schema with members that call `look` when they are read, and without patterns: the validator would run them on a backtracking
 * engine, the builder matches them in linear time. Below MAX_DEPTH anything fits.
 */
function meteredCopy(schema: unknown, look: Look, depth: number): unknown {
  if (!isContainer(schema)) return schema;
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(schema)) return schema.map((item) => meteredCopy(item, look, depth + 1));
  const copy = {};
  for (const [key, member] of Object.entries(schema)) {
    if ((key === "pattern" && typeof member === "string") || key === "patternProperties") continue;
    const value = meteredCopy(member, look, depth + 1);
    Object.defineProperty(copy, key, { enumerable: true, get: () => look(value) });
  }
  return copy;
}
