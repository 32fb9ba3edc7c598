/**
 * Which model is asked next (rule 3): the same once more, then one fallback, then the best of what came. Where nothing at all has
 * come, further models are tried. Pure but for the two questions a search brings along: is the model open, and does it fit the ceiling.
 */

import type { UpstreamError, UpstreamErrorKind } from "../../providers/upstream-error.ts";
import type { Candidate } from "../../router/score-candidates.ts";

type Purpose = "first" | "retry" | "fallback";
export type Target = { candidate: Candidate; purpose: Purpose; waitMs: number };

/** What the last attempt came to: an answer that did not pass, or a failure. */
export type LastOutcome = { candidate: Candidate; failure: UpstreamError | "check" };

/** One call's way through the models that could answer it. */
type Search = {
  ranked: readonly Candidate[];
  /** Asked once before an attempt: after a breaker's pause it lets one caller through. */
  isOpen(candidate: Candidate): boolean;
  /** Asked once before a retry: whether the provider's budget of them holds one more. */
  mayRetry(candidate: Candidate, failure: UpstreamError): boolean;
  /** Whether the ceiling leaves room for an answer of this model. */
  fits(candidate: Candidate): boolean;
  /** Whether the prompt takes so little of its window that no miscount of ours could make it too long. */
  isAmple(candidate: Candidate): boolean;
  tried: string[];
  /** Providers that failed as such: others are asked before them. */
  failedProviders: string[];
  retried: boolean;
  /** A provider's safety system rejected the prompt. */
  rejected: boolean;
  /** Answers in hand, passed or not. */
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

/** What another model of the same provider is likely to meet too. */
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
/** A longer wait that a provider asks for is spent on another model instead. */
const LONGEST_WAIT_MS = 250;
/** Where no other provider could answer, waiting serves the caller better than a refusal. */
const LONGEST_PATIENCE_MS = 10_000;

/** Undefined where nothing more is to be tried. Marks what it returns as tried. */
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
  // An answer in hand is worth one fallback; without any, the next models are asked too.
  if (search.answers > 0 && search.qualityFallbacks > 0) return undefined;
  const tooSmall = failure !== "check" && failure.kind === "context_length" ? candidate.model : undefined;
  const target = pickFresh(search, { tooSmall }) ?? pause(search, last) ?? pickFresh(search, { tooSmall, where: "failed" });
  if (target !== undefined && search.answers > 0) search.qualityFallbacks++;
  return target;
};

/** What no other model would take either. */
const endsSearch = (search: Search, { kind }: UpstreamError): boolean => {
  if (kind === "bad_request" || kind === "unsupported_param") return true;
  if (kind !== "content_filter") return false;
  // One safety system may be wrong; what two reject is not carried around to all the others.
  const isSecond = search.rejected;
  search.rejected = true;
  return isSecond;
};

/** A rate limit that ends soon is waited for: further models of the provider share it. */
const pause = (search: Search, { candidate, failure }: LastOutcome): Target | undefined => {
  if (failure === "check" || failure.kind !== "rate_limit" || search.retried || search.answers > 0) return undefined;
  const waitMs = failure.details.retryAfterMs;
  if (waitMs === undefined || waitMs > LONGEST_PATIENCE_MS || !search.fits(candidate)) return undefined;
  // Those who wait together need not all come at once.
  return { candidate, purpose: "retry", waitMs: waitMs + 20 + Math.random() * 230 };
};

const mayHelp = (failure: LastOutcome["failure"]): boolean => {
  if (failure === "check") return true;
  return failure.retryable && (failure.details.retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
};

/** An answer that did not pass is no sign of trouble, and where nobody else could answer a retry is all there is. */
const isAllowed = (search: Search, { candidate, failure }: LastOutcome): boolean =>
  failure === "check" ||
  !search.ranked.some((each) => !search.tried.includes(each.model.id) && search.fits(each)) ||
  search.mayRetry(candidate, failure);

/**
 * Whoever is not the first choice is a fallback, also where that one rests and was not asked. `tooSmall`: its window did not hold
 * the prompt. A larger one may, and so may another provider's that it fills by little: then the model has less of a window there
 * than the catalog says. `where`: with providers that have failed, or with all others.
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
