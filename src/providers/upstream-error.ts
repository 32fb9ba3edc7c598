/** How an upstream call failed, in the classes that decide what to do next (field-notes §2.5). */

import type { TokenUsage } from "../catalog/price.ts";

/**
 * Each kind, and whose fault it is: the service's, which may do better in a moment; the operator's account's there; that of one model; or the
 * request's, which was rightly refused.
 */
const FAULTS = {
  rate_limit: "service",
  overloaded: "service",
  server: "service",
  network: "service",
  timeout: "service",
  truncated: "service",
  auth: "account",
  billing: "account",
  model_gone: "model",
  context_length: "request",
  content_filter: "request",
  unsupported_param: "request",
  bad_request: "request",
} as const;

export type UpstreamErrorKind = keyof typeof FAULTS;

export const faultOf = (kind: UpstreamErrorKind): (typeof FAULTS)[UpstreamErrorKind] => FAULTS[kind];

/** Whether the provider's other models would probably fail as well. */
export const concernsProvider = (kind: UpstreamErrorKind): boolean => faultOf(kind) === "service" || faultOf(kind) === "account";

/**
 * A part of a request that was refused. `once`: not for good, but only as this request has it; `schemas`: because of its schemas, so that
 * all requests with the same ones are refused it.
 */
export type Refusal = { param: string; once?: boolean | "schemas" };

export class UpstreamError extends Error {
  constructor(
    readonly kind: UpstreamErrorKind,
    message: string,
    readonly details: {
      status?: number;
      retryAfterMs?: number;
      /** The parameter the provider named as unsupported. */
      param?: string;
      /** How long that holds. */
      once?: Refusal["once"];
      /** It may well be the request's fault, although it sounds like the account's or the model's: other calls must not suffer for it. */
      isDoubtful?: boolean;
      /** The provider accepted the request before it failed, so the prompt is billed. */
      accepted?: boolean;
      /** No connection was made, so the provider knows nothing of the request. */
      unsent?: boolean;
      /** Usage reported before the failure. */
      usage?: TokenUsage;
      /** Whether the provider says that another attempt can help (`x-should-retry`); overrides the kind. */
      shouldRetry?: boolean;
      /** The provider's own message, shortened and without keys: for the operator's log, never for the caller. */
      upstreamMessage?: string;
    } = {},
  ) {
    super(message);
    this.name = "UpstreamError";
  }
  /** Whether another attempt at the same model can help. */
  get retryable(): boolean {
    return this.details.shouldRetry ?? faultOf(this.kind) === "service";
  }
}

/** A failure is billed for the usage that the provider reported until then. */
export const withUsage = (error: unknown, usage: TokenUsage | undefined): unknown => {
  if (!(error instanceof UpstreamError) || usage === undefined || error.details.usage) return error;
  return new UpstreamError(error.kind, error.message, { ...error.details, accepted: true, usage });
};
