/**
 * Admission by project, mode and group (decisions §3): exact under concurrency, because nothing is awaited between the
 * check and the count. Minutes live in memory; days and months are flushed with every group commit and survive a restart.
 */

import type { Mode } from "../accounts/api-key.ts";
import type { Project } from "../accounts/project.ts";
import { ApiError } from "../api-error.ts";
import type { Db } from "../database/database.ts";
import { type Clock, nextUtcDay, nextUtcMonth, utcDay, utcMonth } from "../lib/clock.ts";
import { createRollingWindow, type RollingWindow } from "./rolling-window.ts";
import { type GroupLimit, type LimitGroup, TIER_LIMITS } from "./tiers.ts";

export type Subject = { project: Project; mode: Mode };
/** For the X-RateLimit headers; undefined where the group has no figure. */
export type RateState = { limit: number; remaining: number; resetSeconds: number };
export type UsageOfGroup = { limit: number | null; used: number; remaining: number | null; resetsAtMs: number | null };

export type Limits = {
  /** Counts `amount` requests, or throws 429 and counts nothing. */
  admit(subject: Subject, group: LimitGroup, amount?: number): RateState | undefined;
  /** Gives back what `admit` took of the day for work that did not come about. */
  refund(subject: Subject, group: LimitGroup, amount: number): void;
  /** Counts against the day only (minutes of audio); fractions allowed. */
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
};

/** Groups that count towards the monthly quota of requests. */
const QUOTA_GROUPS: ReadonlySet<LimitGroup> = new Set(["chat", "embeddings", "images", "video", "speech", "search"]);

export const limitOf = (project: Project, group: LimitGroup): GroupLimit => ({
  ...TIER_LIMITS[project.tier].groups[group],
  ...project.settings.limits?.[group],
});

export const createLimits = (db: Db, clock: Clock): Limits => {
  const windows = new Map<string, RollingWindow>();
  const counters = new Map<string, number>();
  const dirty = new Set<string>();
  const places = new Map<string, number>();

  db.onCommit((sql) => {
    for (const name of dirty) {
      const [projectId, mode, group, period] = name.split(" ") as [string, string, string, string];
      sql.run(
        `INSERT INTO limit_counters (project_id, mode, limit_group, period, used) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (project_id, mode, limit_group, period) DO UPDATE SET used = excluded.used`,
        projectId,
        mode,
        group,
        period,
        counters.get(name) ?? 0,
      );
    }
    dirty.clear();
  });

  const nameOf = ({ project, mode }: Subject, group: string, period: string) => `${project.id} ${mode} ${group} ${period}`;
  const counted = (name: string): number => {
    let used = counters.get(name);
    if (used === undefined) {
      if (counters.size > 50_000) for (const old of counters.keys()) if (!dirty.has(old)) counters.delete(old);
      const [projectId, mode, group, period] = name.split(" ") as [string, string, string, string];
      used =
        db.get<{ used: number }>(
          "SELECT used FROM limit_counters WHERE project_id = ? AND mode = ? AND limit_group = ? AND period = ?",
          projectId,
          mode,
          group,
          period,
        )?.used ?? 0;
      counters.set(name, used);
    }
    return used;
  };
  const add = (name: string, amount: number) => {
    // The first uncommitted count asks for a commit of its own, in case no call comes to carry it.
    if (dirty.size === 0) void db.write(() => {}).catch(() => {});
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
    if (counted(nameOf(subject, "quota", utcMonth(now))) + amount > quota)
      throw exceeded(quota, 0, nextUtcMonth(now), now, "month", group);
  };
  const checkDay = (subject: Subject, group: LimitGroup, perDay: number | null, amount: number, now: number) => {
    if (perDay === null) return;
    if (counted(nameOf(subject, group, utcDay(now))) + amount > perDay)
      throw exceeded(perDay, 0, nextUtcDay(now), now, "day", group);
  };
  const countPeriods = (subject: Subject, group: LimitGroup, amount: number, now: number) => {
    add(nameOf(subject, group, utcDay(now)), amount);
    if (QUOTA_GROUPS.has(group)) add(nameOf(subject, "quota", utcMonth(now)), amount);
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
        if (freeAt !== null) throw exceeded(perMinute, window.remaining(now), freeAt, now, "minute", group);
      }
      if (perDay !== null || QUOTA_GROUPS.has(group)) countPeriods(subject, group, amount, now);
      return peek(subject, group, now);
    },
    refund: (subject, group, amount) => countPeriods(subject, group, -amount, clock.now()),
    admitDaily: (subject, group, amount) => {
      const now = clock.now();
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
      if (perDay !== null || (perMinute === null && concurrent === null)) {
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
    monthlyRequests: (subject) => counted(nameOf(subject, "quota", utcMonth(clock.now()))),
  };
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

const exceeded = (limit: number, remaining: number, freeAtMs: number, now: number, period: string, group: LimitGroup): ApiError =>
  new ApiError("rate_limit_exceeded", `The limit of ${limit} a ${period} for ${group} is used up.`, {
    retryAfterSeconds: Math.max(1, Math.ceil((freeAtMs - now) / 1000)),
    // Waiting out a day or a month is nothing for a client's automatic retry.
    shouldRetry: period === "minute",
    headers: headersOf(limit, remaining, freeAtMs),
  });

const tooManyAtOnce = (limit: number, group: LimitGroup, now: number): ApiError =>
  new ApiError(
    "rate_limit_exceeded",
    `No more than ${limit} ${group === "streams" ? "streams" : `${group} jobs`} may run at once.`,
    {
      retryAfterSeconds: 1,
      headers: headersOf(limit, 0, now + 1000),
    },
  );
