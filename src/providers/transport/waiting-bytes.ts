/**
 * What the connections together hold for readers that do not ask: the system hands over half a megabyte at a time, whoever asked for
 * less. Beyond a bound, the body that has waited longest is packed.
 */

const MOST_UNPACKED_BYTES = 8 * 1024 * 1024;

export type WaitingBody = { pack(): void };

export type WaitingBytes = {
  /** `bytes` of the body wait, unpacked, from now on. */
  hold(body: WaitingBody, bytes: number): void;
  /** The body is read again, or over. */
  release(body: WaitingBody): void;
};

export const createWaitingBytes = (mostBytes = MOST_UNPACKED_BYTES): WaitingBytes => {
  /** In the order in which they began to wait. */
  const bodies = new Map<WaitingBody, number>();
  let total = 0;
  const release = (body: WaitingBody): void => {
    total -= bodies.get(body) ?? 0;
    bodies.delete(body);
  };
  return {
    release,
    hold(body, bytes) {
      release(body);
      bodies.set(body, bytes);
      total += bytes;
      for (const longest of bodies.keys()) {
        if (total <= mostBytes) return;
        release(longest);
        longest.pack();
      }
    },
  };
};
