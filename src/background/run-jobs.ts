/** Starts due jobs, of each kind at most as many at once as its handler allows. */

import { describeError } from "../process-log.ts";
import { type JobHandler, leaseOf, type Means, runJob } from "./run-job.ts";
import { claimJob, countJobs, type Job, type JobCount, releaseJob, takeOver } from "./store.ts";
import { takeTurnsByProject } from "./take-turns-by-project.ts";

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

/** The jobs of one kind: who runs them, and how many are running. */
type Queue = { handler: JobHandler; running: number; turns: ReturnType<typeof takeTurnsByProject> };

export const createJobRunner = (means: Means): JobRunner => {
  const { db, clock, log, stopping, track } = means;
  const queues = new Map<string, Queue>();
  let started = false;
  let claimsFail = false;
  let isLooking = false;
  let again = false;

  const begin = (queue: Queue, job: Job): void => {
    queue.turns.began(job);
    track(
      runJob(means, queue.handler, job)
        // Jobs are looked for once a second; this one may be due before.
        .then((outcome) => outcome && setTimeout(wake, outcome.againInMs).unref())
        .catch((error) => log.error("Background work failed", { task: job.kind, ...describeError(error) }))
        .finally(() => {
          queue.running--;
          queue.turns.ended(job);
          wake();
        }),
    );
  };
  /** False if jobs of that kind cannot be claimed. */
  const beginDue = async (kind: string, queue: Queue): Promise<boolean> => {
    while (queue.running < (queue.handler.concurrency ?? 1)) {
      // Counted before the claim is awaited.
      queue.running++;
      const claim = claimJob(db, kind, clock.now(), leaseOf(queue.handler), queue.turns.choose);
      const job = await claim.catch(() => "failed" as const);
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
  const lookUntilQuiet = async (): Promise<void> => {
    isLooking = true;
    try {
      do {
        again = false;
        await look();
      } while (again);
    } finally {
      isLooking = false;
    }
  };
  const wake = (): void => {
    again = true;
    if (!isLooking) track(lookUntilQuiet());
  };

  return {
    handle: (kind, handler) => void queues.set(kind, { handler, running: 0, turns: takeTurnsByProject() }),
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
