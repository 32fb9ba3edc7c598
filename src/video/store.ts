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

type Row = {
  id: string;
  project_id: string;
  mode: Mode;
  call_id: string;
  key_id: string;
  user_id: string | null;
  model: string;
  provider: string | null;
  upstream_model: string | null;
  upstream_job_id: string | null;
  prompt: string;
  duration_seconds: number;
  resolution: VideoRequest["resolution"];
  aspect_ratio: VideoRequest["aspectRatio"];
  state: VideoState;
  progress_percent: number;
  cost_nano_usd: number;
  file_id: string | null;
  expires_at: number | null;
  error_message: string | null;
  created_at: number;
  ended_at: number | null;
};

const SELECT = "SELECT video_jobs.*, files.expires_at FROM video_jobs LEFT JOIN files ON files.id = video_jobs.file_id";
const UNDER_WAY = "state IN ('creating', 'pending', 'processing')";

const toJob = (row: Row): VideoJob => ({
  id: row.id,
  projectId: row.project_id,
  mode: row.mode,
  callId: row.call_id,
  keyId: row.key_id,
  userId: row.user_id,
  model: row.model,
  upstream:
    row.provider === null || row.upstream_model === null || row.upstream_job_id === null
      ? null
      : { provider: row.provider, model: row.upstream_model, jobId: row.upstream_job_id },
  prompt: row.prompt,
  durationSeconds: row.duration_seconds,
  resolution: row.resolution,
  aspectRatio: row.aspect_ratio,
  state: row.state,
  progressPercent: row.progress_percent,
  costNanoUsd: row.cost_nano_usd,
  fileId: row.file_id,
  fileExpiresAtMs: row.expires_at,
  errorMessage: row.error_message,
  createdAtMs: row.created_at,
  endedAtMs: row.ended_at,
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

/** Jobs that hold a concurrent place. */
export const countUnderWay = (db: Db, projectId: string, mode: Mode): number =>
  db.get<{ held: number }>(
    `SELECT count(*) AS held FROM video_jobs WHERE project_id = ? AND mode = ? AND ${UNDER_WAY}`,
    projectId,
    mode,
  )!.held;

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

export const setComplete = (
  db: Db,
  id: string,
  { fileId, durationSeconds, costNanoUsd }: CompletedVideo,
  now: number,
): Promise<void> =>
  db.write(
    (sql) =>
      void sql.run(
        `UPDATE video_jobs SET state = 'complete', progress_percent = 100, file_id = ?, duration_seconds = ?, cost_nano_usd = ?, ended_at = ?
         WHERE id = ? AND ${UNDER_WAY}`,
        fileId,
        durationSeconds,
        costNanoUsd,
        now,
        id,
      ),
  );

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
