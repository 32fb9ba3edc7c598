/** An attempt as a policy lets it be stored: a provider's error message may quote the prompt. */

import type { Attempt } from "./call.ts";

export const redactAttempt = (attempt: Attempt, redact: (text: string) => string): Attempt =>
  attempt.failureMessage === undefined ? attempt : { ...attempt, failureMessage: redact(attempt.failureMessage) };
