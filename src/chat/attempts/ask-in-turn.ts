/** Rule 3, for whole and streamed answers alike: asks one model after another until an attempt ends the search or no model is left. */

import type { Platform } from "../../platform.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";
import { windowTokens } from "../../router/can-take.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import type { CallDraft } from "../call-draft.ts";
import { reservationFor } from "../decision/call-ceiling.ts";
import type { PendingCall } from "../decision/decide-call.ts";
import type { Prepared } from "../decision/prepare-call.ts";
import { shortenCall } from "../decision/shorten-call.ts";
import { chatRefusal } from "./chat-refusal.ts";
import { waitWithin } from "./deadline.ts";
import { isSpent, type LastOutcome, newSearch, nextTarget, type Target } from "./next-target.ts";
import { fitsCeiling } from "./output-bound.ts";

/** `isLast`: the answer passed, or another attempt could not do better. `failure`: another model may still succeed. */
export type Outcome<Answer> = { answer: Answer; isLast: boolean; failure?: undefined } | { failure: UpstreamError };

type Asking<Answer> = {
  attempt(target: Target, asked: Prepared): Promise<Outcome<Answer>>;
  /** The request for the next attempt, after an answer that did not pass. */
  askAfter(answer: Answer): Prepared | Promise<Prepared>;
  /** Chooses among the answers that did not pass: at least one, in the order they came. */
  best(answers: readonly Answer[]): Answer;
};

/** The answer that ended the search, else the best. Throws the error for the caller if there is none. */
export const askInTurn = async <Answer>(
  platform: Platform,
  call: PendingCall,
  { attempt, askAfter, best }: Asking<Answer>,
): Promise<Answer> => {
  const { draft, context, deadline, prepared } = call;
  const { ceilingNanoUsd } = prepared;
  const ranked = [prepared.decision.ranked];
  const answers: Answer[] = [];
  let asked = prepared;
  let last: LastOutcome | undefined;
  const search = newSearch({
    ranked: prepared.decision.ranked,
    isOpen: (each) => isOpen(platform, draft, each),
    mayRetry: (each, failed) => mayRetry(platform, draft, each, failed),
    fits: (each) => fitsCeiling(asked, draft, each) && draft.reservation.covers(reservationFor(draft, each, ceilingNanoUsd)),
    isAmple: ({ model }) => asked.promptTokens * 2 <= windowTokens(model),
  });
  /** The first of the models that hold the conversation once it is shortened, unless these would fail for the same cause. */
  const nextSmaller = (): Target | undefined => {
    const failure = last?.failure;
    if (answers.length > 0 || isSpent(search) || (failure && isFinal(failure))) return undefined;
    // Once, because a model that refuses even less would refuse anything.
    const refused = failure?.kind === "context_length" && ranked.length === 1 ? last!.candidate.model : undefined;
    const shorter = shortenCall(platform, draft, context, call.prepared, refused);
    if (shorter === undefined) return undefined;
    search.again = refused;
    ranked.push(shorter.decision.ranked);
    call.prepared = shorter;
    asked = shorter;
    search.ranked = shorter.decision.ranked;
    return nextTarget(search, undefined) ?? nextSmaller();
  };
  while (performance.now() < deadline.endsAt && !deadline.signal.aborted) {
    const target = nextTarget(search, last) ?? nextSmaller();
    if (target === undefined || !draft.reservation.raise(reservationFor(draft, target.candidate, ceilingNanoUsd))) break;
    if (target.waitMs > 0 && !(await waitWithin(deadline, target.waitMs))) break;
    const outcome = await attempt(target, asked);
    last = { candidate: target.candidate, failure: outcome.failure };
    if (outcome.failure !== undefined) continue;
    if (outcome.isLast) return outcome.answer;
    answers.push(outcome.answer);
    asked = await askAfter(outcome.answer);
  }
  if (answers.length > 0) return best(answers);
  throw chatRefusal(platform, draft.caller.mode, last?.failure, ranked.flat());
};

/** The caller's own fault, which no model would forgive, or one that providers take for it. */
const isFinal = ({ kind }: UpstreamError): boolean =>
  kind === "bad_request" || kind === "unsupported_param" || kind === "content_filter";

/**
 * Whether the model may be called now. Call it once before each attempt: a half-open circuit breaker admits a single call. The provider may
 * have been removed from the settings since the call was decided.
 */
const isOpen = ({ providers }: Platform, { caller: { mode } }: CallDraft, { model }: Candidate): boolean =>
  providers.find(mode, model.provider) !== undefined && providers.healthIn(mode).tryAcquire(model.provider, model.upstreamModel);

/** Takes one retry from the provider's budget; a refusal is noted in the failed attempt. */
const mayRetry = (
  { providers }: Platform,
  { caller: { mode }, attempts }: CallDraft,
  { model }: Candidate,
  failure: UpstreamError,
): boolean => {
  if (providers.healthIn(mode).tryRetry(model.provider, failure)) return true;
  attempts.at(-1)!.notRetried = "retry_budget";
  return false;
};
