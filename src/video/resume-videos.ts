/** At the start: registers the job that follows videos, and fails creations that the last run could not finish. */

import type { Platform } from "../platform.ts";
import { VIDEO_JOB, videoJobHandler } from "./follow-video.ts";
import { failInterrupted } from "./store.ts";

/** Call it before the server listens. Accepted jobs are picked up by the queue. */
export const resumeVideos = async (platform: Platform): Promise<void> => {
  platform.background.handle(VIDEO_JOB, videoJobHandler(platform));
  const failed = await failInterrupted(
    platform.db,
    "The server stopped while the job was being created; it was not created again.",
    platform.clock.now(),
  );
  if (failed > 0) platform.log.warn("Video jobs were interrupted while being created", { count: failed });
};
