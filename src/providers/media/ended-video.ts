/** How a vendor's video job ended, in words that are the same for all: a vendor's own text never reaches the caller. */

import type { VideoStatus } from "../media-calls.ts";

/** A finished job's result; `url` is empty where it holds none. */
export const finishedVideo = (url: string): VideoStatus =>
  url === "" ? { state: "failed", message: "The upstream's result holds no video." } : { state: "complete", url };

export const failedVideo = (wasModerated: boolean): VideoStatus => ({
  state: "failed",
  message: wasModerated ? "The prompt was rejected by the upstream's safety system." : "The upstream could not make the video.",
});
