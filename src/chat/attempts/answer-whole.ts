/** From the models' attempts to one whole answer: checked against the schema, reviewed by the policies, noted for the log. */

import { ApiError } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import { enforceSchema } from "../../schemas/enforce-schema.ts";
import type { CallDraft } from "../call-draft.ts";
import type { Context } from "../context/gather-context.ts";
import { noteCheck, noteModel, noteOutput } from "../output/note-answer.ts";
import { reviewAnswer } from "../output/review-answer.ts";
import type { PendingCall } from "./run-attempt.ts";
import { type Judged, runAttempts } from "./run-attempts.ts";

/** The best answer that the models gave, reviewed and noted. Throws if there is none, or if a policy blocks it. */
export const answerWhole = async (platform: Platform, call: PendingCall): Promise<Judged> => {
  const { draft, context } = call;
  const judged = await runAttempts(platform, call);
  noteModel(draft, judged.candidate);
  noteCheck(draft, judged.check);
  // Noted before the review, so that the log holds an answer that a policy blocks.
  noteAnswer(draft, judged);
  refuseMismatch(draft, judged);
  const result = await reviewAnswer(platform, draft, context.policies.output, judged.result, judged.schema?.passed === true);
  const answer = { ...judged, result, ...refitted(context, judged, result.text) };
  noteAnswer(draft, answer);
  refuseMismatch(draft, answer);
  return answer;
};

/** Checked again after the review: a policy may have redacted what the schema requires. */
const refitted = ({ schema: compiled }: Context, { schema }: Judged, text: string): Pick<Judged, "schema"> => {
  if (compiled === undefined || !schema?.passed || schema.text === text) return {};
  const again = enforceSchema(compiled, text, { strict: true });
  return { schema: again.passed ? { ...again, repaired: schema.repaired } : again };
};

const noteAnswer = (draft: CallDraft, { result, schema }: Judged): void => {
  noteOutput(draft, result.text, result.toolCalls);
  draft.fitsSchema = schema?.passed === true;
};

/** With `schema_strict` an answer that does not fit the schema is an error (decisions §4). */
const refuseMismatch = (draft: CallDraft, { schema }: Judged): void => {
  if (!draft.input.schemaStrict || schema === undefined || schema.passed) return;
  throw new ApiError("schema_validation_failed", "No model gave an answer that fits the schema.", {
    details: { errors: schema.errors },
  });
};
