/** The error for the caller when no upstream succeeded. */

import { ApiError, callerHungUp, invalidRequest, serviceUnavailable } from "../../api-error.ts";
import type { MediaTarget } from "../../catalog/media-models.ts";
import type { Platform } from "../../platform.ts";
import type { UpstreamError } from "../upstream-error.ts";
import { SERVICES, type TargetsCall } from "./targets-call.ts";

/** Why we ended a call ourselves: the caller disconnected, or a stopping server could wait no longer. */
export const endedEarly = ({ cutOff }: Platform, { signal }: TargetsCall<unknown>): ApiError =>
  signal.aborted ? callerHungUp() : (cutOff.signal.reason as ApiError);

export const mediaRefusal = ({ what, service }: TargetsCall<unknown>, { kind, details }: UpstreamError): ApiError => {
  const { param } = SERVICES[service];
  if (kind === "content_filter") {
    return new ApiError("content_policy_violation", "The request was rejected by the safety system of the model.", {
      param,
      code: "content_policy_violation",
    });
  }
  if (kind === "bad_request")
    return invalidRequest(
      `The upstream of ${what} cannot handle this request; its own words are in the log of this call.`,
      param,
    );
  const seconds = Math.ceil((details.retryAfterMs ?? 0) / 1000);
  return serviceUnavailable(`No upstream of ${what} could answer.`, Math.min(Math.max(5, seconds), 60), false);
};

export const coolingDown = (
  { providers, clock }: Platform,
  { what, caller }: TargetsCall<unknown>,
  resting: readonly { target: MediaTarget }[],
): ApiError => {
  const health = providers.healthIn(caller.mode);
  const soonest = Math.min(...resting.map(({ target }) => health.availableAt(target.provider, target.model)));
  const seconds = Math.max(1, Math.ceil((soonest - clock.now()) / 1000));
  return serviceUnavailable(`Every upstream of ${what} is cooling down after failures.`, Math.min(seconds, 60));
};

/** Says which variable to set. */
export const notConfigured = ({ catalog }: Platform, { what, targets }: TargetsCall<unknown>): ApiError => {
  const variables = targets.flatMap((target) => {
    const entry = catalog.provider(target.provider);
    return entry?.keyVariables[0] ?? entry?.baseUrlVariables[0] ?? [];
  });
  const names = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(new Set(variables));
  const hint = targets.length === 0 ? ": name its servers under media_models" : names === "" ? "" : `: set ${names}`;
  return serviceUnavailable(`No provider is configured for ${what}${hint}.`, 60, false);
};
