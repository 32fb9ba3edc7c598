/** One media or search call over the upstreams behind a neutral model: what is asked of them, and what came of it. */

import type { Mode } from "../../accounts/api-key.ts";
import type { ApiError } from "../../api-error.ts";
import type { MediaTarget } from "../../catalog/media-models.ts";
import type { CallContext, Provider } from "../provider.ts";
import type { UpstreamError } from "../upstream-error.ts";

export type TargetsCall<T> = {
  caller: { mode: Mode; requestId: string; traceparent: string | null };
  /** Aborts when the caller hangs up. */
  signal: AbortSignal;
  /** For messages: the neutral model's id, or `web search`. */
  what: string;
  targets: readonly MediaTarget[];
  /** What a provider must be able to do to count. */
  service: "image" | "speech" | "transcribe" | "startVideo" | "search";
  /** Most milliseconds of one attempt. */
  attemptMs: number;
  /** The request's field that a refusal of the prompt names. */
  param: string;
  /** After such a failure nothing may be tried again: what was asked for may exist already. */
  isFinal?: (error: UpstreamError) => boolean;
  use(provider: Provider, target: MediaTarget, context: CallContext): Promise<T>;
};

export type TargetAttempt = {
  number: number;
  provider: string;
  upstreamModel: string;
  purpose: "first" | "retry" | "fallback";
  success: boolean;
  latencyMs: number;
  failure?: string;
  failureMessage?: string;
  upstreamStatus?: number;
  /** Why the same upstream was not asked once more, where it could have been. */
  notRetried?: "retry_budget";
};

/** As data, so that the story can log it either way. */
export type TargetsOutcome<T> = { attempts: TargetAttempt[] } & (
  | { ok: true; value: T; target: MediaTarget }
  | { ok: false; error: ApiError; cancelled: boolean }
);
