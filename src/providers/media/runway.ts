/** Runway: a task for each video. It may be polled every five seconds. */

import { numberAt, textAt } from "../../lib/json-at.ts";
import type { VideoStatus } from "../media-calls.ts";
import { failedVideo, finishedVideo } from "./ended-video.ts";
import { required, soundsModerated } from "./media-error.ts";
import { nearestDuration } from "./nearest-choice.ts";
import { type Adapter, bearer, sendForJson, sendOnceForJson, vendorApi } from "./send-media-request.ts";

const VERSION = "2024-11-06";
const DURATIONS = [2, 3, 4, 5, 6, 7, 8, 9, 10];

export const runway: Adapter<"startVideo" | "videoStatus"> = (endpoint) => {
  const api = vendorApi(endpoint, "/v1", { ...bearer(endpoint), "x-runway-version": VERSION });
  return {
    startVideo: async (model, request, context) => {
      const json = {
        model,
        promptText: request.prompt,
        ratio: RATIO_OF[request.aspectRatio][request.resolution],
        duration: nearestDuration(request.durationSeconds, DURATIONS),
      };
      return required("task id", textAt(await sendOnceForJson(api, { url: "/text_to_video", json }, context), "id"));
    },
    videoStatus: async (_model, id, context) =>
      parseRunwayTask(await sendForJson(api, { url: `/tasks/${encodeURIComponent(id)}` }, context)),
  };
};

const RATIO_OF = {
  "16:9": { "720p": "1280:720", "1080p": "1920:1080" },
  "9:16": { "720p": "720:1280", "1080p": "1080:1920" },
  "1:1": { "720p": "960:960", "1080p": "960:960" },
  "4:3": { "720p": "1104:832", "1080p": "1104:832" },
} as const;

const parseRunwayTask = (json: unknown): VideoStatus => {
  const status = textAt(json, "status");
  if (status === "PENDING" || status === "THROTTLED") return { state: "pending" };
  if (status === "RUNNING") {
    const progress = numberAt(json, "progress");
    return { state: "processing", ...(progress !== undefined && { progressPercent: Math.round(progress * 100) }) };
  }
  if (status === "SUCCEEDED") return finishedVideo(textAt(json, "output", 0));
  if (status === "CANCELLED") return { state: "failed", message: "The upstream cancelled the job." };
  return failedVideo(textAt(json, "failureCode").startsWith("SAFETY") || soundsModerated(textAt(json, "failure")));
};
