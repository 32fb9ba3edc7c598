/**
 * Google's videos. Gemini Omni makes one as an interaction that runs in the background; Veo, which Google's own API no longer has, as a
 * long-running operation. Either result is downloaded with the key.
 */

import { listAt, recordsAt, textAt, valueAt } from "../../lib/json-at.ts";
import type { VideoRequest, VideoStatus } from "../media-calls.ts";
import { UpstreamError } from "../upstream-error.ts";
import { failedVideo } from "./ended-video.ts";
import { required, soundsModerated } from "./media-error.ts";
import { nearestDuration } from "./nearest-choice.ts";
import { type Adapter, isSamePlace, type MediaRequest, sendForJson, sendOnceForJson, vendorApi } from "./send-media-request.ts";

/** How a family of models makes a video. */
type Way = {
  start(model: string, request: VideoRequest): MediaRequest;
  /** Where the started job names itself. */
  idMember: string;
  /** The path of the job. */
  path(id: string): string;
  read(job: unknown): VideoStatus;
};

export const geminiVideos: Adapter<"startVideo" | "videoStatus"> = (endpoint) => {
  const key = { "x-goog-api-key": endpoint.key };
  const api = vendorApi(endpoint, "/v1beta", key);
  return {
    startVideo: async (model, request, context) => {
      const { start, idMember } = wayOf(model);
      return required("job name", textAt(await sendOnceForJson(api, start(model, request), context), idMember));
    },
    videoStatus: async (model, id, context) => {
      const { path, read } = wayOf(model);
      const status = read(await sendForJson(api, { url: path(id) }, context));
      const isOwn = "url" in status && isSamePlace(status.url, endpoint.baseUrl);
      return isOwn ? { ...status, headers: key } : status;
    },
  };
};

const wayOf = (model: string): Way => (model.startsWith("veo-") ? VEO : OMNI);

/** Both know two ratios: square and 4:3 become 16:9. */
const ratioOf = ({ aspectRatio }: VideoRequest): string => (aspectRatio === "9:16" ? "9:16" : "16:9");

const DURATIONS = [3, 4, 5, 6, 7, 8, 9, 10];
const ENDED_BADLY = new Set(["failed", "cancelled", "incomplete", "budget_exceeded", "requires_action", "requires_continuation"]);

const OMNI: Way = {
  /** Without `background` the answer would come when the video is made. */
  start: (model, request) => ({
    url: "/interactions",
    json: {
      model,
      input: request.prompt,
      background: true,
      response_format: {
        type: "video",
        delivery: "uri",
        aspect_ratio: ratioOf(request),
        resolution: request.resolution,
        duration: `${nearestDuration(request.durationSeconds, DURATIONS)}s`,
      },
    },
  }),
  idMember: "id",
  path: (id) => `/interactions/${encodeURIComponent(id)}`,
  read: (job) => {
    const status = textAt(job, "status");
    if (status === "queued") return { state: "pending" };
    if (status !== "completed" && !ENDED_BADLY.has(status)) return { state: "processing" };
    const output = recordsAt(job, "steps")
      .filter(({ type }) => type === "model_output")
      .flatMap((step) => recordsAt(step, "content"));
    const video = output.find(({ type }) => type === "video") ?? valueAt(job, "output_video");
    const [url, data] = [textAt(video, "uri"), textAt(video, "data")];
    if (url !== "") return { state: "complete", url };
    if (data !== "") return { state: "complete", bytes: new Uint8Array(Buffer.from(data, "base64")) };
    // Where it refuses, it answers in words.
    const words = output.map((part) => textAt(part, "text"));
    return failedVideo(soundsModerated(JSON.stringify([valueAt(job, "error"), valueAt(job, "errors"), words])));
  },
};

const VEO: Way = {
  /** It knows three lengths; 1080p wants 8 seconds. */
  start: (model, request) => ({
    url: `/models/${model}:predictLongRunning`,
    json: {
      instances: [{ prompt: request.prompt }],
      parameters: {
        aspectRatio: ratioOf(request),
        durationSeconds: request.resolution === "1080p" ? 8 : nearestDuration(request.durationSeconds, [4, 6, 8]),
        resolution: request.resolution,
        sampleCount: 1,
      },
    },
  }),
  idMember: "name",
  /** The name becomes part of a path that is asked with the key. */
  path: (name) => {
    if (!/^[\w.-]+(\/[\w.-]+)*$/.test(name) || name.includes(".."))
      throw new UpstreamError("bad_request", "The operation's name is not a path.");
    return `/${name}`;
  },
  read: (job) => {
    const error = valueAt(job, "error");
    if (error) return failedVideo(soundsModerated(textAt(error, "message")));
    if (valueAt(job, "done") !== true) return { state: "processing" };
    const response = valueAt(job, "response", "generateVideoResponse");
    const url = textAt(response, "generatedSamples", 0, "video", "uri");
    return url === "" ? failedVideo(listAt(response, "raiMediaFilteredReasons").length > 0) : { state: "complete", url };
  },
};
