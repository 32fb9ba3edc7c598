/** The input of fal's apps that edit pictures: each family has fields of its own, as its page in fal's catalog lists them. */

import type { EditRequest, Picture } from "../media-calls.ts";
import { nearestAspectRatio } from "./nearest-choice.ts";
import { gptImageInput, gptImagePixels, isGptImage } from "./openai-images.ts";

/** Those that all of the families have. */
const RATIOS = ["1:1", "16:9", "9:16", "21:9", "3:2", "2:3", "4:3", "3:4"];

export const falEdit = (model: string, request: EditRequest): Record<string, unknown> => {
  const { prompt, width, height, pictures } = request;
  const asked = { prompt, output_format: "png" };
  const urls = pictures.map(dataUrl);
  if (isGptImage(model)) return { ...asked, ...gptImageInput(request), image_urls: urls, image_size: gptImagePixels(request) };
  const ratio = nearestAspectRatio(width, height, RATIOS);
  if (model.includes("flux-kontext")) return { ...asked, image_url: urls[0], resolution_mode: ratio };
  if (model.endsWith("/kontext")) return { ...asked, image_url: urls[0], aspect_ratio: ratio };
  return { ...asked, image_urls: urls, aspect_ratio: ratio };
};

const dataUrl = ({ mediaType, bytes }: Picture): string => `data:${mediaType};base64,${bytes.toBase64()}`;
