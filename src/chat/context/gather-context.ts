/** What a call needs besides its messages: policies, the schema, documents and the session's memory. */

import type { Platform } from "../../platform.ts";
import type { ActivePolicies } from "../../policies/active-policies.ts";
import type { ChatMessage, ChatRequest } from "../../providers/provider.ts";
import type { CompiledSchema } from "../../schemas/compile/compile-schema.ts";
import type { CallDraft } from "../call-draft.ts";
import { readDocuments } from "./read-documents.ts";
import { reviewRequest } from "./review-request.ts";
import { recallMemory } from "./session-memory.ts";
import { withSchema } from "./with-schema.ts";

export type Context = {
  /** The caller's request, with documents and memory put in front of it, as the policies let it be sent. */
  request: ChatRequest;
  /** How many messages with documents stand in front, after the system messages. */
  documentMessages: number;
  policies: ActivePolicies;
  schema?: CompiledSchema;
};

/** The project's policies. From here on the call's row holds only what they allow in the log. */
export const openPolicies = async (platform: Platform, draft: CallDraft): Promise<ActivePolicies> => {
  const policies = await platform.policies.of(draft.caller.project.id);
  if (policies.logs !== undefined) draft.logRules = policies.logs;
  return policies;
};

/** Throws ApiErrors whose `param` names the field at fault. */
export const gatherContext = async (platform: Platform, draft: CallDraft, policies: ActivePolicies): Promise<Context> => {
  const { caller, input } = draft;
  const { request: own, schema } = await withSchema(platform, draft);
  const documents = await readDocuments(platform, draft, policies.routing, caller.mode);
  const memory = await recallMemory(platform, draft, withContext(input.request, documents), policies.routing);
  // Memory stands directly before the conversation, because a tool's result must follow its call.
  const request = withContext(withContext(own, memory), documents);
  return {
    request: await reviewRequest(platform, draft, policies.input, request),
    documentMessages: documents.length,
    policies,
    ...(schema && { schema }),
  };
};

/**
 * The same for a decision without a call: no session is opened, no model judges, and where a remote embedder would be asked, passages are
 * found by their words alone.
 */
export const rehearseContext = async (platform: Platform, draft: CallDraft, policies: ActivePolicies): Promise<Context> => {
  const { request: own } = await withSchema(platform, draft);
  const documents = await readDocuments(platform, draft, policies.routing, "test");
  const rules = policies.input && { ...policies.input, criteria: [] };
  const request = await reviewRequest(platform, draft, rules, withContext(own, documents));
  return { request, documentMessages: documents.length, policies };
};

/** Puts `context` after the first system messages, which may include a summary from memory. */
const withContext = (request: ChatRequest, context: readonly ChatMessage[]): ChatRequest => {
  if (context.length === 0) return request;
  const first = request.messages.findIndex(({ role }) => role !== "system");
  const at = first < 0 ? request.messages.length : first;
  return { ...request, messages: [...request.messages.slice(0, at), ...context, ...request.messages.slice(at)] };
};
