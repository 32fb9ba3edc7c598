/** A media or search call to the upstreams behind a neutral model: its request and its outcome. */

import type { Mode } from "../../accounts/api-key.ts";
import type { ApiError } from "../../api-error.ts";
import type { MediaTarget } from "../../catalog/media-models.ts";
import type { CallContext, Provider } from "../provider.ts";
import type { UpstreamError } from "../upstream-error.ts";

/**
 * What providers offer beside chat. `param`: the request's field to name if a provider rejects what is in it. `patience`: how often over an
 * attempt may take the time of a first byte; speech comes as a stream, and large batches of texts are several requests.
 */
export const SERVICES = {
  image: { param: "prompt", patience: 3 },
  edit: { param: "prompt", patience: 3 },
  speech: { param: "input", patience: Number.POSITIVE_INFINITY },
  transcribe: { param: "file", patience: 5 },
  translate: { param: "file", patience: 5 },
  startVideo: { param: "prompt", patience: 1 },
  search: { param: "query", patience: 1 },
  rerank: { param: "documents", patience: 1 },
  moderate: { param: "input", patience: 1 },
  embed: { param: "input", patience: Number.POSITIVE_INFINITY },
} as const;

export type TargetsCall<T> = {
  caller: { mode: Mode; requestId: string; traceparent: string | null };
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** For messages: the neutral model's id, or `web search`. */
  what: string;
  targets: readonly MediaTarget[];
  /** The service that a provider must offer. */
  service: keyof typeof SERVICES;
  /** After such a failure nothing may be tried again: the result may exist already. */
  isFinal?: (error: UpstreamError) => boolean;
  /** The error for the caller, where it is not that of all services. */
  refusal?: (error: UpstreamError) => ApiError | undefined;
  use(provider: Provider, target: MediaTarget, context: CallContext): Promise<T>;
};

/** How many tokens of text were read, and who counted them. */
export type ReadTokens = { read: number; source: "provider" | "estimated" };

export type TargetAttempt = {
  number: number;
  provider: string;
  purpose: "first" | "retry" | "fallback";
  success: boolean;
  latencyMs: number;
  failure?: string;
  failureMessage?: string;
  upstreamStatus?: number;
  /** The call ended while it was at work, as in chat: what was ordered is paid for, as the vendor bills it. */
  abandoned?: true;
  /** What a failed attempt has read nevertheless. */
  tokens?: ReadTokens;
  /** Why the same upstream was not retried although it could have been. */
  notRetried?: "retry_budget";
};

/** Whether the caller left, or the server stopped, while an upstream was at work. */
export const wasAbandoned = (attempts: readonly TargetAttempt[]): boolean => attempts.at(-1)?.abandoned === true;

/** As data, so that the caller can log it either way. */
export type TargetsOutcome<T> = { attempts: TargetAttempt[] } & (
  | { ok: true; value: T; target: MediaTarget }
  | { ok: false; error: ApiError; cancelled: boolean }
);
