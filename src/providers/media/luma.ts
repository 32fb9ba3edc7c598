/** Luma's Dream Machine: a generation for each video. */

import { textAt } from "../../lib/json-at.ts";
import type { VideoStatus } from "../media-calls.ts";
import { failedVideo, finishedVideo } from "./ended-video.ts";
import { required, soundsModerated } from "./media-error.ts";
import { nearestDuration } from "./nearest-choice.ts";
import { type Adapter, bearer, sendForJson, sendOnceForJson, vendorApi, withVersion } from "./send-media-request.ts";

export const luma: Adapter<"startVideo" | "videoStatus"> = (endpoint) => {
  // The SDK's base URL has the whole path; the host alone, or part of the path, is accepted too.
  const baseUrl = endpoint.baseUrl.endsWith("/v1") ? endpoint.baseUrl : withVersion(endpoint.baseUrl, "/dream-machine");
  const api = vendorApi({ ...endpoint, baseUrl }, "/v1", { ...bearer(endpoint), accept: "application/json" });
  return {
    startVideo: async (model, request, context) => {
      const json = {
        model,
        prompt: request.prompt,
        aspect_ratio: request.aspectRatio,
        resolution: request.resolution,
        duration: `${nearestDuration(request.durationSeconds, [5, 9])}s`,
      };
      return required("generation id", textAt(await sendOnceForJson(api, { url: "/generations/video", json }, context), "id"));
    },
    videoStatus: async (_model, id, context) =>
      parseLumaGeneration(await sendForJson(api, { url: `/generations/${encodeURIComponent(id)}` }, context)),
  };
};

const parseLumaGeneration = (json: unknown): VideoStatus => {
  const state = textAt(json, "state");
  if (state === "queued") return { state: "pending" };
  if (state === "dreaming") return { state: "processing" };
  if (state === "completed") return finishedVideo(textAt(json, "assets", "video"));
  return failedVideo(soundsModerated(textAt(json, "failure_reason")));
};
