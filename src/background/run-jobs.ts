/** Runs due jobs, of each kind at most as many at once as its handler allows, and records their outcomes. */

import type { Db, Sql } from "../database/database.ts";
import { isUnwritable } from "../database/unwritable.ts";
import type { SteadyClock } from "../lib/clock.ts";
import { pause } from "../lib/pause.ts";
import { describeError, type ProcessLog } from "../process-log.ts";
import {
  claimJob,
  continueJob,
  countJobs,
  deleteJob,
  extendLease,
  forgiveAttempts,
  type Job,
  type JobCount,
  releaseJob,
  retryJob,
  takeOver,
} from "./store.ts";

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

export type JobRunner = {
  handle(kind: string, handler: JobHandler): void;
  start(): Promise<void>;
  /** Looks for due jobs, one look at a time; a `wake` meanwhile causes another look. */
  wake(): void;
  /** The number of running jobs. */
  running(): number;
  /** The jobs of every kind, also of those that have none. */
  counts(): JobCount[];
  /** Whether due jobs are being started: not before the start, after the stop, or while they cannot be claimed. */
  isAtWork(): boolean;
};

type Means = {
  db: Db;
  clock: SteadyClock;
  log: ProcessLog;
  /** Aborts when the program stops. */
  stopping: AbortSignal;
  /** Makes a stop wait for this work. */
  track(work: Promise<unknown>): void;
};

/** The jobs of one kind: who runs them, and how many are running. */
type Queue = { handler: JobHandler; running: number };

const DEFAULT_LEASE_MS = 60_000;
/** A lease is extended no more often, because that is a commit. */
const LEAST_MS_BETWEEN_EXTENSIONS = 5_000;
/** A job survives many kills of the process, but one that itself crashes the process must not run for ever. */
const MOST_INTERRUPTIONS = 20;
const backOffMs = (attempts: number) => Math.min(60_000, 1_000 * 2 ** (attempts - 1));

export const createJobRunner = (means: Means): JobRunner => {
  const { db, clock, log, stopping, track } = means;
  const queues = new Map<string, Queue>();
  let started = false;
  let claimsFail = false;
  let looking: Promise<void> | undefined;
  let again = false;

  const begin = (queue: Queue, job: Job): void =>
    track(
      runJob(means, queue.handler, job)
        // Jobs are looked for once a second; this one may be due before.
        .then((outcome) => outcome && setTimeout(wake, outcome.againInMs).unref())
        .catch((error) => log.error("Background work failed", { task: job.kind, ...describeError(error) }))
        .finally(() => {
          queue.running--;
          wake();
        }),
    );
  /** False if jobs of that kind cannot be claimed. */
  const beginDue = async (kind: string, queue: Queue): Promise<boolean> => {
    while (queue.running < (queue.handler.concurrency ?? 1)) {
      // Counted before the claim is awaited.
      queue.running++;
      const job = await claimJob(db, kind, clock.now(), leaseOf(queue.handler)).catch(() => "failed" as const);
      if (typeof job === "object" && !stopping.aborted) begin(queue, job);
      else {
        queue.running--;
        if (typeof job === "object") await releaseJob(db, job);
        return job !== "failed";
      }
    }
    return true;
  };
  const look = async (): Promise<void> => {
    if (!started || stopping.aborted) return;
    let failed = false;
    for (const [kind, queue] of queues) if (!(await beginDue(kind, queue))) failed = true;
    claimsFail = failed;
  };
  const wake = (): void => {
    if (looking !== undefined) {
      again = true;
      return;
    }
    looking = look().finally(() => {
      looking = undefined;
      if (!again) return;
      again = false;
      wake();
    });
    track(looking);
  };

  return {
    handle: (kind, handler) => void queues.set(kind, { handler, running: 0 }),
    start: async () => {
      // Only one process serves a file, so every lease found at the start belongs to a process that has ended.
      await takeOver(db, clock.now());
      started = true;
      wake();
    },
    wake,
    counts: () => {
      const counted = countJobs(db, clock.now()).map(({ dueSince, ...counts }) => ({
        ...counts,
        dueSince: dueSince && clock.toWall(dueSince),
      }));
      const others = [...queues.keys()].filter((kind) => !counted.some((known) => known.kind === kind));
      return [...counted, ...others.map((kind) => ({ kind, waiting: 0, dueSince: null }))];
    },
    running: () => [...queues.values()].reduce((sum, { running }) => sum + running, 0),
    isAtWork: () => started && !stopping.aborted && !claimsFail,
  };
};

const leaseOf = ({ leaseMs = DEFAULT_LEASE_MS }: JobHandler): number => leaseMs;

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

const runJob = async (means: Means, handler: JobHandler, job: Job): Promise<JobOutcome> => {
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
