/** The triggers that take effect before an answer (decisions §2): waiting, and failures. In a stream, `disconnect` comes later. */

import { pause } from "../../lib/pause.ts";
import type { CallContext } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { type Faults, slowMsOf } from "./read-faults.ts";

/** `firstByteMs`: how long the first byte may take. `slow` may make a whole answer later than that, but not a stream. */
export type Patience = { firstByteMs?: number; isStream?: boolean };

const RETRY_AFTER_MS = 250;

export async function actOut(
  faults: Faults,
  context: CallContext,
  { firstByteMs = Number.POSITIVE_INFINITY, isStream = false }: Patience = {},
): Promise<void> {
  throwIfAborted(context.signal);
  const slowMs = slowMsOf(faults);
  if (slowMs > 0) await wait(slowMs, context, isStream ? firstByteMs : undefined);
  if (faults.has("timeout")) await wait(Number.POSITIVE_INFINITY, context, firstByteMs);
  if (faults.has("rate-limit"))
    throw new UpstreamError("rate_limit", "The sandbox's rate limit is reached, as the prompt asked for.", {
      status: 429,
      retryAfterMs: RETRY_AFTER_MS,
    });
  if (faults.has("error-500") || faults.has("fail"))
    throw new UpstreamError("server", "The sandbox failed, as the prompt asked for.", { status: 500 });
  if (faults.has("disconnect") && !isStream)
    throw new UpstreamError("network", "The sandbox dropped the connection, as the prompt asked for.", { accepted: true });
}

/** Rejects with the signal's reason if it aborts, and with UpstreamError `timeout` if `atMostMs` or the call's time is shorter than `ms`. */
export async function wait(ms: number, { signal, remainingMs }: CallContext, atMostMs = Number.POSITIVE_INFINITY): Promise<void> {
  const limit = Math.max(0, Math.min(remainingMs, atMostMs));
  if (!(await pause(Math.min(ms, limit), signal))) throw reasonOf(signal);
  if (ms > limit) throw timedOut();
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

const timedOut = (): UpstreamError =>
  new UpstreamError("timeout", "The sandbox took too long to answer, as the prompt asked for.");

const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason instanceof Error && signal.reason.name === "TimeoutError" ? timedOut() : signal.reason;
