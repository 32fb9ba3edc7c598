/** Black Forest Labs' FLUX: one image a task, polled until it is ready. */

import { textAt } from "../../lib/json-at.ts";
import type { GeneratedImage } from "../media-calls.ts";
import { generateEach } from "./generate-each.ts";
import { failedJob, required } from "./media-error.ts";
import {
  type Adapter,
  isSamePlace,
  type MediaEndpoint,
  pollUntil,
  sendForJson,
  sendOnceForJson,
  vendorApi,
} from "./send-media-request.ts";

export const bfl: Adapter<"image"> = (endpoint) => {
  const api = vendorApi(endpoint, "/v1", { "x-key": endpoint.key, accept: "application/json" });
  return {
    image: (model, { prompt, n, width, height }, context) =>
      generateEach(n, async () => {
        const json = { prompt, width: side(width), height: side(height), output_format: "png" };
        const url = pollUrl(api, await sendOnceForJson(api, { url: `/${model}`, json }, context));
        return pollUntil(api, async () => parseBflResult(await sendForJson(api, { url }, context)), context);
      }),
  };
};

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
