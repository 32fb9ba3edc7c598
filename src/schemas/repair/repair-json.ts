/**
 * Reads a model's answer as the JSON that it was meant to be, or says why it is none (safety-notes §5). Valid JSON is never changed, prose
 * is never turned into data, and with a schema only what fits the schema is accepted.
 */

import { jsonOf } from "../../lib/is-json.ts";
import type { CompiledSchema } from "../compile/compile-schema.ts";
import { extractPassages } from "./extract-json.ts";
import { isTooDeep, jsonInside, MAX_DEPTH } from "./json-inside.ts";
import type { Repair } from "./json-reader.ts";
import { type Candidate, readPassage } from "./read-passage.ts";

/** `likeliest`: the first reading of a text of which none fits the schema. */
export type Repaired = ({ ok: true } & Candidate) | { ok: false; message: string; likeliest?: Candidate };

const MAX_CHARACTERS = 1024 * 1024;
/** How many readings of one answer are checked against the schema. */
const MAX_CANDIDATES = 20;

/** Linear in the text; at most 1 MB, 128 levels. `repairs` is empty exactly where the text was valid JSON. */
export const repairJson = (text: string, schema?: CompiledSchema): Repaired => {
  if (text.length > MAX_CHARACTERS) return { ok: false, message: "The text is larger than 1 MB." };
  if (isTooDeep(text)) return { ok: false, message: `The text is nested more than ${MAX_DEPTH} levels deep.` };
  let first: Candidate | undefined;
  let tried = 0;
  for (const candidate of readings(text)) {
    if (!schema || schema.check(candidate.value).valid) return { ok: true, ...candidate };
    first ??= candidate;
    if (++tried >= MAX_CANDIDATES) break;
  }
  if (!first) return { ok: false, message: "The text contains no JSON." };
  const problem = schema?.check(first.value).errors[0];
  const message = `The JSON does not fit the schema: ${problem?.path || "the value"} ${problem?.message}.`;
  return { ok: false, message, likeliest: first };
};

/** Possible readings of the answer, most likely first. */
function* readings(text: string): Generator<Candidate> {
  const value = jsonOf(text);
  if (value !== undefined) yield* withInner({ value, repairs: [], text });
  else yield* mendedReadings(text);
}

function* mendedReadings(text: string): Generator<Candidate> {
  for (const passage of extractPassages(text)) {
    const value = passage.kind === "embedded" ? undefined : jsonOf(passage.text);
    const repairs: Repair[] = passage.repairs.length > 0 ? passage.repairs : ["whitespace"];
    if (value !== undefined) yield* withInner({ value, repairs, text: passage.text });
    else for (const candidate of readPassage(passage)) yield* withInner(candidate);
  }
}

/** The reading itself; then, for a schema that asks for it, each of several values in a row, and the JSON inside a string. */
function* withInner(candidate: Candidate): Generator<Candidate> {
  yield candidate;
  const { value, repairs } = candidate;
  if (Array.isArray(value) && repairs.includes("concatenated_values")) {
    for (const each of value.slice(0, MAX_CANDIDATES)) yield { value: each, repairs: [...repairs, "surrounding_text"] };
  }
  if (typeof value !== "string") return;
  const inner = jsonInside(value);
  if (inner !== undefined) yield { value: inner, repairs: [...repairs, "json_in_string"], text: value };
}
