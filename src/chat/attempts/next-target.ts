/**
 * Which model is asked next (rule 3): the same once more, then one fallback, then the best answer so far is returned. If no answer has come
 * at all, further models are tried. Pure, except for the callbacks of `Search`.
 */

import type { UpstreamError, UpstreamErrorKind } from "../../providers/upstream-error.ts";
import type { Candidate } from "../../router/score-candidates.ts";

type Purpose = "first" | "retry" | "fallback";
export type Target = { candidate: Candidate; purpose: Purpose; waitMs: number };

/** How the last attempt ended: with an answer that did not pass its checks, or with a failure. */
export type LastOutcome = { candidate: Candidate; failure: UpstreamError | "check" };

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
  tried: string[];
  /** Providers whose failure concerned more than one model: others are asked before them. */
  failedProviders: string[];
  retried: boolean;
  /** A provider's safety system rejected the prompt. */
  rejected: boolean;
  /** Answers received, whether or not they passed. */
  answers: number;
  /** Attempts made after the first answer that did not pass. */
  qualityFallbacks: number;
  attempts: number;
};

export const newSearch = (given: Pick<Search, "ranked" | "isOpen" | "mayRetry" | "fits" | "isAmple">): Search => ({
  ...given,
  tried: [],
  failedProviders: [],
  retried: false,
  rejected: false,
  answers: 0,
  qualityFallbacks: 0,
  attempts: 0,
});

/** Failures that another model of the same provider is likely to have too. */
const CONCERNS_PROVIDER: ReadonlySet<UpstreamErrorKind> = new Set([
  "network",
  "timeout",
  "truncated",
  "server",
  "overloaded",
  "rate_limit",
  "auth",
  "billing",
  "content_filter",
]);
const MOST_ATTEMPTS = 6;
/** If a provider asks for a longer wait than this, another model is asked instead. */
const LONGEST_WAIT_MS = 250;
/** If no other provider could answer, a wait of up to this long serves the caller better than an error. */
const LONGEST_PATIENCE_MS = 10_000;

/** Undefined if nothing more is to be tried. Marks the target that it returns as tried. */
export const nextTarget = (search: Search, last: LastOutcome | undefined): Target | undefined => {
  if (search.attempts >= MOST_ATTEMPTS) return undefined;
  const target = last === undefined ? pickFresh(search) : afterOutcome(search, last);
  if (target === undefined) return undefined;
  search.attempts++;
  search.tried.push(target.candidate.model.id);
  if (target.purpose === "retry") search.retried = true;
  return target;
};

const afterOutcome = (search: Search, last: LastOutcome): Target | undefined => {
  const { candidate, failure } = last;
  if (failure !== "check" && endsSearch(search, failure)) return undefined;
  if (failure !== "check" && CONCERNS_PROVIDER.has(failure.kind)) search.failedProviders.push(candidate.model.provider);
  if (!search.retried && mayHelp(failure) && search.fits(candidate) && isAllowed(search, last) && search.isOpen(candidate)) {
    return { candidate, purpose: "retry", waitMs: failure === "check" ? 0 : 20 + Math.random() * 80 };
  }
  // After an answer that did not pass, one fallback is tried; without any answer, all remaining models are.
  if (search.answers > 0 && search.qualityFallbacks > 0) return undefined;
  const tooSmall = failure !== "check" && failure.kind === "context_length" ? candidate.model : undefined;
  const target = pickFresh(search, { tooSmall }) ?? pause(search, last) ?? pickFresh(search, { tooSmall, where: "failed" });
  if (target !== undefined && search.answers > 0) search.qualityFallbacks++;
  return target;
};

/** Failures that no other model would avoid. */
const endsSearch = (search: Search, { kind }: UpstreamError): boolean => {
  if (kind === "bad_request" || kind === "unsupported_param") return true;
  if (kind !== "content_filter") return false;
  // One provider's safety system may be wrong; a prompt that two reject is not sent to further providers.
  const isSecond = search.rejected;
  search.rejected = true;
  return isSecond;
};

/** Waits for a rate limit that ends soon, since the provider's other models share it. */
const pause = (search: Search, { candidate, failure }: LastOutcome): Target | undefined => {
  if (failure === "check" || failure.kind !== "rate_limit" || search.retried || search.answers > 0) return undefined;
  const waitMs = failure.details.retryAfterMs;
  if (waitMs === undefined || waitMs > LONGEST_PATIENCE_MS || !search.fits(candidate)) return undefined;
  // Jitter, so that calls waiting for the same limit do not all return at once.
  return { candidate, purpose: "retry", waitMs: waitMs + 20 + Math.random() * 230 };
};

const mayHelp = (failure: LastOutcome["failure"]): boolean => {
  if (failure === "check") return true;
  return failure.retryable && (failure.details.retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
};

/**
 * A failed check is no sign of an overloaded provider, and where no other model is left a retry is the only option. All other retries count
 * against the provider's budget.
 */
const isAllowed = (search: Search, { candidate, failure }: LastOutcome): boolean =>
  failure === "check" ||
  !search.ranked.some((each) => !search.tried.includes(each.model.id) && search.fits(each)) ||
  search.mayRetry(candidate, failure);

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
    each.model.contextWindow > tooSmall.contextWindow ||
    (each.model.provider !== tooSmall.provider && search.isAmple(each));
  const mayServe = (each: Candidate): boolean =>
    !search.tried.includes(each.model.id) && mayHold(each) && search.fits(each) && search.isOpen(each);
  const isThere = (each: Candidate): boolean => search.failedProviders.includes(each.model.provider) === (where === "failed");
  const candidate = search.ranked.find((each) => isThere(each) && mayServe(each));
  return candidate && { candidate, purpose: candidate === search.ranked[0] ? "first" : "fallback", waitMs: 0 };
};
