/**
 * The story of a video up to its 202: a concurrency slot, exactly one creation upstream, whose id is stored before the caller gets the
 * answer. follow-video.ts continues from there.
 */

import type { Caller } from "../accounts/authenticate.ts";
import { serviceUnavailable } from "../api-error.ts";
import { type MediaTarget, type VideoModel, videoNanoUsd } from "../catalog/media-models.ts";
import { newId } from "../lib/ids.ts";
import { type Routed, type Served, servePromptCall } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import { nearestAspectRatio, nearestDuration } from "../providers/media/nearest-choice.ts";
import type { VideoRequest } from "../providers/media-calls.ts";
import type { TargetsOutcome } from "../providers/targets/targets-call.ts";
import { tryTargets } from "../providers/targets/try-targets.ts";
import type { UpstreamError } from "../providers/upstream-error.ts";
import { usualMs, VIDEO_JOB } from "./follow-video.ts";
import { findVideoJob, insertVideoJob, listUnderWay, setFailed, setUpstream, type VideoJob } from "./store.ts";

export type VideoOrder = VideoRequest & {
  model: VideoModel;
  userId?: string;
};

export const VIDEO_PATH = "/v1/video/generations";

/** Throws 429, 400 `content_policy_violation` or 503. */
export const startVideo = (platform: Platform, caller: Caller, order: VideoOrder): Promise<Served<VideoJob>> =>
  servePromptCall(platform, caller, {
    route: VIDEO_PATH,
    status: 202,
    model: order.model,
    texts: [order.prompt],
    userId: order.userId,
    asked: { duration_seconds: order.durationSeconds, resolution: order.resolution, aspect_ratio: order.aspectRatio },
    estimateNanoUsd: videoNanoUsd(order.model, order.durationSeconds),
    make: ({ prompt, targets }) => makeVideo(platform, caller, { ...order, prompt, targets }),
    // The ledger holds the estimate until the job ends; a failed creation is corrected right away.
    settle: ({ id }) => ({ outputText: id }),
  });

/** Without ledger and budget, for callers that handle these themselves. */
export const makeVideo = async (
  platform: Platform,
  caller: Caller,
  order: Routed<VideoOrder>,
): Promise<TargetsOutcome<VideoJob>> => {
  const id = newId("vid");
  await takePlace(platform, caller, order, id);
  const outcome = await create(platform, caller, order).catch(async (error) => {
    await setFailed(platform.db, id, "The job could not be created.", platform.clock.now());
    throw error;
  });
  if (!outcome.ok) {
    await setFailed(platform.db, id, outcome.error.message, platform.clock.now());
    platform.limits.refund(caller, "video", 1, caller.startedAtMs);
    return outcome;
  }
  const upstream = { provider: outcome.target.provider, model: outcome.target.model, jobId: outcome.value };
  await platform.db.write((sql) => {
    setUpstream(sql, id, upstream);
    platform.background.enqueue(sql, {
      kind: VIDEO_JOB,
      projectId: caller.project.id,
      payload: { projectId: caller.project.id, videoId: id },
    });
  });
  platform.background.wake();
  const job = await findVideoJob(platform.db, caller.project.id, id);
  if (job === undefined) throw serviceUnavailable("The job could not be stored.");
  return { ...outcome, value: job };
};

/**
 * Holds the slot in memory until the row counts for it, so that no two requests take the last one; and no longer, or it would count twice.
 */
const takePlace = async (platform: Platform, caller: Caller, order: VideoOrder, id: string): Promise<void> => {
  const underWay = listUnderWay(platform.db, caller.project.id, caller.mode);
  const asked = { mode: caller.mode, durationSeconds: order.durationSeconds, createdAtMs: platform.clock.now() };
  const freeAtMs = Math.min(...[...underWay, asked].map((job) => job.createdAtMs + usualMs(job)));
  const free = platform.limits.occupy(caller, "video", freeAtMs);
  try {
    platform.limits.admit(caller, "video");
    const { prompt, durationSeconds, resolution, aspectRatio } = order;
    const job = {
      id,
      projectId: caller.project.id,
      mode: caller.mode,
      callId: caller.requestId,
      userId: order.userId ?? caller.userId ?? null,
      model: order.model.id,
      prompt,
      durationSeconds,
      resolution,
      aspectRatio,
      costNanoUsd: videoNanoUsd(order.model, durationSeconds),
      createdAtMs: platform.clock.now(),
    };
    // Written and committed at once; only the sync of the disk comes later.
    await platform.db.write((sql) => {
      insertVideoJob(sql, job);
      free();
    });
  } finally {
    free();
  }
};

/**
 * A caller's disconnecting does not end a creation, since a job that the upstream accepted must be followed. After an answer that may have
 * created something, nothing else is created.
 */
const create = (platform: Platform, caller: Caller, order: Routed<VideoOrder>): Promise<TargetsOutcome<string>> => {
  return tryTargets(platform, {
    caller,
    signal: new AbortController().signal,
    what: order.model.id,
    targets: order.targets,
    service: "startVideo",
    isFinal: mayHaveCreated,
    // The sandbox, which stands in for all of them, offers everything.
    use: (provider, target, context) =>
      provider.startVideo!(target.model, asOffered(order, caller.mode === "test" ? {} : target), context),
  });
};

const asOffered = (order: VideoOrder, { durations, resolutions, aspectRatios }: Partial<MediaTarget>): VideoRequest => {
  const { prompt, durationSeconds, resolution, aspectRatio } = order;
  const [across, down] = aspectRatio.split(":").map(Number);
  return {
    prompt,
    durationSeconds: durations === undefined ? durationSeconds : nearestDuration(durationSeconds, durations),
    resolution: resolutions === undefined || resolutions.includes(resolution) ? resolution : resolutions[0]!,
    aspectRatio: aspectRatios === undefined ? aspectRatio : nearestAspectRatio(across!, down!, aspectRatios),
  };
};

/**
 * Whether the job may exist although its creation failed: no answer, a broken one, or a gateway's error. A failed connection or a plain
 * refusal is certain.
 */
const mayHaveCreated = ({ kind, details }: UpstreamError): boolean => {
  if (details.accepted || kind === "timeout" || kind === "truncated") return true;
  if (kind === "network") return details.unsent !== true;
  return details.status === 502;
};
