/** Video jobs on the wire (spec.md "Video generation"): which fields a job shows depends on its state. */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { VIDEO_DEFAULTS } from "../catalog/media-defaults.ts";
import { VIDEO_MODELS } from "../catalog/media-models.ts";
import type { Db } from "../database/database.ts";
import { fileUrl } from "../files/keep-file.ts";
import { USER_FIELDS, userInBody } from "../http/user-in-body.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { toUsd } from "../lib/money.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { type MediaAliases, requireModel } from "../media/require-model.ts";
import { usualMs } from "./follow-video.ts";
import type { VideoOrder } from "./start-video.ts";
import type { VideoJob } from "./store.ts";

export const VideoGeneration = Type.Object({
  prompt: boundedText({ minLength: 1, maxLength: BOUNDS.mediaPromptCharacters, pattern: "\\S" }),
  model: nullable(Type.String({ default: VIDEO_DEFAULTS.model })),
  duration_seconds: nullable(Type.Number({ minimum: 1, default: VIDEO_DEFAULTS.durationSeconds })),
  resolution: nullable(oneOf(["720p", "1080p"], { default: VIDEO_DEFAULTS.resolution })),
  aspect_ratio: nullable(oneOf(["16:9", "9:16", "1:1", "4:3"], { default: VIDEO_DEFAULTS.aspectRatio })),
  ...USER_FIELDS,
});

const Optional = {
  number: Type.Optional(Type.Number()),
  text: Type.Optional(Type.String()),
};

export const VideoJobBody = Type.Object({
  id: Type.String(),
  status: Type.Union([Type.Literal("pending"), Type.Literal("processing"), Type.Literal("complete"), Type.Literal("failed")]),
  model: Type.String(),
  prompt: Type.String(),
  duration_seconds: Optional.number,
  resolution: Optional.text,
  aspect_ratio: Optional.text,
  estimated_cost_usd: Optional.number,
  progress_percent: Optional.number,
  estimated_remaining_seconds: Optional.number,
  video_url: Optional.text,
  error_message: Optional.text,
  svc: Type.Optional(
    Type.Object({
      request_id: Type.String(),
      model_used: Type.String(),
      latency_ms: Type.Optional(Type.Integer()),
      generation_time_ms: Type.Optional(Type.Integer()),
      cost_usd: Optional.number,
    }),
  ),
});

export const VideoJobs = Type.Object({ jobs: Type.Array(VideoJobBody), total: Type.Integer() });
export const VideoJobsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
});

/** Throws 400 with `param`. */
export const toVideoOrder = (body: Static<typeof VideoGeneration>, aliases?: MediaAliases): VideoOrder => {
  const model = requireModel(VIDEO_MODELS, body.model ?? VIDEO_DEFAULTS.model, aliases);
  const durationSeconds = body.duration_seconds ?? VIDEO_DEFAULTS.durationSeconds;
  if (durationSeconds > model.maxDurationSeconds) {
    throw invalidRequest(
      `\`duration_seconds\` may be at most ${model.maxDurationSeconds} for ${model.id}; it was ${durationSeconds}.`,
      "duration_seconds",
    );
  }
  return {
    prompt: body.prompt,
    model,
    durationSeconds,
    resolution: body.resolution ?? VIDEO_DEFAULTS.resolution,
    aspectRatio: body.aspect_ratio ?? VIDEO_DEFAULTS.aspectRatio,
    ...userInBody(body),
  };
};

type Setting = { db: Db; origin: string; now: number };

export const toWireVideo = (job: VideoJob, { db, origin, now }: Setting): Static<typeof VideoJobBody> => {
  // Gap: `svc.request_id` is the id of the request that created the job, as in the log.
  const svc = { request_id: job.callId, model_used: job.model };
  const head = { id: job.id, model: job.model, prompt: job.prompt };
  const shape = { duration_seconds: job.durationSeconds, resolution: job.resolution, aspect_ratio: job.aspectRatio };
  switch (job.state) {
    case "creating":
    case "pending":
      return { ...head, status: "pending", ...shape, estimated_cost_usd: toUsd(job.costNanoUsd), svc };
    case "processing":
      return {
        ...head,
        status: "processing",
        progress_percent: job.progressPercent,
        estimated_remaining_seconds: remainingSeconds(job, now),
      };
    case "complete":
      return {
        ...head,
        status: "complete",
        ...(job.fileId !== null && { video_url: fileUrl(db, origin, { id: job.fileId, expiresAtMs: job.fileExpiresAtMs ?? 0 }) }),
        ...shape,
        svc: {
          ...svc,
          generation_time_ms: Math.max(0, (job.endedAtMs ?? now) - job.createdAtMs),
          cost_usd: toUsd(job.costNanoUsd),
        },
      };
    case "failed":
      return { ...head, status: "failed", error_message: job.errorMessage ?? "The video could not be made.", svc };
  }
};

/** Estimated from the pace so far, or at first from the usual duration. */
const remainingSeconds = (job: VideoJob, now: number): number => {
  const elapsedMs = now - job.createdAtMs;
  const share = job.progressPercent / 100;
  const remainingMs = share >= 0.1 ? (elapsedMs * (1 - share)) / share : usualMs(job) - elapsedMs;
  return Math.max(1, Math.round(remainingMs / 1000));
};
