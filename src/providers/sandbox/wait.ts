/** Waits as for an upstream: until the time is over, the caller disconnects, or the call's deadline passes. */

import { pause } from "../../lib/pause.ts";
import type { CallContext } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";

/** Rejects with the caller's own reason when it gives up, with UpstreamError `timeout` when `atMostMs` or the call's time is shorter than `ms`. */
export async function wait(ms: number, { signal, remainingMs }: CallContext, atMostMs = Number.POSITIVE_INFINITY): Promise<void> {
  const limit = Math.max(0, Math.min(remainingMs, atMostMs));
  if (!(await pause(Math.min(ms, limit), signal))) throw reasonOf(signal);
  if (ms > limit) throw timedOut();
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

const timedOut = (): UpstreamError => new UpstreamError("timeout", "The sandbox took too long to answer, as it was told to.");

const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason instanceof Error && signal.reason.name === "TimeoutError" ? timedOut() : signal.reason;
