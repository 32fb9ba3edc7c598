/** Work outside requests: durable jobs (leases, retries, resumption after a crash), regular chores, and tasks after an answer. */

import type { Db, Sql } from "../database/database.ts";
import { type Clock, steadyClock } from "../lib/clock.ts";
import { describeError, type ProcessLog } from "../process-log.ts";
import { createJobRunner, type JobRunner } from "./run-jobs.ts";
import { insertJob, type NewJob } from "./store.ts";

export { Abandoned, type JobContext, type JobHandler, type JobOutcome } from "./run-job.ts";
export type { Job } from "./store.ts";

export type Background = JobRunner & {
  /** Call it within the transaction that makes the work necessary, and `wake` once that has committed. Returns the job's id. */
  enqueue(sql: Sql, job: NewJob): string;
  /** Runs after the current answer; failures are logged. */
  soon(name: string, task: () => Promise<unknown>): void;
  /** Runs now, because much may have changed or expired while the program was off, and then each `ms`, but never twice at a time. */
  every(ms: number, name: string, task: () => Promise<unknown>): void;
  /** Resolves when nothing is running and no job is due: for tests and shutdown. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

const POLL_MS = 1_000;

export const createBackground = (db: Db, wall: Clock, log: ProcessLog): Background => {
  const clock = steadyClock(wall);
  const underWay = new Set<Promise<unknown>>();
  const timers: Timer[] = [];
  const stopping = new AbortController();

  const track = (work: Promise<unknown>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const soon = (name: string, task: () => Promise<unknown>): void =>
    track(task().catch((error) => log.error("Background work failed", { task: name, ...describeError(error) })));
  const repeat = (ms: number, work: () => void): void => {
    const timer = setInterval(work, ms);
    timer.unref();
    timers.push(timer);
  };
  const idle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.allSettled([...underWay]);
  };
  const jobs = createJobRunner({ db, clock, log, stopping: stopping.signal, track });

  return {
    ...jobs,
    enqueue: (sql, job) => insertJob(sql, job, clock.now()),
    soon,
    every: (ms, name, task) => {
      let isRunning = false;
      const runAlone = async (): Promise<void> => {
        isRunning = true;
        try {
          await task();
        } finally {
          isRunning = false;
        }
      };
      const run = (): void => {
        if (!isRunning) soon(name, runAlone);
      };
      run();
      repeat(ms, run);
    },
    start: async () => {
      await jobs.start();
      repeat(POLL_MS, jobs.wake);
    },
    idle,
    stop: async () => {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      await idle();
    },
  };
};
