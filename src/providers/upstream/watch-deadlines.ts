/** The four deadlines of an upstream call on one timer, joined with the caller's signal. */

import type { CallContext } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { failureMessage } from "./upstream-failure.ts";

export type Watch = {
  /** Aborts when a deadline passes or the caller disconnects. */
  signal: AbortSignal;
  abort: () => void;
  /** As the signal says, which is slower to ask. */
  isAborted: boolean;
  /** End of the whole call, on the scale of `performance.now()`. */
  endsAt: number;
  /** The current one. */
  deadline: number;
  /** When the timer looks next. */
  armedFor: number;
  timer: Timer | undefined;
  /** The deadline that was given time to catch up, which is done once. */
  excused: number | undefined;
  isLate: boolean;
  provider: string;
  callerSignal: AbortSignal;
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
  const watch: Watch = {
    signal: controller.signal,
    abort: () => {
      watch.isAborted = true;
      controller.abort();
    },
    isAborted: false,
    endsAt,
    deadline: endsAt,
    armedFor: Number.POSITIVE_INFINITY,
    timer: undefined,
    excused: undefined,
    isLate: false,
    provider,
    callerSignal,
  };
  if (callerSignal.aborted) watch.abort();
  else callerSignal.addEventListener("abort", watch.abort, { once: true });
  return watch;
};

/** Sets the current deadline; it may lie before the one it replaces. */
export const expectBefore = (watch: Watch, at: number): void => {
  watch.deadline = Math.min(at, watch.endsAt);
  if (watch.deadline < watch.armedFor) arm(watch, watch.deadline);
};

/** Moves the current deadline later; costs an assignment. */
export const extendTo = (watch: Watch, at: number): void => {
  watch.deadline = Math.min(at, watch.endsAt);
};

/** What a transport error means: a deadline, the caller's own abort, or the error itself. */
export const explainEnd = ({ isLate, provider, callerSignal }: Watch, error: unknown): unknown => {
  if (error instanceof UpstreamError) return error;
  if (isLate) return timedOutError(provider);
  return callerSignal.aborted ? reasonOf(callerSignal, provider) : error;
};

export const stopWatching = ({ timer, callerSignal, abort }: Watch): void => {
  clearTimeout(timer);
  callerSignal.removeEventListener("abort", abort);
};

const arm = (watch: Watch, at: number): void => {
  clearTimeout(watch.timer);
  watch.armedFor = at;
  watch.timer = setTimeout(check, Math.max(0, at - performance.now()), watch);
};

const check = (watch: Watch): void => {
  const now = performance.now();
  const { deadline } = watch;
  if (now < deadline - 1) arm(watch, deadline);
  else if (now > watch.armedFor + HELD_UP_MS && watch.excused !== deadline) {
    watch.excused = deadline;
    arm(watch, now + CATCH_UP_MS);
  } else {
    watch.isLate = true;
    watch.abort();
  }
};
