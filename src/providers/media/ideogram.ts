/** Ideogram's generate endpoints, version 3 and 4. An unsafe picture comes back without a URL. */

import { listAt, textAt, valueAt } from "../../lib/json-at.ts";
import type { GeneratedImage, ImageRequest } from "../media-calls.ts";
import { emptyAnswer, moderated } from "./media-error.ts";
import { nearestAspectRatio } from "./nearest-choice.ts";
import { type Adapter, type MediaRequest, sendForJson, vendorApi } from "./send-media-request.ts";

const RATIOS = ["1x1", "1x3", "3x1", "1x2", "2x1", "9x16", "16x9", "10x16", "16x10", "2x3", "3x2", "3x4", "4x3", "4x5", "5x4"];

export const ideogram: Adapter<"image"> = (endpoint) => {
  const api = vendorApi(endpoint, "/v1", { "api-key": endpoint.key });
  return {
    image: async (model, request, context) =>
      parseIdeogramImages(await sendForJson(api, buildIdeogramImage(model, request), context)),
  };
};

/** `model` is the API's version, `v3` or `v4`; the latter calls the prompt `text_prompt`. */
const buildIdeogramImage = (model: string, request: ImageRequest): MediaRequest => {
  const form = new FormData();
  form.set(model === "v4" ? "text_prompt" : "prompt", request.prompt);
  form.set("aspect_ratio", nearestAspectRatio(request.width, request.height, RATIOS));
  form.set("num_images", String(request.n));
  form.set("rendering_speed", request.quality === "hd" ? "QUALITY" : "DEFAULT");
  return { url: `/ideogram-${model}/generate`, form };
};

const parseIdeogramImages = (json: unknown): GeneratedImage[] => {
  const items = listAt(json, "data");
  const images = items.flatMap((item): GeneratedImage[] => {
    const url = textAt(item, "url");
    const revisedPrompt = textAt(item, "prompt");
    if (url === "" || valueAt(item, "is_image_safe") === false) return [];
    return [{ url, ...(revisedPrompt && { revisedPrompt }) }];
  });
  if (images.length === 0 && items.length > 0) throw moderated();
  if (images.length === 0) throw emptyAnswer("image");
  return images;
};
