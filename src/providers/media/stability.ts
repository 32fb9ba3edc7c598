/**
 * Stability: one image per call from `stable-image`, and the image-to-video service whose format other servers still use. A text-to-video
 * job creates an image first and then animates it.
 */

import { textAt, valueAt } from "../../lib/json-at.ts";
import type { ImageRequest, VideoRequest } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { UpstreamError } from "../upstream-error.ts";
import { failedVideo } from "./ended-video.ts";
import { generateEach } from "./generate-each.ts";
import { moderated, required } from "./media-error.ts";
import { nearestAspectRatio } from "./nearest-choice.ts";
import {
  type Adapter,
  bearer,
  type MediaRequest,
  sendForAnswer,
  sendForJson,
  sendOnceForJson,
  vendorApi,
} from "./send-media-request.ts";

const RATIOS = ["1:1", "2:3", "3:2", "4:5", "5:4", "9:16", "16:9", "9:21", "21:9"];

export const stability: Adapter<"image" | "startVideo" | "videoStatus"> = (endpoint) => {
  const api = vendorApi(endpoint, "/v2beta", bearer(endpoint));
  const oneImage = async (model: string, request: ImageRequest, context: CallContext): Promise<{ bytes: Uint8Array }> =>
    parseStabilityImage(await sendForJson(api, buildStabilityImage(model, request), context));
  return {
    image: (model, request, context) => generateEach(request.n, () => oneImage(model, request, context)),
    startVideo: async (_model, request, context) => {
      const size = videoSize(request);
      const still = await oneImage("core", { ...STILL, ...size, prompt: request.prompt }, context);
      const fitted = await new Bun.Image(still.bytes).resize(size.width, size.height).png().bytes();
      const json = await sendOnceForJson(api, buildStabilityVideo(fitted), context);
      return required("job id", textAt(json, "id"));
    },
    videoStatus: async (_model, id, context) => {
      const url = `${api.baseUrl}/image-to-video/result/${encodeURIComponent(id)}`;
      const call = await sendForAnswer(api, { url, headers: { accept: "video/*" } }, context);
      const { status, headers } = call.head();
      call.close();
      if (status === 202) return { state: "processing" };
      if (headers.get("finish-reason") === "CONTENT_FILTERED") return failedVideo(true);
      if (!headers.get("content-type")?.startsWith("video/"))
        throw new UpstreamError("server", "The upstream's result is not a video.");
      return { state: "complete", url, headers: { ...bearer(endpoint), accept: "video/*" } };
    },
  };
};

const STILL = { n: 1, quality: "standard", style: "vivid" } as const;

/** `core` and `ultra` have their own endpoints; every other model goes to `sd3` by name. */
const buildStabilityImage = (model: string, request: ImageRequest): MediaRequest => {
  const form = new FormData();
  form.set("prompt", request.prompt);
  form.set("aspect_ratio", nearestAspectRatio(request.width, request.height, RATIOS));
  form.set("output_format", "png");
  const service = model === "core" || model === "ultra" ? model : "sd3";
  if (service === "sd3") form.set("model", model);
  return { url: `/stable-image/generate/${service}`, headers: { accept: "application/json" }, form };
};

const parseStabilityImage = (json: unknown): { bytes: Uint8Array } => {
  if (valueAt(json, "finish_reason") === "CONTENT_FILTERED") throw moderated();
  return { bytes: new Uint8Array(Buffer.from(required("image", textAt(json, "image")), "base64")) };
};

const buildStabilityVideo = (still: Uint8Array): MediaRequest => {
  const form = new FormData();
  form.set("image", new Blob([still as Uint8Array<ArrayBuffer>], { type: "image/png" }), "still.png");
  return { url: "/image-to-video", form };
};

const videoSize = (request: VideoRequest): { width: number; height: number } =>
  ({
    "16:9": { width: 1024, height: 576 },
    "4:3": { width: 1024, height: 576 },
    "9:16": { width: 576, height: 1024 },
    "1:1": { width: 768, height: 768 },
  })[request.aspectRatio];
