/** Follows accepted video jobs in the background until they end: polls with growing pauses, fetches the result, survives restarts. */

import type { JobHandler, JobOutcome } from "../background/background.ts";
import { findVideoModel, videoNanoUsd } from "../catalog/media-models.ts";
import { keepFile, MEDIA_LIFETIME_MS } from "../files/keep-file.ts";
import { readFilmDuration } from "../lib/duration/read-duration.ts";
import { sniffVideo } from "../lib/sniff-media.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { correctCost } from "../logs/amend/correct-cost.ts";
import type { Platform } from "../platform.ts";
import { fetchResult } from "../providers/fetch-result.ts";
import { failedVideo } from "../providers/media/ended-video.ts";
import type { FinishedVideo, VideoStatus } from "../providers/media-calls.ts";
import type { CallContext } from "../providers/provider.ts";
import { UpstreamError } from "../providers/upstream-error.ts";
import { findVideoJob, setComplete, setFailed, setProgress, type VideoJob } from "./store.ts";

export const VIDEO_JOB = "video";

const DEADLINE_MS = 60 * 60_000;
/** Upstreams may need a moment until they know a job they have just accepted. */
const UNKNOWN_FOR_MS = 60_000;
const FETCH_MS = 10 * 60_000;
/** All but the fetching is done. */
const NEARLY_DONE_PERCENT = 99;

export const videoJobHandler = (platform: Platform): JobHandler => ({
  concurrency: 8,
  // Longer than the longest fetch; leases left by a crash are freed at the next start.
  leaseMs: FETCH_MS + 5 * 60_000,
  // About half an hour of consecutive failures, since the upstream's work is paid for.
  maxAttempts: 36,
  run: async ({ payload, attempts }, { signal }) => {
    const job = await findVideoJob(platform.db, payload.projectId, payload.videoId);
    if (job === undefined || job.state === "complete" || job.state === "failed") return;
    return follow(platform, job, { signal, attempt: attempts });
  },
  exhausted: async ({ payload }) => {
    const job = await findVideoJob(platform.db, payload.projectId, payload.videoId);
    if (job !== undefined)
      await fail(platform, job, "The upstream could not be reached for too long, or its result could not be fetched.");
  },
});

type Look = Pick<CallContext, "signal" | "attempt">;

/** One poll; throws if another try may succeed. */
const follow = async (platform: Platform, job: VideoJob, look: Look): Promise<JobOutcome> => {
  const ageMs = platform.clock.now() - job.createdAtMs;
  if (job.upstream === null) return fail(platform, job, "The job was never accepted by an upstream.");
  const status = await statusOf(platform, job, ageMs, look);
  const isUnderWay = status.state === "pending" || status.state === "processing";
  // A job that finished while the server was down is not too late.
  if (isUnderWay && ageMs > DEADLINE_MS) return fail(platform, job, "The upstream did not finish within an hour.");
  switch (status.state) {
    case "pending":
      return { againInMs: pauseOf(job, ageMs) };
    case "processing":
      await setProgress(platform.db, job.id, Math.min(NEARLY_DONE_PERCENT, status.progressPercent ?? guessProgress(job, ageMs)));
      return { againInMs: pauseOf(job, ageMs) };
    case "failed":
      return fail(platform, job, status.message);
    case "complete":
      // Fetching may take minutes and several tries.
      if ("url" in status) await setProgress(platform.db, job.id, NEARLY_DONE_PERCENT);
      return complete(platform, job, status, look);
  }
};

const statusOf = async (platform: Platform, job: VideoJob, ageMs: number, look: Look): Promise<VideoStatus> => {
  const upstream = job.upstream!;
  const provider = platform.providers.find(job.mode, upstream.provider);
  if (provider?.videoStatus === undefined) throw new Error(`Provider ${upstream.provider} is no longer configured.`);
  const context: CallContext = { ...look, remainingMs: platform.config.timeouts.firstByteMs, requestId: job.callId };
  try {
    return await provider.videoStatus(upstream.model, upstream.jobId, context);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // fal reports a request that it cannot or may not fulfil only when its result is fetched.
    if (error.kind === "bad_request" || error.kind === "content_filter") return failedVideo(error.kind === "content_filter");
    if (error.kind !== "model_gone") throw error;
    return ageMs < UNKNOWN_FOR_MS ? { state: "pending" } : { state: "failed", message: "The upstream no longer knows the job." };
  }
};

const complete = async (platform: Platform, job: VideoJob, finished: FinishedVideo, { signal }: Look): Promise<void> => {
  const video = "bytes" in finished ? finished.bytes : await fetchVideo(platform, job, finished, signal);
  if (video === undefined) return fail(platform, job, `The upstream's result is larger than ${BOUNDS.fetchedMediaBytes} bytes.`);
  const kind = sniffVideo(video);
  if (kind === undefined) return fail(platform, job, "The upstream's result is not a video.");
  const file = await keepFile(platform, {
    projectId: job.projectId,
    userId: job.userId ?? undefined,
    mediaType: kind.mediaType,
    label: "video",
    extension: kind.extension,
    bytes: video,
    lifetimeMs: MEDIA_LIFETIME_MS,
  });
  const durationSeconds = deliveredSeconds(job, video);
  const model = findVideoModel(job.model);
  const costNanoUsd = model === undefined ? job.costNanoUsd : Math.min(job.costNanoUsd, videoNanoUsd(model, durationSeconds));
  if (costNanoUsd < job.costNanoUsd) await correctCost(platform, job.callId, costNanoUsd);
  await setComplete(platform.db, job.id, { fileId: file.id, durationSeconds, costNanoUsd }, platform.clock.now());
};

/** Undefined if another try is futile. */
const fetchVideo = (
  platform: Platform,
  job: VideoJob,
  finished: Extract<FinishedVideo, { url: string }>,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> => {
  const result = { ...finished, maxBytes: BOUNDS.fetchedMediaBytes };
  return fetchResult(platform, job.upstream!.provider, result, { signal, remainingMs: FETCH_MS }).catch((error: unknown) => {
    if (!(error instanceof UpstreamError) || error.retryable) throw error;
    return undefined;
  });
};

const TOLERANCE_SECONDS = 0.5;

/** Upstreams offer certain lengths only: a video that came out shorter is billed, and shown, with its actual length. */
const deliveredSeconds = (job: VideoJob, video: Uint8Array): number => {
  const measured = readFilmDuration(video) ?? job.durationSeconds;
  return measured < job.durationSeconds - TOLERANCE_SECONDS ? Math.round(measured * 100) / 100 : job.durationSeconds;
};

/** The cost is corrected first: that can be repeated, while an ended job is not polled again. */
const fail = async (platform: Platform, job: VideoJob, message: string): Promise<void> => {
  await correctCost(platform, job.callId, 0);
  await setFailed(platform.db, job.id, message, platform.clock.now());
};

/** Runway asks for at most one poll every five seconds; long jobs are polled less often. */
const pauseOf = (job: VideoJob, ageMs: number): number => {
  if (job.mode === "test") return 250;
  if (ageMs < 60_000) return 5_000;
  return ageMs < 300_000 ? 10_000 : 20_000;
};

/** The usual duration of such a job, in ms. */
export const usualMs = (job: Pick<VideoJob, "mode" | "durationSeconds">): number =>
  job.mode === "test" ? 2_000 : 45_000 + 12_000 * job.durationSeconds;

/** For upstreams that report no progress: approaches the end without reaching it. */
const guessProgress = (job: VideoJob, ageMs: number): number => Math.round(95 * (1 - Math.exp((-1.5 * ageMs) / usualMs(job))));
