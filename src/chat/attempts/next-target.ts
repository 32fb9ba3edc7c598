/**
 * Which model is asked next (rule 3): the same once more, then one fallback, then the best answer so far is returned. If no answer has come
 * at all, or none from the fallback, further models are tried. Pure, except for the callbacks of `Search`.
 */

import type { ChatModel } from "../../catalog/model.ts";
import { concernsProvider, type UpstreamError } from "../../providers/upstream-error.ts";
import { retryWaitMs } from "../../providers/wait-before-retry.ts";
import { windowTokens } from "../../router/can-take.ts";
import type { Candidate } from "../../router/score-candidates.ts";

type Purpose = "first" | "retry" | "fallback";
export type Target = { candidate: Candidate; purpose: Purpose; waitMs: number };

/** How the last attempt ended. `failure`: undefined after an answer that did not pass its checks. */
export type LastOutcome = { candidate: Candidate; failure: UpstreamError | undefined };

/** The state of one call's search for a model that answers it. */
type Search = {
  ranked: readonly Candidate[];
  /**
   * Whether the model's circuit breaker lets a call through. Called once before each attempt, because a half-open breaker admits a single
   * call.
   */
  isOpen(candidate: Candidate): boolean;
  /** Whether the provider's retry budget has room. Called once before each retry. */
  mayRetry(candidate: Candidate, failure: UpstreamError): boolean;
  /** Whether the ceiling and the key's budget leave room for an answer of this model. */
  fits(candidate: Candidate): boolean;
  /** Whether the prompt is so much smaller than the model's window that even a bad token estimate would fit. */
  isAmple(candidate: Candidate): boolean;
  /** The candidate of each attempt. */
  tried: Candidate[];
  /** A model that may be asked once more, because the prompt has been shortened since it refused it as too long. */
  again?: ChatModel | undefined;
  /** Providers whose failure concerned more than one model: others are asked before them. */
  failedProviders: string[];
  hasRetried: boolean;
  /** A provider's safety system rejected the prompt. */
  wasRejected: boolean;
  /** An answer came, but did not pass its checks. */
  hasAnswer: boolean;
  /** Another model was asked after such an answer, and gave one too or kept the caller waiting. */
  hasFallenBack: boolean;
};

export const newSearch = (given: Pick<Search, "ranked" | "isOpen" | "mayRetry" | "fits" | "isAmple">): Search => ({
  ...given,
  tried: [],
  failedProviders: [],
  hasRetried: false,
  wasRejected: false,
  hasAnswer: false,
  hasFallenBack: false,
});

const MOST_ATTEMPTS = 6;
/** If a provider asks for a longer wait than this, another model is asked instead. */
const LONGEST_WAIT_MS = 250;
/** If no other provider could answer, a wait of up to this long serves the caller better than an error. */
const LONGEST_PATIENCE_MS = 10_000;

export const isSpent = ({ tried }: Search): boolean => tried.length >= MOST_ATTEMPTS;

/** Undefined if nothing more is to be tried. Marks the target that it returns as tried. `last`: absent for the first of `ranked`. */
export const nextTarget = (search: Search, last: LastOutcome | undefined): Target | undefined => {
  if (isSpent(search)) return undefined;
  const target = last === undefined ? (pickFresh(search) ?? pickFresh(search, { where: "failed" })) : afterOutcome(search, last);
  if (target === undefined) return undefined;
  search.tried.push(target.candidate);
  if (target.candidate.model === search.again) search.again = undefined;
  if (target.purpose === "retry") search.hasRetried = true;
  return target;
};

const afterOutcome = (search: Search, { candidate, failure }: LastOutcome): Target | undefined =>
  failure === undefined ? afterAnswer(search, candidate) : afterFailure(search, candidate, failure);

/** A failed check is no sign of an overloaded provider, so this retry does not count against the provider's budget. */
const afterAnswer = (search: Search, candidate: Candidate): Target | undefined => {
  search.hasAnswer = true;
  return mayTryAgain(search, candidate) ? { candidate, purpose: "retry", waitMs: 0 } : fallBack(search);
};

const afterFailure = (search: Search, candidate: Candidate, failure: UpstreamError): Target | undefined => {
  if (endsSearch(search, failure)) return undefined;
  const { kind, retryable, details } = failure;
  if (kind !== "timeout") search.hasFallenBack = false;
  // Another provider's safety system may accept the prompt.
  if (concernsProvider(kind) || kind === "content_filter") search.failedProviders.push(candidate.model.provider);
  const mayPass = retryable && (details.retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
  if (mayPass && mayTryAgain(search, candidate, failure)) return { candidate, purpose: "retry", waitMs: retryWaitMs(failure) };
  return fallBack(search, { candidate, failure });
};

/** Failures that no other model would avoid. */
const endsSearch = (search: Search, { kind }: UpstreamError): boolean => {
  if (kind === "bad_request" || kind === "unsupported_param") return true;
  if (kind !== "content_filter") return false;
  // One provider's safety system may be wrong; a prompt that two reject is not sent to further providers.
  const isSecond = search.wasRejected;
  search.wasRejected = true;
  return isSecond;
};

/** Where no other model is left, a retry after a failure is the only option, whatever the provider's budget. */
const mayTryAgain = (search: Search, candidate: Candidate, failure?: UpstreamError): boolean =>
  !search.hasRetried &&
  search.fits(candidate) &&
  (failure === undefined || !hasFresh(search) || search.mayRetry(candidate, failure)) &&
  search.isOpen(candidate);

/** Whether the model was asked before, perhaps under another id that the operator gave it. */
const isTried = ({ tried, again }: Search, { model }: Candidate): boolean =>
  model !== again &&
  tried.some((each) => each.model.provider === model.provider && each.model.upstreamModel === model.upstreamModel);

const hasFresh = (search: Search): boolean => search.ranked.some((each) => !isTried(search, each) && search.fits(each));

/** Once a model has been asked, `ranked` may be another list. */
const purposeOf = ({ ranked, tried, again }: Search, candidate: Candidate): Purpose => {
  if (candidate.model === again) return "retry";
  return tried.length === 0 && candidate === ranked[0] ? "first" : "fallback";
};

type Failed = { candidate: Candidate; failure: UpstreamError };

/** After an answer that did not pass, one other model is to answer; without any answer, all remaining ones are asked. */
const fallBack = (search: Search, failed?: Failed): Target | undefined => {
  if (search.hasFallenBack) return undefined;
  const tooSmall = failed?.failure.kind === "context_length" ? failed.candidate.model : undefined;
  const target =
    pickFresh(search, { tooSmall }) ??
    (failed && waitForLimit(search, failed)) ??
    pickFresh(search, { tooSmall, where: "failed" });
  if (target !== undefined && search.hasAnswer) search.hasFallenBack = true;
  return target;
};

/** Waits for a rate limit that ends soon, since the provider's other models share it. */
const waitForLimit = (search: Search, { candidate, failure }: Failed): Target | undefined => {
  if (failure.kind !== "rate_limit" || search.hasRetried || search.hasAnswer) return undefined;
  const { retryAfterMs } = failure.details;
  if (retryAfterMs === undefined || retryAfterMs > LONGEST_PATIENCE_MS || !search.fits(candidate)) return undefined;
  return { candidate, purpose: "retry", waitMs: retryWaitMs(failure) };
};

/**
 * The best model not tried yet; any but the router's first choice counts as a fallback, even if the first was skipped because its breaker
 * is open. `tooSmall`: a model whose window did not hold the prompt. One with a larger window may hold it, and so may another provider's
 * model that the prompt hardly fills: some providers serve a smaller window than the catalog says. `where`: among providers that have
 * failed, or all others.
 */
const pickFresh = (
  search: Search,
  { tooSmall, where = "elsewhere" }: { tooSmall?: Candidate["model"] | undefined; where?: "elsewhere" | "failed" } = {},
): Target | undefined => {
  const mayHold = (each: Candidate): boolean =>
    tooSmall === undefined ||
    windowTokens(each.model) > windowTokens(tooSmall) ||
    (each.model.provider !== tooSmall.provider && search.isAmple(each));
  const mayServe = (each: Candidate): boolean =>
    !isTried(search, each) && mayHold(each) && search.fits(each) && search.isOpen(each);
  const isThere = (each: Candidate): boolean => search.failedProviders.includes(each.model.provider) === (where === "failed");
  const candidate = search.ranked.find((each) => isThere(each) && mayServe(each));
  return candidate && { candidate, purpose: purposeOf(search, candidate), waitMs: 0 };
};
