/** What a call needs besides its messages: policies, the schema, documents and the session's memory. */

import type { Mode } from "../../accounts/api-key.ts";
import { ApiError, invalidRequest } from "../../api-error.ts";
import { type Citation, gatherDocuments } from "../../documents/query/gather-documents.ts";
import type { Platform } from "../../platform.ts";
import type { ActivePolicies } from "../../policies/active-policies.ts";
import { reviewAnyText } from "../../policies/content/review-json.ts";
import type { RoutingRules } from "../../policies/routing-rules.ts";
import { type ChatMessage, type ChatRequest, noUsage } from "../../providers/provider.ts";
import { countPrompt } from "../../router/count-prompt.ts";
import type { CompiledSchema } from "../../schemas/compile/compile-schema.ts";
import { findSchema } from "../../schemas/find-schema.ts";
import { compileCached } from "../../schemas/schema-cache.ts";
import { addUsage, type CallDraft } from "../call-draft.ts";
import { largestWindow } from "../decision/reachable-models.ts";
import { reviewRequest } from "../output/review-answer.ts";
import { askedMessages, contentText } from "../request/last-user-text.ts";
import { lastRemembered, recallMemory } from "./session-memory.ts";

export type Context = {
  /** The caller's request, with documents and memory put in front of it. */
  request: ChatRequest;
  /** Whether the first message that is not a system message holds the documents. */
  hasDocuments: boolean;
  schema?: CompiledSchema;
  policies: ActivePolicies;
  citations?: Citation[];
};

/** The project's policies. From here on the call's row holds only what they allow in the log. */
export const openPolicies = async (platform: Platform, draft: CallDraft): Promise<ActivePolicies> => {
  const policies = await platform.policies.of(draft.caller.project.id);
  const { logs } = policies;
  if (logs !== undefined) draft.redactForLog = (text) => reviewAnyText(logs, text).text;
  return policies;
};

/** Throws ApiErrors whose `param` names the field at fault. */
export const gatherContext = async (platform: Platform, draft: CallDraft, policies: ActivePolicies): Promise<Context> => {
  const { input } = draft;
  const { request: own, schema } = await withSchema(platform, draft);
  const documents = await gather(platform, draft, policies.routing);
  const reading: ChatMessage[] = documents === undefined ? [] : [{ role: "user", content: documents.context }];
  const memory = await recallMemory(platform, draft, withContext(input.request, reading), policies.routing);
  // Memory stands directly before the conversation, because a tool's result must follow its call.
  const request = withContext(withContext(own, memory), reading);
  return {
    request: await reviewRequest(platform, draft, policies.input, request),
    hasDocuments: documents !== undefined,
    policies,
    ...(schema && { schema }),
    ...(documents && { citations: documents.citations }),
  };
};

/**
 * The same for a decision without a call: no session is opened, no model judges, and where a remote embedder would be asked, passages are
 * found by their words alone.
 */
export const rehearseContext = async (platform: Platform, draft: CallDraft, policies: ActivePolicies): Promise<Context> => {
  const { request: own } = await withSchema(platform, draft);
  const documents = await gather(platform, draft, policies.routing, "test");
  const reading: ChatMessage[] = documents === undefined ? [] : [{ role: "user", content: documents.context }];
  const rules = policies.input && { ...policies.input, criteria: [] };
  const request = await reviewRequest(platform, draft, rules, withContext(own, reading));
  return { request, hasDocuments: documents !== undefined, policies };
};

/** The caller's request, with the schema as its output format. Throws 400. */
const withSchema = async (platform: Platform, draft: CallDraft): Promise<{ request: ChatRequest; schema?: CompiledSchema }> => {
  const { request } = draft.input;
  const found = await gatherSchema(platform, draft);
  if (found === undefined) return { request };
  const { compiled, name, source, strict } = found;
  return { request: { ...request, outputFormat: { type: "schema", name, schema: source, strict } }, schema: compiled };
};

type GatheredSchema = { compiled: CompiledSchema; name: string; source: Record<string, unknown>; strict: boolean };

const gatherSchema = async (platform: Platform, { input, caller }: CallDraft): Promise<GatheredSchema | undefined> => {
  const { schema, schemaId, request } = input;
  if (schema !== undefined && schemaId !== undefined)
    throw invalidRequest("`schema` and `schema_id` exclude each other.", "schema_id");
  if (schemaId !== undefined) {
    const saved = await findSchema(platform.db, caller.project.id, schemaId);
    if (saved === undefined) throw invalidRequest(`The schema \`${schemaId.slice(0, 128)}\` was not found.`, "schema_id");
    return {
      compiled: await compileFor(platform, saved.schema, "schema_id"),
      name: wireName(saved.slug),
      source: saved.schema as Record<string, unknown>,
      strict: input.schemaStrict,
    };
  }
  if (schema === undefined) return undefined;
  const named = request.outputFormat?.type === "schema" ? request.outputFormat : undefined;
  return {
    compiled: await compileFor(platform, schema.value, schema.param),
    name: wireName(named?.name ?? "answer"),
    source: schema.value as Record<string, unknown>,
    strict: named?.strict ?? input.schemaStrict,
  };
};

/** Vendors accept only letters, digits, `_` and `-` in a schema's name. */
const wireName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);

/** Throws 400 with the field that held the schema. */
const compileFor = async (platform: Platform, value: unknown, param: string): Promise<CompiledSchema> => {
  try {
    return await compileCached(platform.schemas, value);
  } catch (error) {
    if (error instanceof ApiError && error.options.param === "schema") throw invalidRequest(error.message, param);
    throw error;
  }
};

/** A question shorter than this probably depends on those before it. In characters. */
const SHORT_QUESTION = 60;
/** Share of the window for documents, beside conversation and answer. */
const DOCUMENT_SHARE = 0.7;
/** Their share if that leaves nothing, because a long conversation is compressed anyway, except for its last turn. */
const LEAST_DOCUMENT_SHARE = 0.25;

const documentRoom = ({ messages, ...request }: ChatRequest, window: number): number => {
  const besides = (kept: ChatMessage[]) => window * DOCUMENT_SHARE - countPrompt({ ...request, messages: kept });
  const lastTurn = messages.findLastIndex(({ role }) => role === "user");
  const staying = messages.filter(({ role }, at) => role === "system" || at >= lastTurn);
  return Math.floor(Math.max(0, besides(messages), Math.min(window * LEAST_DOCUMENT_SHARE, besides(staying))));
};

/** Test keys never reach a remote embedder. */
const gather = async (platform: Platform, draft: CallDraft, rules: RoutingRules | undefined, mode: Mode = draft.caller.mode) => {
  const { input } = draft;
  const caller = { ...draft.caller, mode };
  if (input.documents.length === 0) return undefined;
  const gathered = await gatherDocuments(platform, caller, {
    documents: input.documents,
    question: await questionOf(platform, draft),
    availableTokens: documentRoom(input.request, largestWindow(platform, draft, rules)),
  });
  const { embedded } = gathered;
  if (embedded !== undefined) {
    draft.sideUsage = addUsage(draft.sideUsage, { ...noUsage(), input: embedded.inputTokens });
    draft.sideCostNanoUsd += embedded.costNanoUsd;
  }
  return gathered;
};

const questionsOf = (messages: readonly ChatMessage[]): string[] =>
  messages.filter(({ role }) => role === "user").map(({ content }) => contentText(content));

/**
 * What passages are searched for: the last question, and if it is short («And in 2022?»), the earlier questions that it refers to. The last
 * comes first, because not all of a very long query counts.
 */
const questionOf = async (platform: Platform, draft: CallDraft): Promise<string> => {
  const asked = questionsOf(askedMessages(draft.caller.mode, draft.input.request.messages));
  const isEnough = asked.join("\n").length >= SHORT_QUESTION;
  const all = isEnough ? asked : [...questionsOf(await lastRemembered(platform, draft)), ...asked];
  let question = all.pop() ?? "";
  while (question.length < SHORT_QUESTION && all.length > 0) question += `\n${all.pop()}`;
  return question;
};

/** Puts `context` after the system messages and before the conversation. Documents are sent as user messages, never as system messages. */
const withContext = (request: ChatRequest, context: readonly ChatMessage[]): ChatRequest => {
  if (context.length === 0) return request;
  const first = request.messages.findIndex(({ role }) => role !== "system");
  const at = first < 0 ? request.messages.length : first;
  return { ...request, messages: [...request.messages.slice(0, at), ...context, ...request.messages.slice(at)] };
};
