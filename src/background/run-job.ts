/** Runs one job that was claimed, and records its outcome. */

import type { Db, Sql } from "../database/database.ts";
import { isUnwritable } from "../database/unwritable.ts";
import type { SteadyClock } from "../lib/clock.ts";
import { pause } from "../lib/pause.ts";
import { describeError, type ProcessLog } from "../process-log.ts";
import { continueJob, deleteJob, extendLease, forgiveAttempts, type Job, releaseJob, retryJob } from "./store.ts";

export type JobContext = {
  /** Aborts at shutdown: the job is handed back and runs again after the next start. */
  signal: AbortSignal;
  /** Call it before each piece of the work. Throws if the program stops, and Abandoned when another worker has taken the job. */
  heartbeat(): Promise<void>;
  /** Call it in the commit that saves a piece of the work: earlier attempts then no longer count. */
  progressed(sql: Sql): void;
};

/** What the job works for is gone or another worker's: nothing may be written any more. A job that throws it is done. */
export class Abandoned extends Error {}

/** `againInMs` asks to be called again and forgives earlier attempts; without it the job is done. */
// biome-ignore lint/suspicious/noConfusingVoidType: most jobs return nothing
export type JobOutcome = void | { againInMs: number };

export type JobHandler = {
  /** How many of this kind run at once; 1 by default. */
  concurrency?: number;
  leaseMs?: number;
  /** Failures after which the job is given up. A killed process does not count as one, but see MOST_INTERRUPTIONS. */
  maxAttempts: number;
  /** A throw is retried with back-off. */
  run(job: Job, context: JobContext): Promise<JobOutcome>;
  exhausted(job: Job): Promise<void>;
};

export type Means = {
  db: Db;
  clock: SteadyClock;
  log: ProcessLog;
  /** Aborts when the program stops. */
  stopping: AbortSignal;
  /** Makes a stop wait for this work. */
  track(work: Promise<unknown>): void;
};

const DEFAULT_LEASE_MS = 60_000;
/** A lease is extended no more often, because that is a commit. */
const LEAST_MS_BETWEEN_EXTENSIONS = 5_000;
/** A job survives many kills of the process, but one that itself crashes the process must not run for ever. */
const MOST_INTERRUPTIONS = 20;
const backOffMs = (attempts: number) => Math.min(60_000, 1_000 * 2 ** (attempts - 1));

export const leaseOf = ({ leaseMs = DEFAULT_LEASE_MS }: JobHandler): number => leaseMs;

const WRITE_AGAIN_MS = 1_000;
/** A result that is too large for a nearly full disk must not be fetched again at once. */
const BEGIN_AGAIN_MS = 15_000;

/**
 * For a job that failed because the disk is full or failing. As soon as the disk can be written, the job is handed back, to run again
 * after `BEGIN_AGAIN_MS`; the failure does not count as an attempt.
 */
const releaseOnceWritable = async ({ db, clock, log, stopping }: Means, job: Job, error: unknown): Promise<void> => {
  log.warn("A job waits for the disk", { job: job.id, kind: job.kind, ...describeError(error) });
  do {
    const isReleased = await releaseJob(db, job, clock.now() + BEGIN_AGAIN_MS).then(
      () => true,
      () => false,
    );
    if (isReleased) return;
  } while (await pause(WRITE_AGAIN_MS, stopping));
};

const contextOf = ({ db, clock, stopping }: Means, handler: JobHandler, job: Job): JobContext => {
  let extendedAt = clock.now();
  return {
    signal: stopping,
    heartbeat: async () => {
      stopping.throwIfAborted();
      const now = clock.now();
      if (now - extendedAt < LEAST_MS_BETWEEN_EXTENSIONS) return;
      extendedAt = now;
      if (!(await extendLease(db, job, now + leaseOf(handler)))) throw new Abandoned();
    },
    progressed: (sql) => forgiveAttempts(sql, job),
  };
};

export const runJob = async (means: Means, handler: JobHandler, job: Job): Promise<JobOutcome> => {
  const { db, clock, log, stopping } = means;
  const giveUp = async (): Promise<void> => {
    await handler.exhausted(job);
    await deleteJob(db, job);
  };
  if (job.attempts > handler.maxAttempts || job.interruptions > MOST_INTERRUPTIONS) return giveUp();
  try {
    const outcome = await handler.run(job, contextOf(means, handler, job));
    if (outcome === undefined) await deleteJob(db, job);
    else await continueJob(db, job, clock.now() + outcome.againInMs);
    return outcome;
  } catch (error) {
    if (error instanceof Abandoned) return deleteJob(db, job);
    if (stopping.aborted) return releaseJob(db, job);
    if (isUnwritable(error)) return releaseOnceWritable(means, job, error);
    log.warn("A job failed", { job: job.id, kind: job.kind, attempt: job.attempts, ...describeError(error) });
    if (job.attempts >= handler.maxAttempts) return giveUp();
    await retryJob(db, job, clock.now() + backOffMs(job.attempts));
  }
};
