/** Google's Veo on the Gemini API: a long-running operation, whose result is downloaded with the key. */

import { listAt, textAt, valueAt } from "../../lib/json-at.ts";
import type { VideoRequest, VideoStatus } from "../media-calls.ts";
import { UpstreamError } from "../upstream-error.ts";
import { failedVideo } from "./ended-video.ts";
import { required, soundsModerated } from "./media-error.ts";
import { nearestDuration } from "./nearest-choice.ts";
import { type Adapter, isSamePlace, type MediaRequest, sendForJson, sendOnceForJson, vendorApi } from "./send-media-request.ts";

export const veo: Adapter<"startVideo" | "videoStatus"> = (endpoint) => {
  const key = { "x-goog-api-key": endpoint.key };
  const api = vendorApi(endpoint, "/v1beta", key);
  return {
    startVideo: async (model, request, context) => {
      const json = await sendOnceForJson(api, buildVeoOperation(model, request), context);
      return required("operation name", textAt(json, "name"));
    },
    videoStatus: async (_model, name, context) => {
      // The name becomes part of a path that is asked with the key.
      if (!/^[\w.-]+(\/[\w.-]+)*$/.test(name) || name.includes(".."))
        throw new UpstreamError("bad_request", "The operation's name is not a path.");
      const status = parseVeoOperation(await sendForJson(api, { url: `/${name}` }, context));
      const isOwn = "url" in status && isSamePlace(status.url, endpoint.baseUrl);
      return isOwn ? { ...status, headers: key } : status;
    },
  };
};

/** Veo knows two ratios and three lengths; square and 4:3 become 16:9, 1080p wants 8 seconds. */
const buildVeoOperation = (model: string, request: VideoRequest): MediaRequest => ({
  url: `/models/${model}:predictLongRunning`,
  json: {
    instances: [{ prompt: request.prompt }],
    parameters: {
      aspectRatio: request.aspectRatio === "9:16" ? "9:16" : "16:9",
      durationSeconds: request.resolution === "1080p" ? 8 : nearestDuration(request.durationSeconds, [4, 6, 8]),
      resolution: request.resolution,
      sampleCount: 1,
    },
  },
});

const parseVeoOperation = (json: unknown): VideoStatus => {
  const error = valueAt(json, "error");
  if (error) return failedVideo(soundsModerated(textAt(error, "message")));
  if (valueAt(json, "done") !== true) return { state: "processing" };
  const response = valueAt(json, "response", "generateVideoResponse");
  const url = textAt(response, "generatedSamples", 0, "video", "uri");
  if (url === "") return failedVideo(listAt(response, "raiMediaFilteredReasons").length > 0);
  return { state: "complete", url };
};
