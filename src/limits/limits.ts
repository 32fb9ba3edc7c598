/**
 * Admission by project, mode and group (decisions §3): exact under concurrency, because nothing is awaited between check and count. Minutes
 * and slots are in memory, days and months also in the file (minutes too, while the program is stopped).
 */

import type { Project } from "../accounts/project.ts";
import type { Db } from "../database/database.ts";
import { type Clock, MINUTE_MS, nextUtcDay, nextUtcMonth } from "../lib/clock.ts";
import { type CallsSince, type Counters, createCounters, nameOf, requestsOf, type Subject } from "./counters.ts";
import { exceeded, tooManyAtOnce, withoutRoundingError } from "./exceeded.ts";
import { createKeyLimits, type KeyLimits, type LedgerOfKey } from "./key-limits.ts";
import { type LimitState, stateOf, type UsageOfLimit } from "./limit-state.ts";
import { createSlots } from "./slots.ts";
import { countedOnly, type GroupLimit, isWork, type LimitGroup, TIER_LIMITS } from "./tiers.ts";

/** Slots held by jobs in the database. */
type JobsUnderWay = (subject: Subject, group: LimitGroup) => number;

export type Limits = {
  /** Counts `amount` requests (of transcription minutes, with fractions), or throws 429 and counts nothing. Undefined if the group has no limit. */
  admit(subject: Subject, group: LimitGroup, amount?: number): LimitState | undefined;
  /** Gives back what was counted at `atMs` in that day and month, for work that was not done. */
  refund(subject: Subject, group: LimitGroup, amount: number, atMs: number): void;
  /** Removes the one request that began at `sinceMs` and was counted after that. */
  uncount(subject: Subject, group: LimitGroup, sinceMs: number): void;
  /** Takes one of the concurrent slots; the returned function frees it, once. `freeAtMs`: when the next is likely to be free. */
  occupy(subject: Subject, group: LimitGroup, freeAtMs?: number): () => void;
  /** Over all projects. */
  occupiedByAll(group: LimitGroup): number;
  usage(subject: Subject, group: LimitGroup): UsageOfLimit;
  /** The result of `admit`, without counting. */
  peek(subject: Subject, group: LimitGroup): LimitState | undefined;
  /** Requests counted this UTC month in all groups that count towards the quota. */
  monthlyRequests(subject: Subject): number;
  /** The keys' own limits. */
  ofKey: KeyLimits;
  /** Writes what is only in memory: uncommitted counts, and the last minute. */
  flush(): Promise<void>;
};

/** The tier's figures, overridden by the project's own. */
const limitOf = ({ tier, settings }: Project, group: LimitGroup): GroupLimit => {
  const own = settings.limits?.[group];
  return own === undefined ? TIER_LIMITS[tier].groups[group] : { ...TIER_LIMITS[tier].groups[group], ...countedOnly(group, own) };
};

/** One request to be checked against a limit. */
type Ask = { subject: Subject; group: LimitGroup; now: number; limit: GroupLimit };

export const createLimits = (
  db: Db,
  clock: Clock,
  callsSince: CallsSince,
  ledgerOfKey: LedgerOfKey,
  jobsUnderWay: JobsUnderWay,
): Limits => {
  const counters = createCounters(db, callsSince);
  const slots = createSlots();
  const taken = (subject: Subject, group: LimitGroup) => slots.taken(nameOf(subject, group)) + jobsUnderWay(subject, group);
  const askOf = (subject: Subject, group: LimitGroup): Ask => ({
    subject,
    group,
    now: clock.now(),
    limit: limitOf(subject.project, group),
  });
  return {
    peek: (subject, group) => rateStateOf(counters, askOf(subject, group)),
    admit: (subject, group, amount = 1) => {
      const ask = askOf(subject, group);
      checkMonth(counters, ask, requestsOf(group, amount));
      checkDay(counters, ask, amount);
      takeMinute(counters, ask, amount);
      const { perMinute, perDay } = ask.limit;
      if (perMinute === null || perDay !== null || isWork(group)) counters.count(subject, group, amount, ask.now);
      return rateStateOf(counters, ask);
    },
    refund: (subject, group, amount, atMs) => counters.count(subject, group, -amount, atMs),
    uncount: (subject, group, sinceMs) => {
      const { perMinute } = limitOf(subject.project, group);
      if (perMinute !== null) counters.windowOf(subject, group, clock.now()).takeBack(sinceMs);
      counters.count(subject, group, -1, sinceMs);
    },
    occupy: (subject, group, freeAtMs) => {
      const { concurrent } = limitOf(subject.project, group);
      if (concurrent !== null && taken(subject, group) >= concurrent)
        throw tooManyAtOnce(concurrent, group, clock.now(), freeAtMs);
      return slots.take(nameOf(subject, group));
    },
    occupiedByAll: (group) => slots.takenByAll(` ${group}`),
    usage: (subject, group) => usageOf(counters, askOf(subject, group), taken(subject, group)),
    monthlyRequests: (subject) => counters.usedThisMonth(subject, clock.now()),
    ofKey: createKeyLimits(counters, clock, ledgerOfKey),
    flush: () => counters.flush(clock.now()),
  };
};

const checkMonth = (counters: Counters, { subject, group, now }: Ask, amount: number): void => {
  const quota = TIER_LIMITS[subject.project.tier].requestsPerMonth;
  if (quota === null || !subject.project.settings.enforceMonthlyQuota || !isWork(group)) return;
  const used = counters.usedThisMonth(subject, now);
  if (used + amount > quota)
    throw exceeded({ state: stateOf(quota, used, nextUtcMonth(now)), amount, period: "month" }, group, now);
};

const checkDay = (counters: Counters, { subject, group, now, limit: { perDay } }: Ask, amount: number): void => {
  if (perDay === null) return;
  const used = counters.usedToday(subject, group, now);
  if (withoutRoundingError(used + amount) > perDay)
    throw exceeded({ state: stateOf(perDay, used, nextUtcDay(now)), amount, period: "day" }, group, now);
};

const takeMinute = (counters: Counters, { subject, group, now, limit: { perMinute } }: Ask, amount: number): void => {
  if (perMinute === null) return;
  const window = counters.windowOf(subject, group, now);
  if (window.used(now) + amount <= perMinute) {
    window.add(amount, now);
    return;
  }
  const resetsAtMs = amount > perMinute ? now + MINUTE_MS : window.downTo(perMinute - amount, now);
  throw exceeded({ state: { ...window.state(perMinute, now), resetsAtMs }, amount, period: "minute" }, group, now);
};

/** By the day if that is limited, else by the minute, else by concurrency; without any limit by the day. */
const usageOf = (counters: Counters, { subject, group, now, limit }: Ask, taken: number): UsageOfLimit => {
  const { perMinute, perDay, concurrent } = limit;
  if (perDay === null && perMinute !== null) return counters.windowOf(subject, group, now).state(perMinute, now);
  if (perDay === null && (concurrent !== null || group === "streams")) return stateOf(concurrent, taken, null);
  return stateOf(perDay, counters.usedToday(subject, group, now), nextUtcDay(now));
};

/** The headers show whichever of minute and day leaves less. */
const rateStateOf = (counters: Counters, { subject, group, now, limit: { perMinute, perDay } }: Ask): LimitState | undefined => {
  const minute = perMinute === null ? undefined : counters.windowOf(subject, group, now).state(perMinute, now);
  if (perDay === null) return minute;
  const day = stateOf(perDay, counters.usedToday(subject, group, now), nextUtcDay(now));
  return minute !== undefined && minute.remaining <= day.remaining ? minute : day;
};
