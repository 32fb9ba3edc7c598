/** OpenAI's images endpoints and the servers that imitate them. GPT image models and older ones take different fields. */

import { listAt, textAt, valueAt } from "../../lib/json-at.ts";
import { parseDataUrl } from "../dialect/message-parts.ts";
import type { EditRequest, GeneratedImage, ImageRequest, Picture } from "../media-calls.ts";
import { emptyAnswer, moderated } from "./media-error.ts";
import { nearestAspectRatio } from "./nearest-choice.ts";
import { plainerIfRefused } from "./plainer-if-refused.ts";
import { type Adapter, bearer, type MediaRequest, sendForJson, vendorApi } from "./send-media-request.ts";

export const openAiImages: Adapter<"image" | "edit"> = (endpoint) => {
  const api = vendorApi(endpoint, "", bearer(endpoint));
  const anyFormatIfRefused = plainerIfRefused(/response_format/i);
  const byShapeIfRefused = plainerIfRefused(
    /(?:not supported|unsupported|unknown|unrecognized)\b.{0,60}\bsize\b|\bsize extra_forbidden/i,
  );
  return {
    image: (model, request, context) =>
      anyFormatIfRefused(model, (anyFormat) =>
        byShapeIfRefused(model, async (byShape) =>
          parseOpenAiImages(await sendForJson(api, buildOpenAiImage(model, request, { anyFormat, byShape }), context)),
        ),
      ),
    edit: (model, request, context) =>
      anyFormatIfRefused(`${model} editing`, async (anyFormat) =>
        parseOpenAiImages(await sendForJson(api, buildOpenAiEdit(model, request, anyFormat), context)),
      ),
  };
};

/** `anyFormat`: base64 or a URL, as the server likes; both are read. `byShape`: a server that knows no sizes (xAI). */
type Plainer = { anyFormat: boolean; byShape: boolean };

const buildOpenAiImage = (model: string, request: ImageRequest, plainer: Plainer): MediaRequest => ({
  url: "/images/generations",
  json: fieldsOf(model, request, plainer),
});

/** A form: one picture is `image`, several are `image[]`. */
const buildOpenAiEdit = (model: string, request: EditRequest, anyFormat: boolean): MediaRequest => {
  const form = new FormData();
  const fields = fieldsOf(model, request, { anyFormat, byShape: false });
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  const name = request.pictures.length > 1 ? "image[]" : "image";
  for (const picture of request.pictures) form.append(name, blobOf(picture), `picture.${picture.extension}`);
  if (request.mask !== undefined) form.set("mask", blobOf(request.mask), "mask.png");
  return { url: "/images/edits", form };
};

const fieldsOf = (model: string, request: ImageRequest, { anyFormat, byShape }: Plainer) => {
  const { prompt, n, width, height, quality, style } = request;
  if (isGptImage(model)) return { model, n, size: gptImageSize(model, request), ...gptImageInput(request) };
  return {
    model,
    prompt,
    n,
    ...(quality === "hd" && { quality }),
    ...(style === "natural" && { style }),
    ...(byShape ? { aspect_ratio: nearestAspectRatio(width, height, RATIOS) } : { size: `${width}x${height}` }),
    ...(!anyFormat && { response_format: "b64_json" }),
  };
};

const blobOf = ({ bytes, mediaType }: Picture): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType });

const RATIOS = ["1:1", "16:9", "9:16", "3:2", "2:3", "4:3", "3:4"];

/** Also with a reseller's prefix: `openai/gpt-image-2`. */
export const isGptImage = (model: string): boolean => /^(openai\/)?(chat)?gpt-image/.test(model);

/** They always answer base64, and have neither `response_format` nor `style`. */
export const gptImageInput = ({ prompt, style, quality }: ImageRequest) => ({
  prompt: style === "natural" ? `${prompt}\n\n${NATURAL_STYLE}` : prompt,
  quality: quality === "hd" ? "high" : "medium",
});

const NATURAL_STYLE = "Style: natural and true to life, without dramatic colours.";

const FIXED_SIZES: Record<string, string> = { "1:1": "1024x1024", "3:2": "1536x1024", "2:3": "1024x1536" };
export const GPT_IMAGE_RATIOS = Object.keys(FIXED_SIZES);
const LEAST_PIXELS = 655_360;

/** The first generation has three sizes. */
const gptImageSize = (model: string, request: ImageRequest): string => {
  if (/^(openai\/)?gpt-image-1/.test(model))
    return FIXED_SIZES[nearestAspectRatio(request.width, request.height, GPT_IMAGE_RATIOS)]!;
  const { width, height } = gptImagePixels(request);
  return `${width}x${height}`;
};

/** Later generations take any size whose sides divide by 16 and that is not too small. */
export const gptImagePixels = ({ width, height }: ImageRequest) => {
  const scale = Math.max(1, Math.sqrt(LEAST_PIXELS / (width * height)));
  const side = (pixels: number) => Math.ceil((pixels * scale) / 16) * 16;
  return { width: side(width), height: side(height) };
};

const parseOpenAiImages = (json: unknown): GeneratedImage[] => {
  const items = listAt(json, "data");
  // xAI makes a picture and holds it back.
  const shown = items.filter((item) => valueAt(item, "respect_moderation") !== false);
  if (shown.length === 0 && items.length > 0) throw moderated();
  const images = shown.flatMap(readImage);
  if (images.length === 0) throw emptyAnswer("image");
  return images;
};

const readImage = (item: unknown): GeneratedImage[] => {
  const written = textAt(item, "b64_json");
  // Some servers write a data URL.
  const base64 = parseDataUrl(written)?.data ?? written;
  const url = textAt(item, "url");
  const revisedPrompt = textAt(item, "revised_prompt");
  const rest = revisedPrompt === "" ? {} : { revisedPrompt };
  if (base64 !== "") return [{ bytes: new Uint8Array(Buffer.from(base64, "base64")), ...rest }];
  return url === "" ? [] : [{ url, ...rest }];
};
