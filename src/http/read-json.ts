/** Reads a JSON body: bounded, parsed, checked against its schema. Errors name the field in a dotted `param`. */

import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { invalidRequest, unsupportedMediaType } from "../api-error.ts";
import { hasMoreParts } from "../lib/count-parts.ts";
import { firstProblem } from "../lib/first-problem.ts";
import { isDeeper } from "../lib/is-json.ts";
import { isRecord } from "../lib/is-record.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { leaveOutNulls } from "./leave-out-nulls.ts";
import { readBody } from "./read-body.ts";

type Bound = { maxBytes?: number };

/** Throws 415, 413, or 400 with `param`. */
export const readJson = async <Schema extends TSchema>(
  request: Request,
  schema: Schema,
  bound: Bound = {},
): Promise<Static<Schema>> => checkShape(schema, await readUnchecked(request, bound));

/** For bodies whose schema depends on what they hold. Throws 415, 413 or 400. */
export const readUnchecked = async (request: Request, { maxBytes = BOUNDS.jsonBodyBytes }: Bound = {}): Promise<unknown> => {
  requireJsonType(request);
  return parseJson(await readBody(request, maxBytes));
};

/** Throws 415 for another content type; `taken` are those that the endpoint takes. A missing or empty one counts as JSON. */
export const requireJsonType = (request: Request, taken = "application/json"): void => {
  const type = request.headers.get("content-type");
  if (type && !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) throw unsupportedMediaType(taken, type);
};

/** Throws 400 for what is not UTF-8, not JSON, has too many parts, or is nested too deeply. */
export const parseJson = (bytes: Uint8Array): unknown => {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalidRequest("The request body is not valid UTF-8.");
  }
  if (text.trim() === "") throw invalidRequest("The request body is empty; a JSON object is expected.");
  if (hasMoreParts(text, BOUNDS.jsonParts))
    throw invalidRequest(`The request body has more than ${BOUNDS.jsonParts} lists, objects and members.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidRequest(`The request body is not valid JSON: ${(error as Error).message.replace(/^JSON Parse error: /, "")}`);
  }
  if (isDeeper(value, BOUNDS.jsonDepth))
    throw invalidRequest(`The request body is nested deeper than ${BOUNDS.jsonDepth} levels.`);
  return value;
};

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Compiled checks live as long as their schema, which is a constant in some wire.ts. */
const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** Returns the value if it fits, without nulls in place of absent fields. Throws 400 with the dotted `param`. */
export const checkShape = <Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> => {
  let check = checks.get(schema);
  if (check === undefined) {
    check = TypeCompiler.Compile(schema);
    checks.set(schema, check);
  }
  if (!isRecord(value)) throw invalidRequest("The request body must be a JSON object.");
  if (check.Check(value)) return value as Static<Schema>;
  leaveOutNulls(schema, value);
  if (check.Check(value)) return value as Static<Schema>;
  const { path, message } = firstProblem(schema, value);
  throw invalidRequest(message, path);
};
