/** Video jobs in the database. A job belongs to a project; background work refers to it by id alone. */

import type { Mode } from "../accounts/api-key.ts";
import type { Db, Sql } from "../database/database.ts";
import type { VideoRequest } from "../providers/media-calls.ts";

type VideoState = "creating" | "pending" | "processing" | "complete" | "failed";

type NewVideoJob = VideoRequest & {
  id: string;
  projectId: string;
  mode: Mode;
  callId: string;
  userId: string | null;
  model: string;
  costNanoUsd: number;
  createdAtMs: number;
};

export type VideoJob = NewVideoJob & {
  /** null until an upstream has accepted the job. */
  upstream: { provider: string; model: string; jobId: string } | null;
  state: VideoState;
  progressPercent: number;
  fileId: string | null;
  fileExpiresAtMs: number | null;
  errorMessage: string | null;
  endedAtMs: number | null;
};

type Row = Omit<VideoJob, "upstream"> & { provider: string | null; upstreamModel: string | null; upstreamJobId: string | null };

const SELECT = `SELECT video_jobs.id, video_jobs.project_id AS projectId, mode, call_id AS callId,
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

export const insertVideoJob = (sql: Sql, job: NewVideoJob): void =>
  void sql.insert("video_jobs", {
    id: job.id,
    project_id: job.projectId,
    mode: job.mode,
    call_id: job.callId,
    user_id: job.userId,
    model: job.model,
    prompt: job.prompt,
    duration_seconds: job.durationSeconds,
    resolution: job.resolution,
    aspect_ratio: job.aspectRatio,
    state: "creating",
    cost_nano_usd: job.costNanoUsd,
    created_at: job.createdAtMs,
  });

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

/** Jobs that hold a concurrency slot. */
export const listUnderWay = (db: Db, projectId: string, mode: Mode): JobUnderWay[] =>
  db.all<JobUnderWay>(
    `SELECT mode, duration_seconds AS durationSeconds, created_at AS createdAtMs
       FROM video_jobs WHERE project_id = ? AND mode = ? AND ${UNDER_WAY}`,
    projectId,
    mode,
  );

/** The upstream has accepted the job: from here on it is followed, not created. Runs within the transaction that enqueues the following. */
export const setUpstream = (sql: Sql, id: string, upstream: { provider: string; model: string; jobId: string }): void =>
  void sql.run(
    "UPDATE video_jobs SET state = 'pending', provider = ?, upstream_model = ?, upstream_job_id = ? WHERE id = ? AND state = 'creating'",
    upstream.provider,
    upstream.model,
    upstream.jobId,
    id,
  );

/** The upstream is working on it. Progress never goes backwards. */
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

/** A job that is gone belonged to a user who was forgotten while the video was being fetched; the video is deleted too. */
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

/** A failed job costs nothing. */
const FAIL = "UPDATE video_jobs SET state = 'failed', error_message = ?, cost_nano_usd = 0, ended_at = ?";

export const setFailed = (db: Db, id: string, message: string, now: number): Promise<void> =>
  db.write((sql) => void sql.run(`${FAIL} WHERE id = ? AND ${UNDER_WAY}`, message, now, id));

/** Creations that a crash interrupted: whether the upstream accepted them is unknown, so they are not repeated. */
export const failInterrupted = (db: Db, message: string, now: number): Promise<number> =>
  db.write((sql) => sql.run(`${FAIL} WHERE state = 'creating'`, message, now).changes);

const DELETED_AT_ONCE = 500;

/** Deletes ended jobs; the rest of a long list goes in the next round. */
export const deleteOldVideoJobs = (db: Db, projectId: string, createdBeforeMs: number): Promise<number> => {
  const old = "project_id = ? AND created_at < ? AND ended_at IS NOT NULL";
  // Checked before requesting a write, since most rounds find nothing.
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
