/**
 * Counts per day and month: in memory, and written with every group commit (a call's before its answer), so that they survive a restart.
 */

import type { Db } from "../database/database.ts";
import { type CounterKey, findCounter, putCounter } from "./store.ts";

/** A count's name: project, mode, group and period, with a space between. */
type CountName = string;

type PeriodCounts = {
  used(name: CountName): number;
  /** Never below zero. */
  add(name: CountName, amount: number): void;
};

/** Any commit writes the counts, a call's before its answer. Counts without a commit wait at most this long. */
const WRITTEN_WITHIN_MS = 1_000;
const MOST_REMEMBERED = 50_000;

export const createPeriodCounts = (db: Db): PeriodCounts => {
  const counts = new Map<CountName, number>();
  const dirty = new Set<CountName>();
  let isWriteDue = false;

  db.onCommit((sql) => {
    for (const name of dirty) putCounter(sql, toCounterKey(name), counts.get(name) ?? 0);
    sql.afterCommit(() => dirty.clear());
  });

  const used = (name: CountName): number => {
    const known = counts.get(name);
    if (known !== undefined) return known;
    if (counts.size > MOST_REMEMBERED) for (const old of counts.keys()) if (!dirty.has(old)) counts.delete(old);
    const stored = findCounter(db, toCounterKey(name));
    counts.set(name, stored);
    return stored;
  };
  const write = (): void => {
    isWriteDue = false;
    if (dirty.size > 0) void db.write(() => {}).catch(() => {});
  };
  return {
    used,
    add: (name, amount) => {
      if (!isWriteDue) setTimeout(write, WRITTEN_WITHIN_MS).unref();
      isWriteDue = true;
      counts.set(name, Math.max(0, used(name) + amount));
      dirty.add(name);
    },
  };
};

const toCounterKey = (name: CountName): CounterKey => {
  const [projectId, mode, group, period] = name.split(" ") as [string, string, string, string];
  return { projectId, mode, group, period };
};
