/** The one source of wall time, so that tests can move it and `SIGNALBOX_CLOCK_OFFSET_S` shifts the whole program. */

export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
};

export const systemClock = (offsetMs = 0): Clock => ({ now: () => Date.now() + offsetMs });

/** A clock that never goes back, so that waits end even if the system's clock is set back. `toWall` converts its times. */
export type SteadyClock = Clock & { toWall(ms: number): number };

export const steadyClock = (clock: Clock): SteadyClock => {
  let last = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  return {
    now: () => {
      const wall = clock.now();
      if (wall + aheadMs < last) aheadMs = last - wall;
      last = wall + aheadMs;
      return last;
    },
    toWall: (ms) => ms - aheadMs,
  };
};

/** A moment by the clock, and the same on the scale of `performance.now()`, which nobody sets. */
export type Beginning = { startedAtMs: number; startedAt: number };

/** A clock that went so much further, or less far, than time passed was set meanwhile, or the machine slept. */
const SET_BY_MS = 10_000;

/** The present, as the end of what began then: by the clock or, if that was set meanwhile, by the time that has passed. */
export const endNow = (clock: Clock, { startedAtMs, startedAt }: Beginning): number => {
  const now = clock.now();
  const passedMs = performance.now() - startedAt;
  return Math.abs(now - startedAtMs - passedMs) < SET_BY_MS ? now : startedAtMs + Math.round(passedMs);
};

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A moment on the wire; null stays null. */
export const toIso = <Ms extends number | null>(ms: Ms) =>
  (ms === null ? null : new Date(ms).toISOString()) as Ms extends null ? null : string;
/** `2026-11-20`, UTC. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** `2026-11`, UTC. */
export const utcMonth = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
/** `utcDay` and `utcMonth`, kept for the day that was asked for last, because each call asks half a dozen times. */
export const createCalendar = (): { dayOf(ms: number): string; monthOf(ms: number): string } => {
  let known = { number: Number.NaN, day: "", month: "" };
  const of = (ms: number) => {
    const number = Math.floor(ms / DAY_MS);
    if (number !== known.number) known = { number, day: utcDay(ms), month: utcMonth(ms) };
    return known;
  };
  return { dayOf: (ms) => of(ms).day, monthOf: (ms) => of(ms).month };
};
/** Start of the UTC day after `ms`. */
export const nextUtcDay = (ms: number): number => (Math.floor(ms / DAY_MS) + 1) * DAY_MS;
/** Start of the UTC month of `ms`, or of the month so many months later. */
export const startOfUtcMonth = (ms: number, later = 0): number => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
};
/** Start of the UTC month after `ms`. */
export const nextUtcMonth = (ms: number): number => startOfUtcMonth(ms, 1);
