/**
 * The error that the caller gets when no model answered: the kind of failure, never a provider's own words, address or key (decisions §4).
 */

import type { Mode } from "../../accounts/api-key.ts";
import { ApiError, invalidRequest, serviceUnavailable } from "../../api-error.ts";
import type { Platform } from "../../platform.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";
import type { Candidate } from "../../router/score-candidates.ts";

export const chatRefusal = (
  platform: Platform,
  mode: Mode,
  failure: UpstreamError | undefined,
  candidates: readonly Candidate[],
): ApiError => {
  switch (failure?.kind) {
    case "bad_request":
    case "unsupported_param":
      return invalidRequest(
        "The provider of the chosen model refused the request as malformed; its own words are in the log of this call.",
        fieldAtFault(failure),
      );
    case "context_length":
      return invalidRequest("The prompt is too long for every model that could answer.", "messages", "context_length_exceeded");
    case "content_filter":
      return new ApiError("content_policy_violation", "The provider's safety system rejected the prompt.", { param: "messages" });
    default: {
      const waitMs = msUntilOpen(platform, mode, candidates);
      return serviceUnavailable(
        `No provider could answer: ${reasonOf(failure, waitMs, candidates)}`,
        Math.max(secondsUntilOpen(waitMs), secondsAsked(failure)),
        failure === undefined,
      );
    }
  }
};

/** Where nothing was asked, the log has no attempt that would tell why. */
const reasonOf = (failure: UpstreamError | undefined, waitMs: number, candidates: readonly Candidate[]): string => {
  if (failure !== undefined) return `all failed or are cooling down. The last failure: ${failure.message}`;
  if (waitMs <= 0) return "all failed or are cooling down.";
  const [only] = candidates;
  const who = candidates.length === 1 ? `${only!.model.id} is` : "all models that could be asked are";
  return `${who} cooling down after failures or a rate limit. Nothing was sent.`;
};

/** A provider names a place within its own request; of the fields it may name, only these are called the same in all APIs. */
const fieldAtFault = ({ details }: UpstreamError): string =>
  /^(?:tools|tool_choice)\b/.exec(details.param ?? "")?.[0] ?? "messages";

const LONGEST_WAIT_S = 60;

/** The wait that the last provider asked for applies even if other models were not tried. */
const secondsAsked = (failure: UpstreamError | undefined): number =>
  Math.min(LONGEST_WAIT_S, Math.ceil((failure?.details.retryAfterMs ?? 0) / 1000));

/** Until the first of the models may be called again; not above 0 if one may be called now. */
const msUntilOpen = ({ providers, clock }: Platform, mode: Mode, candidates: readonly Candidate[]): number => {
  const health = providers.healthIn(mode);
  return Math.min(...candidates.map(({ model }) => health.availableAt(model.provider, model.upstreamModel))) - clock.now();
};

const UNKNOWN_WAIT_S = 5;

/** Whole seconds, at least 1. */
const secondsUntilOpen = (waitMs: number): number => (waitMs > 0 ? Math.ceil(waitMs / 1000) : UNKNOWN_WAIT_S);
