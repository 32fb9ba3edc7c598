/** Black Forest Labs' FLUX: one image a task, polled until it is ready. The Kontext models edit pictures. */

import { textAt } from "../../lib/json-at.ts";
import type { EditRequest, GeneratedImage } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { generateEach } from "./generate-each.ts";
import { failedJob, required } from "./media-error.ts";
import { nearestAspectRatio } from "./nearest-choice.ts";
import {
  type Adapter,
  isSamePlace,
  type MediaEndpoint,
  pollUntil,
  sendForJson,
  sendOnceForJson,
  vendorApi,
} from "./send-media-request.ts";

export const bfl: Adapter<"image" | "edit"> = (endpoint) => {
  const api = vendorApi(endpoint, "/v1", { "x-key": endpoint.key, accept: "application/json" });
  const each = (model: string, n: number, json: object, context: CallContext) =>
    generateEach(n, async () => {
      const url = pollUrl(api, await sendOnceForJson(api, { url: `/${model}`, json }, context));
      return pollUntil(api, async () => parseBflResult(await sendForJson(api, { url }, context)), context);
    });
  return {
    image: (model, { prompt, n, width, height }, context) =>
      each(model, n, { prompt, width: side(width), height: side(height), output_format: "png" }, context),
    edit: (model, request, context) => each(model, request.n, buildEdit(request), context),
  };
};

const RATIOS = ["1:1", "16:9", "9:16", "3:2", "2:3", "4:3", "3:4", "4:5", "5:4", "21:9", "9:21"];

/** Kontext takes a shape in place of a size, and pictures in base64: `input_image`, `input_image_2` and so on. */
const buildEdit = ({ prompt, width, height, pictures }: EditRequest) => ({
  prompt,
  ...Object.fromEntries(
    pictures.map(({ bytes }, index) => [index === 0 ? "input_image" : `input_image_${index + 1}`, bytes.toBase64()]),
  ),
  aspect_ratio: nearestAspectRatio(width, height, RATIOS),
  output_format: "png",
});

/** FLUX takes multiples of 32 from 256 to 1440. */
const side = (pixels: number): number => Math.min(1440, Math.max(256, Math.round(pixels / 32) * 32));

/** The polling URL in the answer is used only if it is the vendor's own, because the key goes along. */
export const pollUrl = ({ baseUrl }: MediaEndpoint, task: unknown): string => {
  const named = textAt(task, "polling_url");
  if (isSamePlace(named, baseUrl)) return named;
  return `/get_result?id=${encodeURIComponent(required("task id", textAt(task, "id")))}`;
};

/** Undefined while the task runs. */
const parseBflResult = (json: unknown): GeneratedImage | undefined => {
  const status = textAt(json, "status");
  if (status === "Ready") return { url: required("image", textAt(json, "result", "sample")) };
  const wasModerated = status.endsWith("Moderated");
  if (wasModerated || ["Error", "Failed", "Task not found"].includes(status)) throw failedJob(wasModerated);
  return undefined;
};
