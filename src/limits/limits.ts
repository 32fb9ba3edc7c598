/**
 * Admission by project, mode and group (decisions §3): exact under concurrency, because nothing is awaited between the
 * check and the count. Minutes and places live in memory, days and months also in the file.
 */

import type { Mode } from "../accounts/api-key.ts";
import type { Project } from "../accounts/project.ts";
import type { Db } from "../database/database.ts";
import { type Clock, createCalendar, nextUtcDay, nextUtcMonth } from "../lib/clock.ts";
import { exceeded, thousandths, tooManyAtOnce } from "./exceeded.ts";
import { createPeriodCounts } from "./period-counts.ts";
import { createPlaces } from "./places.ts";
import { createRollingWindow, type RollingWindow } from "./rolling-window.ts";
import { type GroupLimit, type LimitGroup, TIER_LIMITS } from "./tiers.ts";

export type Subject = { project: Project; mode: Mode };
/** For the X-RateLimit headers; undefined where the group has no figure. */
export type RateState = { limit: number; remaining: number; resetSeconds: number };
type UsageOfGroup = { limit: number | null; used: number; remaining: number | null; resetsAtMs: number | null };

export type Limits = {
  /** Counts `amount` requests, or throws 429 and counts nothing. */
  admit(subject: Subject, group: LimitGroup, amount?: number): RateState | undefined;
  /** Gives back what was taken at `atMs` of that day and month, for work that did not come about. */
  refund(subject: Subject, group: LimitGroup, amount: number, atMs: number): void;
  /** As if the one request that began at `sinceMs` and was counted after that had never come. */
  uncount(subject: Subject, group: LimitGroup, sinceMs: number): void;
  /** Counts against the day (minutes of audio; fractions allowed), and one request against the month. */
  admitDaily(subject: Subject, group: LimitGroup, amount: number): void;
  /** Takes one of the concurrent places; the returned function frees it, once. `held` counts what is held elsewhere (jobs in the database). */
  occupy(subject: Subject, group: LimitGroup, held?: number): () => void;
  occupied(subject: Subject, group: LimitGroup): number;
  /** Over all projects: what the process holds open. */
  occupiedByAll(group: LimitGroup): number;
  usage(subject: Subject, group: LimitGroup): UsageOfGroup;
  /** What `admit` would answer, counting nothing. */
  peek(subject: Subject, group: LimitGroup): RateState | undefined;
  /** Requests counted this UTC month in all groups that count towards the quota. */
  monthlyRequests(subject: Subject): number;
  /** Writes the counts that no commit has carried yet. */
  flush(): Promise<void>;
};

/** Groups that count towards the monthly quota of requests. */
const QUOTA_GROUPS: ReadonlySet<LimitGroup> = new Set([
  "chat",
  "embeddings",
  "images",
  "video",
  "speech",
  "transcription",
  "search",
]);
/** Transcription counts minutes; each recording, given back or not, is one request. */
const requestsOf = (group: LimitGroup, amount: number): number => (group === "transcription" ? Math.sign(amount) : amount);

/** The tier's figures, and the project's own before them. */
const limitOf = ({ tier, settings }: Project, group: LimitGroup): GroupLimit => {
  const own = settings.limits?.[group];
  return own === undefined ? TIER_LIMITS[tier].groups[group] : { ...TIER_LIMITS[tier].groups[group], ...own };
};

type Ask = { subject: Subject; group: LimitGroup; now: number; limit: GroupLimit };

export const createLimits = (db: Db, clock: Clock): Limits => {
  const windows = new Map<string, RollingWindow>();
  const counts = createPeriodCounts(db);
  const places = createPlaces();
  const calendar = createCalendar();

  const windowOf = (subject: Subject, group: LimitGroup, size: number): RollingWindow => {
    const name = nameOf(subject, group);
    let window = windows.get(name);
    if (window === undefined || window.size !== size) {
      window = createRollingWindow(size, window);
      windows.set(name, window);
    }
    return window;
  };
  const usedToday = (subject: Subject, group: LimitGroup, now: number): number =>
    counts.used(`${nameOf(subject, group)} ${calendar.dayOf(now)}`);
  const usedThisMonth = (subject: Subject, now: number): number =>
    counts.used(`${nameOf(subject, QUOTA)} ${calendar.monthOf(now)}`);

  const checkMonth = ({ subject, group, now }: Ask, amount: number): void => {
    const quota = TIER_LIMITS[subject.project.tier].requestsPerMonth;
    if (quota === null || !subject.project.settings.enforceMonthlyQuota || !QUOTA_GROUPS.has(group)) return;
    const used = usedThisMonth(subject, now);
    if (used + amount > quota)
      throw exceeded({ limit: quota, used, amount, freeAtMs: nextUtcMonth(now), period: "month" }, group, now);
  };
  const checkDay = ({ subject, group, now, limit: { perDay } }: Ask, amount: number): void => {
    if (perDay === null) return;
    const used = usedToday(subject, group, now);
    if (thousandths(used + amount) > perDay)
      throw exceeded({ limit: perDay, used, amount, freeAtMs: nextUtcDay(now), period: "day" }, group, now);
  };
  const takeMinute = ({ subject, group, now, limit: { perMinute } }: Ask, amount: number): void => {
    if (perMinute === null) return;
    const window = windowOf(subject, group, perMinute);
    const freeAtMs = window.take(now, amount);
    if (freeAtMs === null) return;
    const used = perMinute - window.remaining(now);
    throw exceeded({ limit: perMinute, used, amount, freeAtMs, period: "minute" }, group, now);
  };
  const countPeriods = (subject: Subject, group: LimitGroup, amount: number, now: number): void => {
    counts.add(`${nameOf(subject, group)} ${calendar.dayOf(now)}`, amount);
    if (QUOTA_GROUPS.has(group)) counts.add(`${nameOf(subject, QUOTA)} ${calendar.monthOf(now)}`, requestsOf(group, amount));
  };

  const askOf = (subject: Subject, group: LimitGroup): Ask => ({
    subject,
    group,
    now: clock.now(),
    limit: limitOf(subject.project, group),
  });
  const peek = ({ subject, group, now, limit: { perMinute, perDay } }: Ask): RateState | undefined => {
    const window = perMinute === null ? null : windowOf(subject, group, perMinute);
    return stateOf(now, window, perDay, () => usedToday(subject, group, now));
  };

  return {
    peek: (subject, group) => peek(askOf(subject, group)),
    admit: (subject, group, amount = 1) => {
      const ask = askOf(subject, group);
      checkMonth(ask, amount);
      checkDay(ask, amount);
      takeMinute(ask, amount);
      if (ask.limit.perDay !== null || QUOTA_GROUPS.has(group)) countPeriods(subject, group, amount, ask.now);
      return peek(ask);
    },
    refund: (subject, group, amount, atMs) => countPeriods(subject, group, -amount, atMs),
    uncount: (subject, group, sinceMs) => {
      const { perMinute } = limitOf(subject.project, group);
      if (perMinute !== null) windowOf(subject, group, perMinute).giveBack(sinceMs);
      countPeriods(subject, group, -1, sinceMs);
    },
    admitDaily: (subject, group, amount) => {
      const ask = askOf(subject, group);
      checkMonth(ask, 1);
      checkDay(ask, amount);
      countPeriods(subject, group, amount, ask.now);
    },
    occupy: (subject, group, held = 0) => {
      const { concurrent } = limitOf(subject.project, group);
      const name = nameOf(subject, group);
      if (concurrent !== null && places.taken(name) + held >= concurrent) throw tooManyAtOnce(concurrent, group, clock.now());
      return places.take(name);
    },
    occupied: (subject, group) => places.taken(nameOf(subject, group)),
    occupiedByAll: (group) => places.takenByAll(` ${group}`),
    usage: (subject, group) => {
      const now = clock.now();
      const { perMinute, perDay, concurrent } = limitOf(subject.project, group);
      const isPlaces = group === "streams" || (perMinute === null && concurrent !== null);
      if (perDay !== null || (perMinute === null && !isPlaces))
        return usageOf(perDay, usedToday(subject, group, now), nextUtcDay(now));
      if (perMinute === null) return usageOf(concurrent, places.taken(nameOf(subject, group)), null);
      const window = windowOf(subject, group, perMinute);
      return usageOf(perMinute, perMinute - window.remaining(now), window.resetsAt(now));
    },
    flush: counts.flush,
    monthlyRequests: (subject) => usedThisMonth(subject, clock.now()),
  };
};

/** Under this name the requests of all groups of a month are counted. */
const QUOTA = "quota";
const nameOf = ({ project, mode }: Subject, group: LimitGroup | typeof QUOTA): string => `${project.id} ${mode} ${group}`;

const usageOf = (limit: number | null, used: number, resetsAtMs: number | null): UsageOfGroup => ({
  limit,
  used: thousandths(used),
  remaining: limit === null ? null : thousandths(Math.max(0, limit - used)),
  resetsAtMs,
});

/** The headers speak of whichever of minute and day leaves less. */
const stateOf = (
  now: number,
  window: RollingWindow | null,
  perDay: number | null,
  usedToday: () => number,
): RateState | undefined => {
  const minute = window && {
    limit: window.size,
    remaining: window.remaining(now),
    resetSeconds: Math.ceil(window.resetsAt(now) / 1000),
  };
  if (perDay === null) return minute ?? undefined;
  const day = { limit: perDay, remaining: Math.max(0, perDay - usedToday()), resetSeconds: Math.ceil(nextUtcDay(now) / 1000) };
  return minute !== null && minute.remaining <= day.remaining ? minute : day;
};
