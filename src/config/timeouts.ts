/** How long upstreams may take, and how long a failing one rests, where no setting says otherwise. Milliseconds. */

export type Timeouts = {
  /** Until the host has taken the connection, its certificate included; not kept behind a proxy. */
  connectMs: number;
  /** From the start of a stream until its headers and its first content; keep-alives do not count. */
  firstByteMs: number;
  /** Between two pieces of a stream; keep-alives count. */
  idleMs: number;
  /** The whole call; a call's own deadline shortens it. */
  totalMs: number;
};

export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 5_000, firstByteMs: 60_000, idleMs: 30_000, totalMs: 600_000 };
export const DEFAULT_COOLDOWN_MS = 30_000;
