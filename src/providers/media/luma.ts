/** Luma's Dream Machine: a generation for each video. */

import { textAt } from "../../lib/json-at.ts";
import type { VideoRequest, VideoStatus } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { nearestDuration } from "./aspect-ratio.ts";
import { failedVideo, finishedVideo } from "./ended-video.ts";
import { emptyAnswer, soundsModerated } from "./media-error.ts";
import { type MediaEndpoint, type MediaRequest, sendForJson, sendOnceForJson, withVersion } from "./send-media-request.ts";

/** The SDK's base URL has the whole path; the host alone, or part of the path, is accepted too. */
const generationsUrl = ({ baseUrl }: MediaEndpoint): string =>
  `${withVersion(baseUrl.endsWith("/v1") ? baseUrl : withVersion(baseUrl, "/dream-machine"), "/v1")}/generations`;

export const luma = (endpoint: MediaEndpoint) => ({
  startVideo: async (model: string, request: VideoRequest, context: CallContext): Promise<string> => {
    const id = textAt(await sendOnceForJson(endpoint, buildLumaGeneration(endpoint, model, request), context), "id");
    if (id === "") throw emptyAnswer("generation id");
    return id;
  },
  videoStatus: async (_model: string, id: string, context: CallContext): Promise<VideoStatus> =>
    parseLumaGeneration(
      await sendForJson(
        endpoint,
        { url: `${generationsUrl(endpoint)}/${encodeURIComponent(id)}`, headers: headers(endpoint) },
        context,
      ),
    ),
});

const headers = (endpoint: MediaEndpoint) => ({ authorization: `Bearer ${endpoint.key ?? ""}`, accept: "application/json" });

const buildLumaGeneration = (endpoint: MediaEndpoint, model: string, request: VideoRequest): MediaRequest => ({
  url: `${generationsUrl(endpoint)}/video`,
  headers: headers(endpoint),
  json: {
    model,
    prompt: request.prompt,
    aspect_ratio: request.aspectRatio,
    resolution: request.resolution,
    duration: `${nearestDuration(request.durationSeconds, [5, 9])}s`,
  },
});

const parseLumaGeneration = (json: unknown): VideoStatus => {
  const state = textAt(json, "state");
  if (state === "queued") return { state: "pending" };
  if (state === "dreaming") return { state: "processing" };
  if (state === "completed") return finishedVideo(textAt(json, "assets", "video"));
  return failedVideo(soundsModerated(textAt(json, "failure_reason")));
};
