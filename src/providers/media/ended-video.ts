/** How a vendor's video job ended, in the same words for all vendors: their own text never reaches the caller. */

import type { VideoStatus } from "../media-calls.ts";

/** A finished job's result; `url` is empty if it has none. */
export const finishedVideo = (url: string): VideoStatus =>
  url === "" ? { state: "failed", message: "The upstream's result contains no video." } : { state: "complete", url };

export const failedVideo = (wasModerated: boolean): VideoStatus => ({
  state: "failed",
  message: wasModerated ? "The prompt was rejected by the upstream's safety system." : "The upstream could not make the video.",
});
