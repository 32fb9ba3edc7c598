/**
 * Admission by project, mode and group (decisions §3): exact under concurrency, because nothing is awaited between the
 * check and the count. Minutes live in memory; days and months go with every group commit, that of a call before its answer, and
 * survive a restart.
 */

import type { Mode } from "../accounts/api-key.ts";
import type { Project } from "../accounts/project.ts";
import { ApiError } from "../api-error.ts";
import type { Db } from "../database/database.ts";
import { type Clock, nextUtcDay, nextUtcMonth, utcDay, utcMonth } from "../lib/clock.ts";
import { createRollingWindow, type RollingWindow } from "./rolling-window.ts";
import { type CounterKey, findCounter, putCounter } from "./store.ts";
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

const FLUSH_AFTER_MS = 1_000;

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

const limitOf = (project: Project, group: LimitGroup): GroupLimit => ({
  ...TIER_LIMITS[project.tier].groups[group],
  ...project.settings.limits?.[group],
});

export const createLimits = (db: Db, clock: Clock): Limits => {
  const windows = new Map<string, RollingWindow>();
  const counters = new Map<string, number>();
  const dirty = new Set<string>();
  const places = new Map<string, number>();
  let flushing: Timer | undefined;

  db.onCommit((sql) => {
    for (const name of dirty) putCounter(sql, toCounterKey(name), counters.get(name) ?? 0);
    dirty.clear();
  });

  const nameOf = ({ project, mode }: Subject, group: string, period: string) => `${project.id} ${mode} ${group} ${period}`;
  const counted = (name: string): number => {
    let used = counters.get(name);
    if (used === undefined) {
      if (counters.size > 50_000) for (const old of counters.keys()) if (!dirty.has(old)) counters.delete(old);
      used = findCounter(db, toCounterKey(name));
      counters.set(name, used);
    }
    return used;
  };
  /** Any commit carries the counts: that of a call comes before its answer. The timer is for what no call carries. */
  const flush = async () => {
    clearTimeout(flushing);
    flushing = undefined;
    if (dirty.size > 0) await db.write(() => {});
  };
  const add = (name: string, amount: number) => {
    flushing ??= setTimeout(() => void flush().catch(() => {}), FLUSH_AFTER_MS).unref();
    counters.set(name, Math.max(0, counted(name) + amount));
    dirty.add(name);
  };
  const windowOf = (subject: Subject, group: LimitGroup, size: number): RollingWindow => {
    const name = `${subject.project.id} ${subject.mode} ${group}`;
    let window = windows.get(name);
    if (window === undefined || window.size !== size) {
      window = createRollingWindow(size, window);
      windows.set(name, window);
    }
    return window;
  };
  const placeOf = ({ project, mode }: Subject, group: LimitGroup) => `${project.id} ${mode} ${group}`;

  const checkMonth = (subject: Subject, group: LimitGroup, amount: number, now: number) => {
    const quota = TIER_LIMITS[subject.project.tier].requestsPerMonth;
    if (quota === null || !subject.project.settings.enforceMonthlyQuota || !QUOTA_GROUPS.has(group)) return;
    const used = counted(nameOf(subject, "quota", utcMonth(now)));
    if (used + amount > quota)
      throw exceeded({ limit: quota, used, amount, freeAtMs: nextUtcMonth(now), period: "month" }, group, now);
  };
  const checkDay = (subject: Subject, group: LimitGroup, perDay: number | null, amount: number, now: number) => {
    if (perDay === null) return;
    const used = counted(nameOf(subject, group, utcDay(now)));
    if (thousandths(used + amount) > perDay)
      throw exceeded({ limit: perDay, used, amount, freeAtMs: nextUtcDay(now), period: "day" }, group, now);
  };
  const countPeriods = (subject: Subject, group: LimitGroup, amount: number, now: number) => {
    add(nameOf(subject, group, utcDay(now)), amount);
    if (QUOTA_GROUPS.has(group)) add(nameOf(subject, "quota", utcMonth(now)), requestsOf(group, amount));
  };

  const peek = (subject: Subject, group: LimitGroup, now: number): RateState | undefined => {
    const { perMinute, perDay } = limitOf(subject.project, group);
    const window = perMinute === null ? null : windowOf(subject, group, perMinute);
    return stateOf(now, window, perDay, () => counted(nameOf(subject, group, utcDay(now))));
  };

  return {
    peek: (subject, group) => peek(subject, group, clock.now()),
    admit: (subject, group, amount = 1) => {
      const now = clock.now();
      const { perMinute, perDay } = limitOf(subject.project, group);
      checkMonth(subject, group, amount, now);
      checkDay(subject, group, perDay, amount, now);
      if (perMinute !== null) {
        const window = windowOf(subject, group, perMinute);
        const freeAt = window.take(now, amount);
        if (freeAt !== null) {
          const used = perMinute - window.remaining(now);
          throw exceeded({ limit: perMinute, used, amount, freeAtMs: freeAt, period: "minute" }, group, now);
        }
      }
      if (perDay !== null || QUOTA_GROUPS.has(group)) countPeriods(subject, group, amount, now);
      return peek(subject, group, now);
    },
    refund: (subject, group, amount, atMs) => countPeriods(subject, group, -amount, atMs),
    uncount: (subject, group, sinceMs) => {
      const { perMinute } = limitOf(subject.project, group);
      if (perMinute !== null) windowOf(subject, group, perMinute).giveBack(sinceMs);
      countPeriods(subject, group, -1, sinceMs);
    },
    admitDaily: (subject, group, amount) => {
      const now = clock.now();
      checkMonth(subject, group, 1, now);
      checkDay(subject, group, limitOf(subject.project, group).perDay, amount, now);
      countPeriods(subject, group, amount, now);
    },
    occupy: (subject, group, held = 0) => {
      const { concurrent } = limitOf(subject.project, group);
      const place = placeOf(subject, group);
      const used = (places.get(place) ?? 0) + held;
      if (concurrent !== null && used >= concurrent) throw tooManyAtOnce(concurrent, group, clock.now());
      places.set(place, (places.get(place) ?? 0) + 1);
      let freed = false;
      return () => {
        if (freed) return;
        freed = true;
        const left = (places.get(place) ?? 1) - 1;
        if (left > 0) places.set(place, left);
        else places.delete(place);
      };
    },
    occupied: (subject, group) => places.get(placeOf(subject, group)) ?? 0,
    occupiedByAll: (group) => {
      let sum = 0;
      for (const [place, count] of places) if (place.endsWith(` ${group}`)) sum += count;
      return sum;
    },
    usage: (subject, group) => {
      const now = clock.now();
      const { perMinute, perDay, concurrent } = limitOf(subject.project, group);
      const isPlaces = group === "streams" || (perMinute === null && concurrent !== null);
      if (perDay !== null || (perMinute === null && !isPlaces)) {
        const used = counted(nameOf(subject, group, utcDay(now)));
        return {
          limit: perDay,
          used,
          remaining: perDay === null ? null : Math.max(0, perDay - used),
          resetsAtMs: nextUtcDay(now),
        };
      }
      if (perMinute !== null) {
        const window = windowOf(subject, group, perMinute);
        const remaining = window.remaining(now);
        return { limit: perMinute, used: perMinute - remaining, remaining, resetsAtMs: window.resetsAt(now) };
      }
      const used = places.get(placeOf(subject, group)) ?? 0;
      return {
        limit: concurrent,
        used,
        remaining: concurrent === null ? null : Math.max(0, concurrent - used),
        resetsAtMs: null,
      };
    },
    flush,
    monthlyRequests: (subject) => counted(nameOf(subject, "quota", utcMonth(clock.now()))),
  };
};

const toCounterKey = (name: string): CounterKey => {
  const [projectId, mode, group, period] = name.split(" ") as [string, string, string, string];
  return { projectId, mode, group, period };
};

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

const headersOf = (limit: number, remaining: number, resetAtMs: number): Record<string, string> => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(Math.ceil(resetAtMs / 1000)),
});

type Excess = { limit: number; used: number; amount: number; freeAtMs: number; period: "minute" | "day" | "month" };

const exceeded = ({ limit, used, amount, freeAtMs, period }: Excess, group: LimitGroup, now: number): ApiError => {
  const left = Math.max(0, thousandths(limit - used));
  const state = left === 0 ? "is used up" : `leaves ${left}, and this request needs ${thousandths(amount)}`;
  return new ApiError("rate_limit_exceeded", `The limit of ${limit} a ${period} for ${group} ${state}.`, {
    retryAfterSeconds: Math.max(1, Math.ceil((freeAtMs - now) / 1000)),
    // Waiting out a day or a month is nothing for a client's automatic retry, and what never fits is not worth one.
    shouldRetry: period === "minute" && amount <= limit,
    headers: headersOf(limit, Math.floor(left), freeAtMs),
  });
};

/** Minutes of audio are fractions: six hundred single seconds add up to a hair more than ten minutes. */
const thousandths = (amount: number): number => Math.round(amount * 1000) / 1000;

const tooManyAtOnce = (limit: number, group: LimitGroup, now: number): ApiError =>
  new ApiError(
    "rate_limit_exceeded",
    `No more than ${limit} ${group === "streams" ? "streams" : `${group} jobs`} may run at once.`,
    {
      retryAfterSeconds: 1,
      headers: headersOf(limit, 0, now + 1000),
    },
  );
