/** The four deadlines of an upstream call on one timer, joined with the caller's signal. */

import { type CallContext, UpstreamError } from "./provider.ts";
import { failureMessage } from "./upstream-failure.ts";

export type Timeouts = {
  /**
   * Until the response headers of a stream (fetch reports no earlier sign of life).
   * Whole answers have no such deadline: their headers come when the model is done.
   */
  connectMs: number;
  /** From the start of a stream until its first content; keep-alives do not count. */
  firstByteMs: number;
  /** Between two pieces of a stream; keep-alives count. */
  idleMs: number;
  /** The whole call; the context's `remainingMs` shortens it. */
  totalMs: number;
};

export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 30_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 };

export type Watch = {
  /** Aborts when a deadline passes or the caller gives up. */
  signal: AbortSignal;
  /** End of the whole call, on the scale of `performance.now()`. */
  endsAt: number;
  /** Sets the current deadline; it may lie before the one it replaces. */
  expectBefore(at: number): void;
  /** Moves the current deadline later; costs an assignment. */
  extendTo(at: number): void;
  /** What an error thrown by fetch or a read means: the deadline, the caller's own reason, or the error itself. */
  explain(error: unknown): unknown;
  abort(): void;
  stop(): void;
};

const timedOutError = (provider: string): UpstreamError => new UpstreamError("timeout", failureMessage(provider, "timeout"));

/** A passed deadline of the whole call is a time-out; the reason of a caller that hung up is passed on as it is. */
const reasonOf = ({ reason }: AbortSignal, provider: string): unknown =>
  reason instanceof Error && reason.name === "TimeoutError" ? timedOutError(provider) : reason;

export const watchDeadlines = (
  provider: string,
  totalMs: number,
  { signal: callerSignal, remainingMs }: Pick<CallContext, "signal" | "remainingMs">,
): Watch => {
  const controller = new AbortController();
  const endsAt = performance.now() + Math.min(totalMs, remainingMs);
  let deadline = endsAt;
  let armedFor = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timedOut = false;

  const arm = (at: number): void => {
    clearTimeout(timer);
    armedFor = at;
    timer = setTimeout(check, Math.max(0, at - performance.now()));
  };
  const check = (): void => {
    if (performance.now() < deadline - 1) {
      arm(deadline);
      return;
    }
    timedOut = true;
    controller.abort();
  };
  const abort = (): void => controller.abort();
  if (callerSignal.aborted) abort();
  else callerSignal.addEventListener("abort", abort, { once: true });

  return {
    signal: controller.signal,
    endsAt,
    expectBefore(at) {
      deadline = Math.min(at, endsAt);
      if (deadline < armedFor) arm(deadline);
    },
    extendTo(at) {
      deadline = Math.min(at, endsAt);
    },
    explain(error) {
      if (error instanceof UpstreamError) return error;
      if (timedOut) return timedOutError(provider);
      return callerSignal.aborted ? reasonOf(callerSignal, provider) : error;
    },
    abort,
    stop() {
      clearTimeout(timer);
      callerSignal.removeEventListener("abort", abort);
    },
  };
};
