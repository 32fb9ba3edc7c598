/** The native form of a schema in Anthropic's `output_config`. */

import { isRecord } from "../../lib/is-record.ts";
import { valueAtPointer } from "../../lib/json-pointer.ts";
import {
  anySchema,
  BOUNDS,
  HELD_FORMATS,
  hasNoClosedForm,
  intoDescription,
  isObjectSchema,
  mapSchema,
  type Schema,
  without,
} from "../dialect/map-schema.ts";

const FORMATS = [...HELD_FORMATS, "uri"];
const UNHELD = [...BOUNDS, "uniqueItems", "pattern"];

/** A reference to a schema that contains it has no finite grammar. Each target is followed once. */
const isRecursive = (schema: Schema): boolean => {
  const open = new Set<string>(["#"]);
  const done = new Set<string>();
  const leadsBack = (target: string): boolean => {
    if (open.has(target)) return true;
    if (done.has(target)) return false;
    open.add(target);
    const found = follow(valueAtPointer(schema, target));
    open.delete(target);
    done.add(target);
    return found;
  };
  const follow = (part: unknown): boolean => {
    if (Array.isArray(part)) return part.some(follow);
    if (!isRecord(part)) return false;
    if (typeof part["$ref"] === "string" && leadsBack(part["$ref"])) return true;
    return Object.entries(part).some(([name, value]) => name !== "$defs" && name !== "definitions" && follow(value));
  };
  return follow(schema);
};

/** Anthropic's native form, or undefined if there is none and a forced tool has to serve. */
export const toAnthropicSchema = (schema: Schema): Schema | undefined => {
  if (anySchema(schema, (part) => hasNoClosedForm(part, ["prefixItems"])) || isRecursive(schema)) return undefined;
  return mapSchema(schema, (part) => {
    const formatUnknown = typeof part["format"] === "string" && !FORMATS.includes(part["format"]);
    const kept = intoDescription(without(part, ["$schema", "$id", "examples"]), formatUnknown ? [...UNHELD, "format"] : UNHELD);
    if (Array.isArray(kept["oneOf"])) {
      kept["anyOf"] ??= kept["oneOf"];
      delete kept["oneOf"];
    }
    return isObjectSchema(kept) ? { ...kept, additionalProperties: false } : kept;
  });
};
