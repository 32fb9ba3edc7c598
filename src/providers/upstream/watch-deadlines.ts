/** The four deadlines of an upstream call on one timer, joined with the caller's signal. */

import type { CallContext } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { failureMessage } from "./upstream-failure.ts";

export type Watch = {
  /** Aborts when a deadline passes or the caller disconnects. */
  signal: AbortSignal;
  /** End of the whole call, on the scale of `performance.now()`. */
  endsAt: number;
  /** Sets the current deadline; it may lie before the one it replaces. */
  expectBefore(at: number): void;
  /** Moves the current deadline later; costs an assignment. */
  extendTo(at: number): void;
  /** What a transport error means: a deadline, the caller's own abort, or the error itself. */
  explain(error: unknown): unknown;
  abort(): void;
  stop(): void;
};

/** A timer that is later than this was held up, with the whole program: the machine slept, or had no processor to spare. */
const HELD_UP_MS = 100;
/** To read what came meanwhile. */
const CATCH_UP_MS = 100;

const timedOutError = (provider: string): UpstreamError => new UpstreamError("timeout", failureMessage(provider, "timeout"));

/** The deadline of the whole call becomes a time-out; the abort reason of a caller who disconnected is passed on unchanged. */
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
  /** The deadline that was given time to catch up, which is done once. */
  let excused: number | undefined;
  let isLate = false;

  const arm = (at: number): void => {
    clearTimeout(timer);
    armedFor = at;
    timer = setTimeout(check, Math.max(0, at - performance.now()));
  };
  const check = (): void => {
    const now = performance.now();
    if (now < deadline - 1) arm(deadline);
    else if (now > armedFor + HELD_UP_MS && excused !== deadline) {
      excused = deadline;
      arm(now + CATCH_UP_MS);
    } else {
      isLate = true;
      abort();
    }
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
      if (isLate) return timedOutError(provider);
      return callerSignal.aborted ? reasonOf(callerSignal, provider) : error;
    },
    abort,
    stop() {
      clearTimeout(timer);
      callerSignal.removeEventListener("abort", abort);
    },
  };
};
