/** Video jobs in the database. A job belongs to a project; what works in the background knows it by id alone. */

import type { Mode } from "../accounts/api-key.ts";
import type { Db, Sql } from "../database/database.ts";
import type { VideoRequest } from "../providers/media-calls.ts";

type VideoState = "creating" | "pending" | "processing" | "complete" | "failed";

export type VideoJob = VideoRequest & {
  id: string;
  projectId: string;
  mode: Mode;
  callId: string;
  keyId: string;
  userId: string | null;
  model: string;
  /** null until an upstream has accepted. */
  upstream: { provider: string; model: string; jobId: string } | null;
  state: VideoState;
  progressPercent: number;
  costNanoUsd: number;
  fileId: string | null;
  fileExpiresAtMs: number | null;
  errorMessage: string | null;
  createdAtMs: number;
  endedAtMs: number | null;
};

type Row = Omit<VideoJob, "upstream"> & { provider: string | null; upstreamModel: string | null; upstreamJobId: string | null };

const SELECT = `SELECT video_jobs.id, video_jobs.project_id AS projectId, mode, call_id AS callId, key_id AS keyId,
  video_jobs.user_id AS userId, model, provider, upstream_model AS upstreamModel, upstream_job_id AS upstreamJobId, prompt,
  duration_seconds AS durationSeconds, resolution, aspect_ratio AS aspectRatio, state, progress_percent AS progressPercent,
  cost_nano_usd AS costNanoUsd, file_id AS fileId, expires_at AS fileExpiresAtMs, error_message AS errorMessage,
  video_jobs.created_at AS createdAtMs, ended_at AS endedAtMs
  FROM video_jobs LEFT JOIN files ON files.id = video_jobs.file_id`;
const UNDER_WAY = "state IN ('creating', 'pending', 'processing')";

const toJob = ({ provider, upstreamModel: model, upstreamJobId: jobId, ...row }: Row): VideoJob => ({
  ...row,
  upstream: provider === null || model === null || jobId === null ? null : { provider, model, jobId },
});

type NewVideoJob = Omit<
  VideoJob,
  "upstream" | "state" | "progressPercent" | "fileId" | "fileExpiresAtMs" | "errorMessage" | "endedAtMs"
>;

export const insertVideoJob = (sql: Sql, job: NewVideoJob): void =>
  void sql.run(
    `INSERT INTO video_jobs (id, project_id, mode, call_id, key_id, user_id, model, prompt, duration_seconds, resolution, aspect_ratio,
         state, cost_nano_usd, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'creating', ?, ?)`,
    job.id,
    job.projectId,
    job.mode,
    job.callId,
    job.keyId,
    job.userId,
    job.model,
    job.prompt,
    job.durationSeconds,
    job.resolution,
    job.aspectRatio,
    job.costNanoUsd,
    job.createdAtMs,
  );

export const findVideoJob = async (db: Db, projectId: string, id: string): Promise<VideoJob | undefined> => {
  const row = db.get<Row>(`${SELECT} WHERE video_jobs.project_id = ? AND video_jobs.id = ?`, projectId, id);
  return row && toJob(row);
};

export const listVideoJobs = async (
  db: Db,
  projectId: string,
  mode: Mode,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ jobs: VideoJob[]; total: number }> => ({
  jobs: db
    .all<Row>(
      `${SELECT} WHERE video_jobs.project_id = ? AND mode = ? ORDER BY video_jobs.created_at DESC, video_jobs.id DESC LIMIT ? OFFSET ?`,
      projectId,
      mode,
      limit,
      offset,
    )
    .map(toJob),
  total: db.get<{ total: number }>("SELECT count(*) AS total FROM video_jobs WHERE project_id = ? AND mode = ?", projectId, mode)!
    .total,
});

type JobUnderWay = Pick<VideoJob, "mode" | "durationSeconds" | "createdAtMs">;

/** Jobs that hold a concurrent place. */
export const listUnderWay = (db: Db, projectId: string, mode: Mode): JobUnderWay[] =>
  db.all<JobUnderWay>(
    `SELECT mode, duration_seconds AS durationSeconds, created_at AS createdAtMs
       FROM video_jobs WHERE project_id = ? AND mode = ? AND ${UNDER_WAY}`,
    projectId,
    mode,
  );

/** The upstream has accepted: from here on the job is followed, not created. Within the transaction that enqueues the following. */
export const setUpstream = (sql: Sql, id: string, upstream: { provider: string; model: string; jobId: string }): void =>
  void sql.run(
    "UPDATE video_jobs SET state = 'pending', provider = ?, upstream_model = ?, upstream_job_id = ? WHERE id = ? AND state = 'creating'",
    upstream.provider,
    upstream.model,
    upstream.jobId,
    id,
  );

/** The upstream is at work on it. Progress never runs backwards. */
export const setProgress = (db: Db, id: string, percent: number): Promise<void> =>
  db.write(
    (sql) =>
      void sql.run(
        `UPDATE video_jobs SET state = 'processing', progress_percent = max(progress_percent, ?) WHERE id = ? AND ${UNDER_WAY}`,
        percent,
        id,
      ),
  );

type CompletedVideo = { fileId: string; durationSeconds: number; costNanoUsd: number };

/** A job that is gone was its user's, who was forgotten while the film was fetched: it goes too. */
export const setComplete = (
  db: Db,
  id: string,
  { fileId, durationSeconds, costNanoUsd }: CompletedVideo,
  now: number,
): Promise<void> =>
  db.write((sql) => {
    const { changes } = sql.run(
      `UPDATE video_jobs SET state = 'complete', progress_percent = 100, file_id = ?, duration_seconds = ?, cost_nano_usd = ?, ended_at = ?
       WHERE id = ? AND ${UNDER_WAY}`,
      fileId,
      durationSeconds,
      costNanoUsd,
      now,
      id,
    );
    if (changes === 0) sql.run("DELETE FROM files WHERE id = ?", fileId);
  });

/** A failed job costs nothing. Returns false where it had ended already. */
export const setFailed = (db: Db, id: string, message: string, now: number): Promise<boolean> =>
  db.write(
    (sql) =>
      sql.run(
        `UPDATE video_jobs SET state = 'failed', error_message = ?, cost_nano_usd = 0, ended_at = ? WHERE id = ? AND ${UNDER_WAY}`,
        message,
        now,
        id,
      ).changes > 0,
  );

/** Creations that a crash interrupted: whether the upstream accepted them is not known, so they are not made again. */
export const failInterrupted = (db: Db, message: string, now: number): Promise<number> =>
  db.write(
    (sql) =>
      sql.run(
        "UPDATE video_jobs SET state = 'failed', error_message = ?, cost_nano_usd = 0, ended_at = ? WHERE state = 'creating'",
        message,
        now,
      ).changes,
  );

const DELETED_AT_ONCE = 500;

/** Those that have ended; the rest of a long list goes with the next round. */
export const deleteOldVideoJobs = (db: Db, projectId: string, createdBeforeMs: number): Promise<number> => {
  const old = "project_id = ? AND created_at < ? AND ended_at IS NOT NULL";
  // Looked at before a write is asked for: most rounds find nothing.
  if (db.get(`SELECT 1 FROM video_jobs WHERE ${old} LIMIT 1`, projectId, createdBeforeMs) === undefined)
    return Promise.resolve(0);
  return db.write(
    (sql) =>
      sql.run(
        `DELETE FROM video_jobs WHERE id IN (SELECT id FROM video_jobs WHERE ${old} LIMIT ${DELETED_AT_ONCE})`,
        projectId,
        createdBeforeMs,
      ).changes,
  );
};
