/** Waiting as an upstream makes one wait: until it is over, the caller hangs up or the time for the call has passed. */

import { type CallContext, UpstreamError } from "../provider.ts";

const LONGEST_TIMER_MS = 2_147_483_647;

/** Rejects with the caller's own reason when it gives up, with UpstreamError `timeout` when `atMostMs` or the call's time is shorter than `ms`. */
export async function wait(ms: number, { signal, remainingMs }: CallContext, atMostMs = Number.POSITIVE_INFINITY): Promise<void> {
  throwIfAborted(signal);
  const limit = Math.max(0, Math.min(remainingMs, atMostMs));
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", hungUp);
    };
    const hungUp = (): void => {
      stop();
      reject(reasonOf(signal));
    };
    const timer = setTimeout(
      () => {
        stop();
        if (ms > limit) reject(timedOut());
        else resolve();
      },
      Math.min(ms, limit, LONGEST_TIMER_MS),
    );
    signal.addEventListener("abort", hungUp, { once: true });
  });
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

const timedOut = (): UpstreamError => new UpstreamError("timeout", "The sandbox took too long to answer, as it was told to.");

const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason instanceof Error && signal.reason.name === "TimeoutError" ? timedOut() : signal.reason;
