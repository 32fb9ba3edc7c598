/** A call as the policies with `redact_logs` let it be stored. */

import { jsonOf } from "../lib/is-json.ts";
import { isContainer } from "../lib/is-record.ts";
import { mapYielding } from "../lib/map-yielding.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { ContentRules } from "../policies/content/content-rules.ts";
import { reviewInSteps } from "../policies/content/review-json.ts";
import type { Attempt, Call } from "./call.ts";

type Redact = (text: string) => Promise<string>;

/** The call itself if there are no `rules`. Tool calls are not kept, because the redacted output text contains them. */
export const redactCall = async (call: Call, rules: ContentRules | undefined): Promise<Call> => {
  if (rules === undefined) return call;
  const redact: Redact = async (text) => (await reviewInSteps(rules, text, false)).text;
  const { toolCalls: _inOutputText, ...kept } = call;
  const outputText = await redact(call.outputText);
  return {
    ...kept,
    redacted: true,
    attempts: await mapYielding(call.attempts, (attempt) => redactAttempt(attempt, redact)),
    promptText: withoutTornEnd(call, await redact(call.promptText)),
    messages: await redactDeep(call.messages, redact),
    outputText,
    ...(call.parsedJson !== undefined && { parsedJson: jsonOf(outputText) }),
    ...(call.errorMessage !== undefined && { errorMessage: await redact(call.errorMessage) }),
    ...(call.custom !== undefined && { custom: (await redactDeep(call.custom, redact)) as Record<string, string> }),
  };
};

/** Longer than an address of mail may be. */
const LONGEST_TORN = 320;

/** The texts of calls beside chat are cut, maybe within a number or an address, of whose half no policy knows what it was. */
const withoutTornEnd = ({ kind, promptText }: Call, redacted: string): string =>
  kind !== "chat" && promptText.length === BOUNDS.loggedTextCharacters ? redacted.slice(0, -LONGEST_TORN) : redacted;

/** A provider's error message may quote the prompt. */
const redactAttempt = async (attempt: Attempt, redact: Redact): Promise<Attempt> =>
  attempt.failureMessage === undefined ? attempt : { ...attempt, failureMessage: await redact(attempt.failureMessage) };

/** All strings within a value. */
const redactDeep = async (value: unknown, redact: Redact): Promise<unknown> => {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return mapYielding(value, (item) => redactDeep(item, redact));
  if (!isContainer(value)) return value;
  const entries = await mapYielding(Object.entries(value), async ([name, item]) => [name, await redactDeep(item, redact)]);
  return Object.fromEntries(entries);
};
