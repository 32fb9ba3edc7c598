/** Work besides requests: durable jobs (leases, retries, resume after a crash), repeated chores, and what may follow an answer. */

import type { Db, Sql } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import { describeError, type ProcessLog } from "../process-log.ts";
import { claimJob, deleteJob, extendLease, forgiveAttempts, freeLeases, type Job, postponeJob, releaseJob } from "./store.ts";

export type { Job } from "./store.ts";

export type JobContext = {
  /** Aborts at shutdown: the job is handed back and runs again after the next start. */
  signal: AbortSignal;
  /** Extends the lease; false when the job was taken from us, after which nothing may be written. */
  heartbeat(): Promise<boolean>;
  /** Called in the commit that keeps a piece of the work: the attempts it took to get there no longer count. */
  progressed(sql: Sql): void;
};

export type JobHandler = {
  /** How many of this kind run at once; 1 unless said. */
  concurrency?: number;
  leaseMs?: number;
  /** Claims after which `exhausted` is called instead of `run`; counted at the claim, so a job that kills the process counts. */
  maxAttempts: number;
  /** Resolves when done; `{againInMs}` asks to be called again and forgives earlier attempts. A throw is retried with back-off. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most jobs return nothing
  run(job: Job, context: JobContext): Promise<void | { againInMs: number }>;
  exhausted(job: Job, lastError: string): Promise<void>;
};

type NewJob = { kind: string; projectId: string | null; payload: unknown; runAtMs?: number };

export type Background = {
  handle(kind: string, handler: JobHandler): void;
  /** Within the transaction that makes the work necessary; call `wake` once it has committed. Returns the job's id. */
  enqueue(sql: Sql, job: NewJob): string;
  wake(): void;
  /** Runs after the current answer; failures are logged. */
  soon(name: string, task: () => Promise<unknown>): void;
  every(ms: number, name: string, task: () => Promise<unknown>): void;
  start(): Promise<void>;
  /** Resolves when nothing runs and no job is due: for tests and shutdown. */
  idle(): Promise<void>;
  stop(): Promise<void>;
  running(): number;
  /** Whether jobs that are due begin: not before the start, not after the stop, nor while they cannot be claimed. */
  isAtWork(): boolean;
};

const POLL_MS = 1_000;
const DEFAULT_LEASE_MS = 60_000;
const backOffMs = (attempts: number) => Math.min(60_000, 1_000 * 2 ** (attempts - 1));

export const createBackground = (db: Db, clock: Clock, log: ProcessLog): Background => {
  const handlers = new Map<string, JobHandler>();
  const active = new Map<string, number>();
  const under = new Set<Promise<unknown>>();
  const timers: Timer[] = [];
  const stopping = new AbortController();
  let started = false;
  let claimsFail = false;

  const track = (work: Promise<unknown>) => {
    under.add(work);
    void work.finally(() => under.delete(work));
  };
  const guard = (name: string, task: () => Promise<unknown>): Promise<unknown> =>
    task().catch((error) => log.error("Background work failed", { task: name, ...describeError(error) }));

  const runJob = async (handler: JobHandler, job: Job, leaseMs: number): Promise<void> => {
    if (job.attempts > handler.maxAttempts) {
      await handler.exhausted(job, "It was tried too often.");
      return deleteJob(db, job);
    }
    try {
      const outcome = await handler.run(job, {
        signal: stopping.signal,
        heartbeat: () => extendLease(db, job, clock.now() + leaseMs),
        progressed: (sql) => forgiveAttempts(sql, job),
      });
      if (outcome === undefined) await deleteJob(db, job);
      else await postponeJob(db, job, clock.now() + outcome.againInMs, true);
    } catch (error) {
      if (stopping.signal.aborted) return releaseJob(db, job);
      log.warn("A job failed", { job: job.id, kind: job.kind, attempt: job.attempts, ...describeError(error) });
      if (job.attempts >= handler.maxAttempts) {
        await handler.exhausted(job, error instanceof Error ? error.message : String(error));
        await deleteJob(db, job);
      } else await postponeJob(db, job, clock.now() + backOffMs(job.attempts), false);
    }
  };

  const pump = async (): Promise<void> => {
    if (!started || stopping.signal.aborted) return;
    let failed = false;
    for (const [kind, handler] of handlers) {
      const leaseMs = handler.leaseMs ?? DEFAULT_LEASE_MS;
      while ((active.get(kind) ?? 0) < (handler.concurrency ?? 1)) {
        active.set(kind, (active.get(kind) ?? 0) + 1);
        const job = await claimJob(db, kind, clock.now(), leaseMs).catch(() => {
          failed = true;
          return undefined;
        });
        if (job === undefined || stopping.signal.aborted) {
          active.set(kind, active.get(kind)! - 1);
          if (job !== undefined) await releaseJob(db, job);
          break;
        }
        track(
          guard(kind, () => runJob(handler, job, leaseMs)).finally(() => {
            active.set(kind, active.get(kind)! - 1);
            wake();
          }),
        );
      }
    }
    claimsFail = failed;
  };
  let pumping: Promise<void> | undefined;
  let again = false;
  /** One pump at a time; a wake that comes meanwhile makes it look once more. */
  const wake = () => {
    if (pumping !== undefined) {
      again = true;
      return;
    }
    pumping = pump().finally(() => {
      pumping = undefined;
      if (again) {
        again = false;
        wake();
      }
    });
    track(pumping);
  };

  return {
    handle: (kind, handler) => void handlers.set(kind, handler),
    enqueue: (sql, job) => {
      const id = newId("job");
      sql.run(
        "INSERT INTO jobs (id, kind, project_id, payload, run_at, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        id,
        job.kind,
        job.projectId,
        JSON.stringify(job.payload),
        job.runAtMs ?? clock.now(),
        clock.now(),
      );
      return id;
    },
    wake,
    soon: (name, task) => track(guard(name, task)),
    every: (ms, name, task) => {
      const timer = setInterval(() => track(guard(name, task)), ms);
      timer.unref();
      timers.push(timer);
    },
    start: async () => {
      // One process serves a file, so every lease found at the start belongs to one that is gone.
      await freeLeases(db);
      started = true;
      const timer = setInterval(wake, POLL_MS);
      timer.unref();
      timers.push(timer);
      wake();
    },
    idle: async () => {
      while (under.size > 0 || pumping !== undefined) await Promise.allSettled([...under, pumping]);
    },
    stop: async () => {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      while (under.size > 0) await Promise.allSettled([...under]);
    },
    isAtWork: () => started && !stopping.signal.aborted && !claimsFail,
    running: () => [...active.values()].reduce((sum, count) => sum + count, 0),
  };
};
