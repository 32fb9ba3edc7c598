/**
 * Google's videos. Gemini Omni makes one as an interaction that runs in the background; Veo, which Google's own API no longer has, as an
 * operation (`veo.ts`).
 */

import { recordsAt, textAt, valueAt } from "../../lib/json-at.ts";
import type { VideoRequest, VideoStatus } from "../media-calls.ts";
import { failedVideo } from "./ended-video.ts";
import { required, soundsModerated } from "./media-error.ts";
import { nearestDuration } from "./nearest-choice.ts";
import { type Adapter, isSamePlace, type MediaRequest, sendForJson, sendOnceForJson, vendorApi } from "./send-media-request.ts";
import { veo } from "./veo.ts";

const DURATIONS = [3, 4, 5, 6, 7, 8, 9, 10];

export const geminiVideos: Adapter<"startVideo" | "videoStatus"> = (endpoint) => {
  const key = { "x-goog-api-key": endpoint.key };
  const api = vendorApi(endpoint, "/v1beta", key);
  const operations = veo(endpoint);
  return {
    startVideo: async (model, request, context) => {
      if (isVeo(model)) return operations.startVideo(model, request, context);
      return required("interaction id", textAt(await sendOnceForJson(api, buildInteraction(model, request), context), "id"));
    },
    videoStatus: async (model, id, context) => {
      if (isVeo(model)) return operations.videoStatus(model, id, context);
      const status = parseInteraction(await sendForJson(api, { url: `/interactions/${encodeURIComponent(id)}` }, context));
      const isOwn = "url" in status && isSamePlace(status.url, endpoint.baseUrl);
      return isOwn ? { ...status, headers: key } : status;
    },
  };
};

const isVeo = (model: string): boolean => model.startsWith("veo-");

/** It knows two ratios: square and 4:3 become 16:9. Without `background` the answer would come when the video is made. */
const buildInteraction = (model: string, request: VideoRequest): MediaRequest => ({
  url: "/interactions",
  json: {
    model,
    input: request.prompt,
    background: true,
    response_format: {
      type: "video",
      delivery: "uri",
      aspect_ratio: request.aspectRatio === "9:16" ? "9:16" : "16:9",
      resolution: request.resolution,
      duration: `${nearestDuration(request.durationSeconds, DURATIONS)}s`,
    },
  },
});

const ENDED_BADLY = new Set(["failed", "cancelled", "incomplete", "budget_exceeded", "requires_action", "requires_continuation"]);

const parseInteraction = (json: unknown): VideoStatus => {
  const status = textAt(json, "status");
  if (status === "queued") return { state: "pending" };
  if (status !== "completed" && !ENDED_BADLY.has(status)) return { state: "processing" };
  const output = recordsAt(json, "steps")
    .filter(({ type }) => type === "model_output")
    .flatMap((step) => recordsAt(step, "content"));
  const video = output.find(({ type }) => type === "video") ?? valueAt(json, "output_video");
  const [url, data] = [textAt(video, "uri"), textAt(video, "data")];
  if (url !== "") return { state: "complete", url };
  if (data !== "") return { state: "complete", bytes: new Uint8Array(Buffer.from(data, "base64")) };
  // Where it refuses, it answers in words.
  const words = output.map((part) => textAt(part, "text"));
  return failedVideo(soundsModerated(JSON.stringify([valueAt(json, "error"), valueAt(json, "errors"), words])));
};
