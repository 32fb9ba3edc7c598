/** What a call brings besides its messages: the schema it must fit, documents, and the session's memory (architecture: step 3). */

import { ApiError, invalidRequest } from "../api-error.ts";
import type { Platform } from "../platform.ts";
import type { ActivePolicies } from "../policies/active-policies.ts";
import { reviewText } from "../policies/review-content.ts";
import type { ChatRequest } from "../providers/provider.ts";
import { type CompiledSchema, compileSchema } from "../schemas/compile-schema.ts";
import type { CallDraft } from "./call-draft.ts";
import { reviewRequest } from "./review-answer.ts";

export type Context = {
  /** The caller's request with what was gathered put in front of it. */
  request: ChatRequest;
  schema?: CompiledSchema;
  policies: ActivePolicies;
};

/** Throws ApiErrors with the field that named what is wrong. */
export const gatherContext = async (platform: Platform, draft: CallDraft): Promise<Context> => {
  const schema = await gatherSchema(platform, draft);
  const policies = await platform.policies.of(draft.caller.project.id);
  if (policies.logs !== undefined) {
    const { logs } = policies;
    draft.redactForLog = (text) => reviewText(logs, text).text;
  }
  let request = await reviewRequest(platform, draft, policies.input, draft.input.request);
  if (schema !== undefined)
    request = { ...request, outputFormat: { type: "schema", name: schema.name, schema: schema.source, strict: schema.strict } };
  return { request, policies, ...(schema && { schema: schema.compiled }) };
};

type GatheredSchema = { compiled: CompiledSchema; name: string; source: Record<string, unknown>; strict: boolean };

const gatherSchema = async (_platform: Platform, { input }: CallDraft): Promise<GatheredSchema | undefined> => {
  const { schema, schemaId, request } = input;
  if (schema !== undefined && schemaId !== undefined)
    throw invalidRequest("`schema` and `schema_id` exclude each other.", "schema_id");
  if (schema === undefined) return undefined;
  const named = request.outputFormat?.type === "schema" ? request.outputFormat : undefined;
  return {
    compiled: compileFor(schema.value, schema.param),
    name: named?.name ?? "answer",
    source: schema.value as Record<string, unknown>,
    strict: named?.strict ?? input.schemaStrict,
  };
};

/** The complaint names the field that the schema came in. */
const compileFor = (value: unknown, param: string): CompiledSchema => {
  try {
    return compileSchema(value);
  } catch (error) {
    if (error instanceof ApiError && error.options.param === "schema") throw invalidRequest(error.message, param);
    throw error;
  }
};
