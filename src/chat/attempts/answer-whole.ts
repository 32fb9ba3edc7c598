/** From the models' attempts to one whole answer: checked against the schema, reviewed by the policies, noted for the log. */

import { ApiError } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import type { ChatResult } from "../../providers/provider.ts";
import type { CompiledSchema } from "../../schemas/compile/compile-schema.ts";
import { type Enforced, enforceSchema } from "../../schemas/enforce-schema.ts";
import { keepAnswer } from "../cache/reuse-answer.ts";
import type { CallDraft } from "../call-draft.ts";
import type { PendingCall } from "../decision/decide-call.ts";
import { noteAnswer, noteCheck } from "../output/note-answer.ts";
import { reviewAnswer } from "../output/review-answer.ts";
import { runAttempts } from "./whole-attempts.ts";

/** The best answer that the models gave, reviewed and noted. Throws if there is none, or if a policy blocks it. */
export const answerWhole = async (platform: Platform, call: PendingCall): Promise<ChatResult> => {
  const { draft, context } = call;
  const { attempt, candidate, check, result, schema } = await runAttempts(platform, call);
  attempt.isGiven = true;
  noteCheck(draft, check);
  // Noted before the review, so that the log holds an answer that a policy blocks.
  noteAnswer(draft, candidate, result, schema);
  const { output } = context.policies;
  // A model need not judge an answer that nobody gets, but the refusal quotes it.
  const rules = output && isRefused(draft, schema) ? { ...output, criteria: [] } : output;
  const reviewed = await reviewAnswer(platform, draft, rules, result, schema?.passed === true);
  const refitted = refit(context.schema, schema, result, reviewed.text);
  noteAnswer(draft, candidate, reviewed, refitted);
  refuseMismatch(draft, refitted);
  keepAnswer(platform, draft, reviewed);
  return reviewed;
};

/**
 * Checks an answer again that the review has changed: a policy may have redacted what the schema requires, and what errors quote is that of
 * the reviewed answer. One that did not fit fits no better without what was redacted.
 */
const refit = (
  compiled: CompiledSchema | undefined,
  before: Enforced | undefined,
  given: ChatResult,
  reviewed: string,
): Enforced | undefined => {
  if (before === undefined || given.text === reviewed) return before;
  const again = enforceSchema(compiled!, reviewed, { strict: true, cutOff: given.finishReason === "length" });
  if (!again.passed) return again;
  return before.passed ? { ...again, repaired: before.repaired } : { ...before, errors: [UNTOLD] };
};

const UNTOLD = { path: "", message: "does not fit the schema in what a content policy redacts" };

/** With `schema_strict` an answer that does not fit the schema is an error (decisions §4). */
const isRefused = ({ input }: CallDraft, schema: Enforced | undefined): boolean =>
  input.schemaStrict && schema !== undefined && !schema.passed;

const refuseMismatch = (draft: CallDraft, schema: Enforced | undefined): void => {
  if (!isRefused(draft, schema)) return;
  throw new ApiError("schema_validation_failed", "No model gave an answer that fits the schema.", {
    details: { errors: schema!.errors },
  });
};
