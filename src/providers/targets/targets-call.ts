/** A media or search call to the upstreams behind a neutral model: its request and its outcome. */

import type { Mode } from "../../accounts/api-key.ts";
import type { ApiError } from "../../api-error.ts";
import type { MediaTarget } from "../../catalog/media-models.ts";
import type { CallContext, Provider } from "../provider.ts";
import type { UpstreamError } from "../upstream-error.ts";

export type TargetsCall<T> = {
  caller: { mode: Mode; requestId: string; traceparent: string | null };
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** For messages: the neutral model's id, or `web search`. */
  what: string;
  targets: readonly MediaTarget[];
  /** The service that a provider must offer. */
  service: "image" | "edit" | "speech" | "transcribe" | "translate" | "startVideo" | "search" | "rerank" | "moderate";
  /** Longest time of one attempt, in milliseconds. */
  attemptMs: number;
  /** The request field to name if a provider rejects the prompt. */
  param: string;
  /** After such a failure nothing may be tried again: the result may exist already. */
  isFinal?: (error: UpstreamError) => boolean;
  use(provider: Provider, target: MediaTarget, context: CallContext): Promise<T>;
};

export type TargetAttempt = {
  number: number;
  provider: string;
  purpose: "first" | "retry" | "fallback";
  success: boolean;
  latencyMs: number;
  failure?: string;
  failureMessage?: string;
  upstreamStatus?: number;
  /** The caller left while it was at work: what was ordered is paid for, as the vendor bills it. */
  abandoned?: true;
  /** Why the same upstream was not retried although it could have been. */
  notRetried?: "retry_budget";
};

/** Whether the caller left while an upstream was at work. */
export const wasAbandoned = (attempts: readonly TargetAttempt[]): boolean => attempts.at(-1)?.abandoned === true;

/** As data, so that the caller can log it either way. */
export type TargetsOutcome<T> = { attempts: TargetAttempt[] } & (
  | { ok: true; value: T; target: MediaTarget }
  | { ok: false; error: ApiError; cancelled: boolean }
);
