/** Reads an answer in lines of `Name: value`, as in YAML and Markdown, where an object was wanted. */
import { jsonOf } from "../../lib/is-json.ts";
import type { CompiledSchema } from "../compile/compile-schema.ts";
import { fitValue } from "./fit-value.ts";
import { propertyNamesOf, spellingOfKey } from "./mend-shape.ts";

const LONGEST = 4_000;
/** `age: 36`, `- **Age:** 36`. */
const LINE = /^(?:[-*•] )?(?:\*\*|__)?(\p{L}[\p{L}\p{N} _-]{0,60})(?:\*\*|__)?[:：](?:\*\*|__)?\s+(\S.*)$/u;
const QUOTES = /^(?:'([^'\\]*)'|`([^`\\]*)`)$/;

/** Undefined if any line is something else, a name is unknown to the schema or repeated, or the whole does not fit. */
export const readLines = (schema: CompiledSchema, text: string): ReturnType<typeof fitValue> => {
  if (text.length > LONGEST) return undefined;
  const names = propertyNamesOf(schema.source);
  const record = new Map<string, string>();
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    const [, said = "", value = ""] = LINE.exec(line) ?? [];
    const name = names.get(spellingOfKey(said));
    if (name === undefined || record.has(name)) return undefined;
    const json = value.startsWith('"') ? jsonOf(value) : undefined;
    record.set(name, typeof json === "string" ? json : value.replace(QUOTES, "$1$2"));
  }
  const fitted = record.size === 0 ? undefined : fitValue(schema, Object.fromEntries(record), new Map());
  return fitted && { value: fitted.value, repairs: [...fitted.repairs, "missing_braces"] };
};
