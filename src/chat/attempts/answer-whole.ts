/** From the models' attempts to one whole answer: checked against the schema, reviewed by the policies, noted for the log. */

import { ApiError } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import type { ChatResult } from "../../providers/provider.ts";
import type { CompiledSchema } from "../../schemas/compile/compile-schema.ts";
import { type Enforced, enforceSchema } from "../../schemas/enforce-schema.ts";
import { keepAnswer } from "../cache/keep-answer.ts";
import type { CallDraft } from "../call-draft.ts";
import type { PendingCall } from "../decision/decide-call.ts";
import { noteAnswer, noteCheck } from "../output/note-answer.ts";
import { reviewAnswer } from "../output/review-answer.ts";
import { runAttempts } from "./whole-attempts.ts";

/** The best answer that the models gave, reviewed and noted. Throws if there is none, or if a policy blocks it. */
export const answerWhole = async (platform: Platform, call: PendingCall): Promise<ChatResult> => {
  const { draft, context } = call;
  const { candidate, check, result, schema } = await runAttempts(platform, call);
  noteCheck(draft, check);
  // Noted before the review, so that the log holds an answer that a policy blocks.
  noteAnswer(draft, candidate, result, schema);
  refuseMismatch(draft, schema);
  const reviewed = await reviewAnswer(platform, draft, context.policies.output, result, schema?.passed === true);
  const refitted = refit(context.schema, schema, reviewed.text);
  noteAnswer(draft, candidate, reviewed, refitted);
  refuseMismatch(draft, refitted);
  keepAnswer(platform, draft, reviewed);
  return reviewed;
};

/** Checks an answer again that the review has changed: a policy may have redacted what the schema requires. */
const refit = (compiled: CompiledSchema | undefined, before: Enforced | undefined, text: string): Enforced | undefined => {
  if (!before?.passed || before.text === text) return before;
  const again = enforceSchema(compiled!, text, { strict: true });
  return again.passed ? { ...again, repaired: before.repaired } : again;
};

/** With `schema_strict` an answer that does not fit the schema is an error (decisions §4). */
const refuseMismatch = ({ input }: CallDraft, schema: Enforced | undefined): void => {
  if (!input.schemaStrict || schema === undefined || schema.passed) return;
  throw new ApiError("schema_validation_failed", "No model gave an answer that fits the schema.", {
    details: { errors: schema.errors },
  });
};
