/**
 * Bounds what all connections together hold for busy readers: the system delivers half a megabyte at a time, even if less was asked for.
 * Beyond the bound, the body that has waited longest is compressed.
 */

const MOST_UNPACKED_BYTES = 8 * 1024 * 1024;

export type WaitingBody = { pack(): void };

export type WaitingBytes = {
  /** From now on `bytes` of the body wait uncompressed. */
  hold(body: WaitingBody, bytes: number): void;
  /** The body is being read again, or has ended. */
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
