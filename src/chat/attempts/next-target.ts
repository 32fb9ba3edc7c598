/**
 * Which model is asked next (rule 3): the same once more, then one fallback, then the best of what came. Where nothing at all has
 * come, further models are tried. Pure but for the two questions it asks: is the model open, and does it fit what the ceiling leaves.
 */

import type { UpstreamError, UpstreamErrorKind } from "../../providers/provider.ts";
import type { Candidate } from "../../router/score-candidates.ts";

type Purpose = "first" | "retry" | "fallback";
export type Target = { candidate: Candidate; purpose: Purpose; waitMs: number };

/** What the last attempt came to: an answer that did not pass, or a failure. */
export type LastOutcome = { candidate: Candidate; failure: UpstreamError | "check" };

type Progress = {
  tried: Set<string>;
  /** Providers that failed as such: others are asked before them. */
  failedProviders: Set<string>;
  retried: boolean;
  /** A provider's safety system rejected the prompt. */
  rejected: boolean;
  /** Answers in hand, passed or not. */
  answers: number;
  /** Attempts made after the first answer that did not pass. */
  qualityFallbacks: number;
  attempts: number;
};

export const newProgress = (): Progress => ({
  tried: new Set(),
  failedProviders: new Set(),
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
export const nextTarget = (
  ranked: readonly Candidate[],
  progress: Progress,
  last: LastOutcome | undefined,
  isOpen: (candidate: Candidate) => boolean,
  fits: (candidate: Candidate) => boolean,
): Target | undefined => {
  if (progress.attempts >= MOST_ATTEMPTS) return undefined;
  const target =
    last === undefined ? pickFresh(ranked, progress, isOpen, fits, "first") : afterOutcome(ranked, progress, last, isOpen, fits);
  if (target === undefined) return undefined;
  progress.attempts++;
  progress.tried.add(target.candidate.model.id);
  if (target.purpose === "retry") progress.retried = true;
  return target;
};

const afterOutcome = (
  ranked: readonly Candidate[],
  progress: Progress,
  { candidate, failure }: LastOutcome,
  isOpen: (candidate: Candidate) => boolean,
  fits: (candidate: Candidate) => boolean,
): Target | undefined => {
  if (failure !== "check" && (failure.kind === "bad_request" || failure.kind === "unsupported_param")) return undefined;
  if (failure !== "check" && failure.kind === "content_filter") {
    // One safety system may be wrong; what two reject is not carried around to all the others.
    if (progress.rejected) return undefined;
    progress.rejected = true;
  }
  if (failure !== "check" && CONCERNS_PROVIDER.has(failure.kind)) progress.failedProviders.add(candidate.model.provider);
  if (!progress.retried && mayRetry(failure) && fits(candidate) && isOpen(candidate)) {
    return { candidate, purpose: "retry", waitMs: failure === "check" ? 0 : 20 + Math.random() * 80 };
  }
  // An answer in hand is worth one fallback; without any, the next models are asked too.
  if (progress.answers > 0 && progress.qualityFallbacks > 0) return undefined;
  const larger = failure !== "check" && failure.kind === "context_length" ? candidate : undefined;
  const target =
    pickFresh(ranked, progress, isOpen, fits, "fallback", larger, "elsewhere") ??
    pause(progress, candidate, failure, fits) ??
    pickFresh(ranked, progress, isOpen, fits, "fallback", larger, "failed");
  if (target !== undefined && progress.answers > 0) progress.qualityFallbacks++;
  return target;
};

/** A rate limit that ends soon is waited for: further models of the provider share it. */
const pause = (
  progress: Progress,
  candidate: Candidate,
  failure: LastOutcome["failure"],
  fits: (candidate: Candidate) => boolean,
): Target | undefined => {
  if (failure === "check" || failure.kind !== "rate_limit" || progress.retried || progress.answers > 0) return undefined;
  const waitMs = failure.details.retryAfterMs;
  if (waitMs === undefined || waitMs > LONGEST_PATIENCE_MS || !fits(candidate)) return undefined;
  // Those who wait together need not all come at once.
  return { candidate, purpose: "retry", waitMs: waitMs + 20 + Math.random() * 230 };
};

const mayRetry = (failure: LastOutcome["failure"]): boolean => {
  if (failure === "check") return true;
  return failure.retryable && (failure.details.retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
};

/** `larger`: only models with a larger window than this one's can help. `where`: with providers that have failed, or with all others. */
const pickFresh = (
  ranked: readonly Candidate[],
  progress: Progress,
  isOpen: (candidate: Candidate) => boolean,
  fits: (candidate: Candidate) => boolean,
  purpose: Purpose,
  larger?: Candidate,
  where: "elsewhere" | "failed" = "elsewhere",
): Target | undefined => {
  const mayServe = (each: Candidate): boolean =>
    !progress.tried.has(each.model.id) &&
    (larger === undefined || each.model.contextWindow > larger.model.contextWindow) &&
    fits(each) &&
    isOpen(each);
  const isThere = (each: Candidate): boolean => progress.failedProviders.has(each.model.provider) === (where === "failed");
  const candidate = ranked.find((each) => isThere(each) && mayServe(each));
  return candidate && { candidate, purpose, waitMs: 0 };
};
