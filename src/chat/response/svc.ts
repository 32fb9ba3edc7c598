/** The `svc` object of a chat answer (spec.md "Chat response", decisions §5): the same for whole answers and for a stream's last chunk. */

import { given } from "../../lib/given.ts";
import { toUsd } from "../../lib/money.ts";
import { toFourDecimals } from "../../lib/round.ts";
import { fallbackUsed, latencyMsOf } from "../../logs/call.ts";
import type { Platform } from "../../platform.ts";
import type { TokenUsage } from "../../providers/provider.ts";
import { ignoredParameters } from "../../router/ignored-parameters.ts";
import type { Enforced } from "../../schemas/enforce-schema.ts";
import { type CallDraft, spentNanoUsd, totalUsage } from "../call-draft.ts";
import { spokenWith } from "../decision/spoken-with.ts";
import { wantsSchema } from "../request/chat-input.ts";
import type { Svc } from "./completion-schema.ts";
import { toWireUsage } from "./shape-completion.ts";

/** The row must have been made. `usage`: of the answer, not of the whole call. */
export const svcOf = (platform: Platform, draft: CallDraft, usage: TokenUsage): Svc => ({
  request_id: draft.caller.requestId,
  task_type: draft.classification.task,
  complexity: toFourDecimals(draft.classification.complexity),
  model_selected: draft.answer!.model,
  latency_ms: latencyMsOf({ startedAtMs: draft.caller.startedAtMs, completedAtMs: draft.completedAtMs! }),
  fallback_used: fallbackUsed(draft),
  validation_passed: draft.checked!.validationPassed,
  cost_usd: toUsd(spentNanoUsd(draft)),
  ...totalUsageOf(draft, usage),
  ...(draft.input.sessionId !== undefined && { session_id: draft.input.sessionId }),
  ...ignoredOf(platform, draft),
  ...(draft.reused && { cache: { hit: true, call_id: draft.reused.callId, age_s: draft.reused.ageS } }),
  ...(draft.input.documentId !== undefined && { document_id: draft.input.documentId }),
  ...(wantsSchema(draft.input) && { schema_validation: schemaValidation(draft.answer?.schema) }),
  ...svcEvaluations(draft),
  ...draft.svc,
  routing: draft.routing!,
});

/**
 * Gap: `usage` covers the answer alone, because clients derive from it how full the conversation's context is. If attempts were discarded,
 * or side calls made, this holds the tokens that cost and log count.
 */
const totalUsageOf = (draft: CallDraft, usage: TokenUsage): Pick<Svc, "total_usage"> => {
  const answered = toWireUsage(usage);
  const total = toWireUsage(totalUsage(draft));
  return total.total_tokens === answered.total_tokens ? {} : { total_usage: total };
};

/** What the ceiling and the policies changed or found, if anything. */
export const svcEvaluations = ({
  costWarning,
  policyEvaluation,
  contentEvaluation,
}: CallDraft): Pick<Svc, "cost_warning" | "policy_evaluation" | "content_evaluation"> =>
  given({ cost_warning: costWarning, policy_evaluation: policyEvaluation, content_evaluation: contentEvaluation });

/** Gap: present if a field of the request had no effect, or the model that answered does not support `temperature` and the like. */
const ignoredOf = (platform: Platform, { answer, input }: CallDraft): Pick<Svc, "ignored_parameters"> => {
  const known = platform.catalog.findChatModel(answer!.model);
  const ignored = [
    ...input.ignored,
    ...(known === undefined ? [] : ignoredParameters(input.request, known, spokenWith(platform, known, input.request))),
  ];
  return ignored.length > 0 ? { ignored_parameters: ignored } : {};
};

/** Gap: spec.md shows it whenever a schema was sent. Only text can fit one, so an answer of tool calls is reported as not `enabled`. */
const schemaValidation = (schema: Enforced | undefined): Svc["schema_validation"] & object =>
  schema === undefined
    ? { enabled: false, passed: true }
    : { enabled: true, passed: schema.passed, ...(schema.repaired.length > 0 && { repaired: schema.repaired }) };
