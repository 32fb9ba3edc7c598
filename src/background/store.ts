/** The jobs table. Every write includes the fence of its claim, so that a worker whose lease expired can no longer write. */

import type { Db, Sql } from "../database/database.ts";
import { newId } from "../lib/ids.ts";

export type Job = {
  id: string;
  kind: string;
  /** Whose turn it takes; null: the program's own. */
  projectId: string | null;
  payload: any;
  fence: number;
  attempts: number;
  /** How often the process ended while holding the job, since its last progress. */
  interruptions: number;
};

export type NewJob = { kind: string; projectId: string | null; payload: unknown };

type JobRow = Omit<Job, "payload"> & { payload: string };

/** Runs in the transaction that makes the work necessary. Returns the job's id. */
export const insertJob = (sql: Sql, { kind, projectId, payload }: NewJob, now: number): string => {
  const id = newId("job");
  sql.insert("jobs", { id, kind, project_id: projectId, payload: JSON.stringify(payload), run_at: now, created_at: now });
  return id;
};

/** The job of a project that would be next. */
export type FirstDue = Pick<Job, "id" | "projectId">;

const OWNER = "coalesce(project_id, '')";
const DUE = "run_at <= ? AND (lease_until IS NULL OR lease_until <= ?)";

/** One of each project that has a due job, earliest first. Goes from project to project by the index, however many jobs they have. */
const firstsDue = (sql: Sql, kind: string, now: number): FirstDue[] =>
  sql.all(
    `WITH RECURSIVE owners (owner) AS (
       SELECT * FROM (SELECT ${OWNER} FROM jobs WHERE kind = ? ORDER BY ${OWNER} LIMIT 1)
       UNION ALL
       SELECT (SELECT ${OWNER} FROM jobs WHERE kind = ? AND ${OWNER} > owner ORDER BY ${OWNER} LIMIT 1)
       FROM owners WHERE owner IS NOT NULL
     )
     SELECT id, project_id AS projectId FROM jobs WHERE id IN (
       SELECT (SELECT id FROM jobs WHERE kind = ? AND ${OWNER} = owner AND ${DUE} ORDER BY run_at, id LIMIT 1) FROM owners
     ) ORDER BY run_at, id`,
    kind,
    kind,
    kind,
    now,
    now,
  );

const isAnyDue = (db: Db, kind: string, now: number): boolean =>
  db.get(`SELECT 1 FROM jobs WHERE kind = ? AND ${DUE} LIMIT 1`, kind, now, now) !== undefined;

/** `choose`: which of the projects' first jobs it is to be; the earliest, unless said. */
export const claimJob = async (
  db: Db,
  kind: string,
  now: number,
  leaseMs: number,
  choose: (firsts: readonly FirstDue[]) => FirstDue | undefined = ([first]) => first,
): Promise<Job | undefined> => {
  // Checked first, because an idle server must not commit once a second.
  if (!isAnyDue(db, kind, now)) return undefined;
  const row = await db.write((sql) => {
    const chosen = choose(firstsDue(sql, kind, now));
    return (
      chosen &&
      sql.get<JobRow>(
        `UPDATE jobs SET lease_until = ?, fence = fence + 1, attempts = attempts + 1 WHERE id = ?
         RETURNING id, kind, project_id AS projectId, payload, fence, attempts, interruptions`,
        now + leaseMs,
        chosen.id,
      )
    );
  });
  return row && { ...row, payload: JSON.parse(row.payload) };
};

/** False if the job was taken from us. */
export const extendLease = (db: Db, job: Job, untilMs: number): Promise<boolean> =>
  db.write(
    (sql) => sql.run("UPDATE jobs SET lease_until = ? WHERE id = ? AND fence = ?", untilMs, job.id, job.fence).changes > 0,
  );

/** Runs in the caller's transaction, so that work and pardon are saved together or not at all. */
export const forgiveAttempts = (sql: Sql, job: Job): void =>
  void sql.run(
    "UPDATE jobs SET attempts = 0, interruptions = 0 WHERE id = ? AND fence = ? AND (attempts > 0 OR interruptions > 0)",
    job.id,
    job.fence,
  );

export const deleteJob = (db: Db, job: Job): Promise<void> =>
  db.write((sql) => void sql.run("DELETE FROM jobs WHERE id = ? AND fence = ?", job.id, job.fence));

const postpone = (sql: Sql, job: Job, runAtMs: number): void =>
  void sql.run("UPDATE jobs SET run_at = ?, lease_until = NULL WHERE id = ? AND fence = ?", runAtMs, job.id, job.fence);

/** After a failure: its attempts go on counting. */
export const retryJob = (db: Db, job: Job, runAtMs: number): Promise<void> => db.write((sql) => postpone(sql, job, runAtMs));

/** After a piece of its work was done: its attempts count from the beginning. */
export const continueJob = (db: Db, job: Job, runAtMs: number): Promise<void> =>
  db.write((sql) => {
    forgiveAttempts(sql, job);
    postpone(sql, job, runAtMs);
  });

/** Hands a claimed job back as if it had not been claimed; it becomes due at `runAtMs` (null: when it was due before). */
export const releaseJob = (db: Db, job: Job, runAtMs: number | null = null): Promise<void> =>
  db.write(
    (sql) =>
      void sql.run(
        "UPDATE jobs SET lease_until = NULL, attempts = max(0, attempts - 1), run_at = coalesce(?, run_at) WHERE id = ? AND fence = ?",
        runAtMs,
        job.id,
        job.fence,
      ),
  );

/** The first interruptions do not matter; after more, the job may be their cause and waits ever longer. */
const PATIENT_INTERRUPTIONS = 2;
const LONGEST_PAUSE_MS = 30_000;

/** No job is postponed for longer. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Frees the leases of a process that ended; its claims do not count as failures. Jobs that seem to be postponed for too long were postponed
 * before the clock was set back, and are due.
 */
export const takeOver = (db: Db, now: number): Promise<void> =>
  db.write((sql) => {
    sql.run(
      `UPDATE jobs SET lease_until = NULL, attempts = max(0, attempts - 1), interruptions = interruptions + 1,
         run_at = CASE WHEN interruptions < ${PATIENT_INTERRUPTIONS} THEN run_at
           ELSE ? + min(${LONGEST_PAUSE_MS}, 1000 << min(interruptions - ${PATIENT_INTERRUPTIONS}, 5)) END
       WHERE lease_until IS NOT NULL`,
      now,
    );
    sql.run("UPDATE jobs SET run_at = ? WHERE run_at > ?", now, now + LONGEST_WAIT_MS);
  });

/** `dueSince`: when the oldest unclaimed job fell due; null if none is waiting. */
export type JobCount = { kind: string; waiting: number; dueSince: number | null };

/** Of the kinds that have jobs. */
export const countJobs = (db: Db, now: number): JobCount[] =>
  db.all(
    `SELECT kind, count(*) AS waiting, min(run_at) FILTER (WHERE run_at <= ? AND (lease_until IS NULL OR lease_until <= ?)) AS dueSince
     FROM jobs GROUP BY kind`,
    now,
    now,
  );
