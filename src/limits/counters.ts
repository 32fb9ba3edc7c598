/**
 * What each project has used, by mode and group: the last minute in memory (and in the file while the program is stopped), day and month in
 * both. After a crash, the last minute's calls are read from the ledger.
 */

import type { Mode } from "../accounts/api-key.ts";
import type { Project } from "../accounts/project.ts";
import type { Db } from "../database/database.ts";
import { findSetting, putSetting } from "../database/settings.ts";
import { createCalendar, MINUTE_MS } from "../lib/clock.ts";
import { createMinuteWindow, type MinuteWindow } from "./minute-window.ts";
import { createPeriodCounts } from "./period-counts.ts";
import { isWork, type LimitGroup } from "./tiers.ts";

export type Subject = { project: Project; mode: Mode };

export type Counters = {
  /** The last minute of a group. */
  windowOf(subject: Subject, group: LimitGroup, now: number): MinuteWindow;
  /** The same under any name. `callsSince`: the times of what it counts in the ledger after a moment, oldest first. */
  windowNamed(name: string, now: number, callsSince: (sinceMs: number) => number[]): MinuteWindow;
  usedToday(subject: Subject, group: LimitGroup, now: number): number;
  /** Requests of all groups that count towards the quota. */
  usedThisMonth(subject: Subject, now: number): number;
  /** Counts in the day and month of `now`; a negative amount takes back. */
  count(subject: Subject, group: LimitGroup, amount: number, now: number): void;
  /** Writes the last minute, and counts that no commit has written yet. */
  flush(now: number): Promise<void>;
};

/** The setting with the last minute, by the names of the windows. */
const LAST_MINUTE = "limits.last_minute";

/** The name under which a month's requests of all groups are counted. */
const QUOTA = "quota";

export const nameOf = ({ project, mode }: Subject, group: LimitGroup | typeof QUOTA): string => `${project.id} ${mode} ${group}`;

/** Transcription counts minutes; each recording, refunded or not, is one request. */
export const requestsOf = (group: LimitGroup, amount: number): number => (group === "transcription" ? Math.sign(amount) : amount);

/** The start times of the group's calls in the ledger after `sinceMs`, oldest first; a request for several images counts as many. */
export type CallsSince = (subject: Subject, group: LimitGroup, sinceMs: number) => number[];

export const createCounters = (db: Db, callsSince: CallsSince): Counters => {
  const windows = new Map<string, MinuteWindow>();
  const beforeRestart = findSetting<Record<string, number[]>>(db, LAST_MINUTE) ?? {};
  const counts = createPeriodCounts(db);
  const calendar = createCalendar();
  const dayName = (subject: Subject, group: LimitGroup, now: number) => `${nameOf(subject, group)} ${calendar.dayOf(now)}`;
  const monthName = (subject: Subject, now: number) => `${nameOf(subject, QUOTA)} ${calendar.monthOf(now)}`;
  /** As the last stop saved it, plus what was answered since by a process that was killed, or while there was no limit. */
  const lastMinuteOf = (name: string, now: number, callsSince: (sinceMs: number) => number[]): number[] => {
    const stored = beforeRestart[name] ?? [];
    return [...stored, ...callsSince(Math.max(stored.at(-1) ?? 0, now - MINUTE_MS))];
  };
  const windowNamed: Counters["windowNamed"] = (name, now, callsSince) => {
    let window = windows.get(name);
    if (window === undefined) {
      window = createMinuteWindow();
      for (const atMs of lastMinuteOf(name, now, callsSince)) window.add(1, atMs);
      windows.set(name, window);
    }
    return window;
  };
  return {
    windowNamed,
    windowOf: (subject, group, now) => windowNamed(nameOf(subject, group), now, (sinceMs) => callsSince(subject, group, sinceMs)),
    usedToday: (subject, group, now) => counts.used(dayName(subject, group, now)),
    usedThisMonth: (subject, now) => counts.used(monthName(subject, now)),
    count: (subject, group, amount, now) => {
      counts.add(dayName(subject, group, now), amount);
      if (isWork(group)) counts.add(monthName(subject, now), requestsOf(group, amount));
    },
    flush: async (now) => {
      // What the last stop saved and nobody asked for since is saved again: stops may follow one another within a minute.
      const all = { ...beforeRestart, ...Object.fromEntries([...windows].map(([name, window]) => [name, window.times()])) };
      const lately = Object.entries(all).filter(([, times]) => (times.at(-1) ?? 0) > now - MINUTE_MS);
      await db.write((sql) => putSetting(sql, LAST_MINUTE, Object.fromEntries(lately), now));
    },
  };
};
