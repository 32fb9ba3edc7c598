/** Replicate: a prediction is created and polled until it ends. Images and video. */

import { textAt } from "../../lib/json-at.ts";
import type { GeneratedImage, ImageRequest, VideoStatus } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { failedVideo, finishedVideo } from "./ended-video.ts";
import { generateEach } from "./generate-each.ts";
import { failedJob, required, soundsModerated } from "./media-error.ts";
import { nearestAspectRatio } from "./nearest-choice.ts";
import { GPT_IMAGE_RATIOS, gptImageInput, isGptImage } from "./openai-images.ts";
import {
  type Adapter,
  bearer,
  type MediaEndpoint,
  pollOrCancel,
  sendForJson,
  sendOnceForJson,
  vendorApi,
} from "./send-media-request.ts";

const RATIOS = ["1:1", "16:9", "9:16", "3:2", "2:3", "4:3", "3:4", "4:5", "5:4"];

export const replicate: Adapter<"image" | "startVideo" | "videoStatus"> = (endpoint) => {
  const api = vendorApi(endpoint, "/v1", bearer(endpoint));
  return {
    image: (model, request, context) => generateEach(request.n, () => oneImage(api, model, request, context)),
    startVideo: async (model, request, context) => {
      const input = {
        prompt: request.prompt,
        duration: Math.round(request.durationSeconds),
        resolution: request.resolution,
        aspect_ratio: request.aspectRatio,
      };
      return requireId(await predict(api, model, input, context));
    },
    videoStatus: async (_model, id, context) => parsePredictionVideo(await sendForJson(api, { url: predictionUrl(id) }, context)),
  };
};

const oneImage = async (
  api: MediaEndpoint,
  model: string,
  request: ImageRequest,
  context: CallContext,
): Promise<GeneratedImage> => {
  const isGpt = isGptImage(model);
  const input = {
    prompt: request.prompt,
    aspect_ratio: nearestAspectRatio(request.width, request.height, isGpt ? GPT_IMAGE_RATIOS : RATIOS),
    output_format: "png",
    ...(isGpt && gptImageInput(request)),
  };
  const created = await predict(api, model, input, context);
  const url = predictionUrl(requireId(created));
  const look = async () => parsePredictionImage(await sendForJson(api, { url }, context));
  return parsePredictionImage(created) ?? pollOrCancel(api, look, context, { url: `${url}/cancel`, json: {} });
};

/** `model` is `owner/name`, or `owner/name:version`: models of the community run by their version only. */
const predict = (api: MediaEndpoint, model: string, input: Record<string, unknown>, context: CallContext): Promise<unknown> => {
  const [name, version] = model.split(":");
  const request =
    version === undefined
      ? { url: `/models/${name}/predictions`, json: { input } }
      : { url: "/predictions", json: { version, input } };
  return sendOnceForJson(api, request, context);
};

/** By id and our base URL, not by the URL in the answer, because the key goes along. */
const predictionUrl = (id: string): string => `/predictions/${encodeURIComponent(id)}`;

const requireId = (json: unknown): string => required("prediction id", textAt(json, "id"));

const outputUrl = (json: unknown): string => textAt(json, "output") || textAt(json, "output", 0) || textAt(json, "output", "url");

const ENDED_BADLY = new Set(["failed", "canceled", "cancelled", "aborted"]);

/** Undefined while the prediction runs. */
const parsePredictionImage = (json: unknown): GeneratedImage | undefined => {
  const status = textAt(json, "status");
  if (ENDED_BADLY.has(status)) throw failedJob(soundsModerated(textAt(json, "error")));
  if (status !== "succeeded") return undefined;
  return { url: required("image", outputUrl(json)) };
};

const parsePredictionVideo = (json: unknown): VideoStatus => {
  const status = textAt(json, "status");
  if (status === "starting") return { state: "pending" };
  if (ENDED_BADLY.has(status)) return failedVideo(soundsModerated(textAt(json, "error")));
  if (status !== "succeeded") return { state: "processing" };
  return finishedVideo(outputUrl(json));
};
