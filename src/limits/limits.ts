/**
 * Admission by project, mode and group (decisions §3): exact under concurrency, because nothing is awaited between the
 * check and the count. Minutes (over a stop in the file) and places live in memory, days and months also in the file.
 */

import type { Project } from "../accounts/project.ts";
import type { Db } from "../database/database.ts";
import { type Clock, nextUtcDay, nextUtcMonth } from "../lib/clock.ts";
import { exceeded, thousandths, tooManyAtOnce, withoutHair } from "./exceeded.ts";
import { createPlaces } from "./places.ts";
import { type CallsSince, createTallies, nameOf, type Subject, type Tallies } from "./tallies.ts";
import { countsTowardsQuota, type GroupLimit, type LimitGroup, TIER_LIMITS } from "./tiers.ts";

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
  /** Over all projects: what the process holds open. */
  occupiedByAll(group: LimitGroup): number;
  usage(subject: Subject, group: LimitGroup): UsageOfGroup;
  /** What `admit` would answer, counting nothing. */
  peek(subject: Subject, group: LimitGroup): RateState | undefined;
  /** Requests counted this UTC month in all groups that count towards the quota. */
  monthlyRequests(subject: Subject): number;
  /** Writes what is only in memory: counts that no commit has carried yet, and the last minute. */
  flush(): Promise<void>;
};

/** The tier's figures, and the project's own before them. */
const limitOf = ({ tier, settings }: Project, group: LimitGroup): GroupLimit => {
  const own = settings.limits?.[group];
  return own === undefined ? TIER_LIMITS[tier].groups[group] : { ...TIER_LIMITS[tier].groups[group], ...own };
};

/** One request before a limit. */
type Ask = { subject: Subject; group: LimitGroup; now: number; limit: GroupLimit };

export const createLimits = (db: Db, clock: Clock, callsSince: CallsSince): Limits => {
  const tallies = createTallies(db, callsSince);
  const places = createPlaces();
  const askOf = (subject: Subject, group: LimitGroup): Ask => ({
    subject,
    group,
    now: clock.now(),
    limit: limitOf(subject.project, group),
  });
  return {
    peek: (subject, group) => rateStateOf(tallies, askOf(subject, group)),
    admit: (subject, group, amount = 1) => {
      const ask = askOf(subject, group);
      checkMonth(tallies, ask, amount);
      checkDay(tallies, ask, amount);
      takeMinute(tallies, ask, amount);
      if (ask.limit.perDay !== null || countsTowardsQuota(group)) tallies.count(subject, group, amount, ask.now);
      return rateStateOf(tallies, ask);
    },
    refund: (subject, group, amount, atMs) => tallies.count(subject, group, -amount, atMs),
    uncount: (subject, group, sinceMs) => {
      const { perMinute } = limitOf(subject.project, group);
      if (perMinute !== null) tallies.windowOf(subject, group, perMinute, clock.now()).giveBack(sinceMs);
      tallies.count(subject, group, -1, sinceMs);
    },
    admitDaily: (subject, group, amount) => {
      const ask = askOf(subject, group);
      checkMonth(tallies, ask, 1);
      checkDay(tallies, ask, amount);
      tallies.count(subject, group, amount, ask.now);
    },
    occupy: (subject, group, held = 0) => {
      const { concurrent } = limitOf(subject.project, group);
      const name = nameOf(subject, group);
      if (concurrent !== null && places.taken(name) + held >= concurrent) throw tooManyAtOnce(concurrent, group, clock.now());
      return places.take(name);
    },
    occupiedByAll: (group) => places.takenByAll(` ${group}`),
    usage: (subject, group) => usageOf(tallies, askOf(subject, group), places.taken(nameOf(subject, group))),
    monthlyRequests: (subject) => tallies.usedThisMonth(subject, clock.now()),
    flush: () => tallies.flush(clock.now()),
  };
};

const checkMonth = (tallies: Tallies, { subject, group, now }: Ask, amount: number): void => {
  const quota = TIER_LIMITS[subject.project.tier].requestsPerMonth;
  if (quota === null || !subject.project.settings.enforceMonthlyQuota || !countsTowardsQuota(group)) return;
  const used = tallies.usedThisMonth(subject, now);
  if (used + amount > quota)
    throw exceeded({ limit: quota, used, amount, freeAtMs: nextUtcMonth(now), period: "month" }, group, now);
};

const checkDay = (tallies: Tallies, { subject, group, now, limit: { perDay } }: Ask, amount: number): void => {
  if (perDay === null) return;
  const used = tallies.usedToday(subject, group, now);
  if (withoutHair(used + amount) > perDay)
    throw exceeded({ limit: perDay, used, amount, freeAtMs: nextUtcDay(now), period: "day" }, group, now);
};

const takeMinute = (tallies: Tallies, { subject, group, now, limit: { perMinute } }: Ask, amount: number): void => {
  if (perMinute === null) return;
  const window = tallies.windowOf(subject, group, perMinute, now);
  const freeAtMs = window.take(now, amount);
  if (freeAtMs === null) return;
  const used = perMinute - window.remaining(now);
  throw exceeded({ limit: perMinute, used, amount, freeAtMs, period: "minute" }, group, now);
};

/** By the day where it is bounded, else by the minute, else by what runs at once. */
const usageOf = (tallies: Tallies, { subject, group, now, limit }: Ask, taken: number): UsageOfGroup => {
  const { perMinute, perDay, concurrent } = limit;
  const isPlaces = group === "streams" || (perMinute === null && concurrent !== null);
  if (perDay !== null || (perMinute === null && !isPlaces))
    return usedOf(perDay, tallies.usedToday(subject, group, now), nextUtcDay(now));
  if (perMinute === null) return usedOf(concurrent, taken, null);
  const window = tallies.windowOf(subject, group, perMinute, now);
  return usedOf(perMinute, perMinute - window.remaining(now), window.resetsAt(now));
};

const usedOf = (limit: number | null, used: number, resetsAtMs: number | null): UsageOfGroup => ({
  limit,
  used: thousandths(used),
  remaining: limit === null ? null : thousandths(Math.max(0, limit - used)),
  resetsAtMs,
});

/** The headers speak of whichever of minute and day leaves less. */
const rateStateOf = (tallies: Tallies, { subject, group, now, limit: { perMinute, perDay } }: Ask): RateState | undefined => {
  const window = perMinute === null ? undefined : tallies.windowOf(subject, group, perMinute, now);
  const minute = window && {
    limit: window.size,
    remaining: window.remaining(now),
    resetSeconds: Math.ceil(window.resetsAt(now) / 1000),
  };
  if (perDay === null) return minute;
  const left = Math.max(0, perDay - tallies.usedToday(subject, group, now));
  const day = { limit: perDay, remaining: left, resetSeconds: Math.ceil(nextUtcDay(now) / 1000) };
  return minute !== undefined && minute.remaining <= day.remaining ? minute : day;
};
