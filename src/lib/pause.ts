/** A wait that ends early if a signal aborts, and leaves no listener behind. */

const LONGEST_TIMER_MS = 2_147_483_647;

/** False, at once, if the signal has aborted or aborts meanwhile. */
export const pause = async (ms: number, signal: AbortSignal): Promise<boolean> => {
  if (signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = (): void => resolve();
  const timer = setTimeout(wake, Math.min(ms, LONGEST_TIMER_MS));
  signal.addEventListener("abort", wake, { once: true });
  await promise;
  clearTimeout(timer);
  // A signal with listeners lives as long as the signals it was made of, and one of them may be the server's.
  signal.removeEventListener("abort", wake);
  return !signal.aborted;
};
