/** Gemini's image models: `generateContent` with inline images in the answer, one per call. */

import { listAt, recordAt, textAt, valueAt } from "../../lib/json-at.ts";
import { blockReasonOf, isFiltered } from "../google/read-candidate.ts";
import type { GeneratedImage, ImageRequest, Picture } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { generateEach } from "./generate-each.ts";
import { emptyAnswer, moderated } from "./media-error.ts";
import { nearestAspectRatio } from "./nearest-choice.ts";
import { type Adapter, type MediaRequest, sendForJson, vendorApi } from "./send-media-request.ts";

const RATIOS = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"];

export const geminiImages: Adapter<"image" | "edit"> = (endpoint) => {
  const api = vendorApi(endpoint, "/v1beta", { "x-goog-api-key": endpoint.key });
  const each = (model: string, request: ImageRequest, context: CallContext, pictures: readonly Picture[]) => {
    const asked = buildGeminiImage(model, request, pictures);
    return generateEach(request.n, async () => parseGeminiImage(await sendForJson(api, asked, context)));
  };
  return {
    image: (model, request, context) => each(model, request, context, []),
    edit: (model, request, context) => each(model, request, context, request.pictures),
  };
};

/** Pictures to edit come before the words about them, as the API's guide has them. */
const buildGeminiImage = (model: string, request: ImageRequest, pictures: readonly Picture[]): MediaRequest => ({
  url: `/models/${model}:generateContent`,
  json: {
    contents: [{ role: "user", parts: [...pictures.map(inlinePart), { text: request.prompt }] }],
    generationConfig: {
      responseModalities: ["IMAGE"],
      imageConfig: { aspectRatio: nearestAspectRatio(request.width, request.height, RATIOS) },
    },
  },
});

const inlinePart = ({ mediaType, bytes }: Picture) => ({ inlineData: { mimeType: mediaType, data: bytes.toBase64() } });

const parseGeminiImage = (json: unknown): GeneratedImage => {
  if (blockReasonOf(recordAt(json)) !== "") throw moderated();
  for (const part of listAt(json, "candidates", 0, "content", "parts")) {
    // An intermediate sketch.
    if (valueAt(part, "thought") === true) continue;
    const data = textAt(part, "inlineData", "data") || textAt(part, "inline_data", "data");
    if (data !== "") return { bytes: new Uint8Array(Buffer.from(data, "base64")) };
  }
  throw isFiltered(textAt(json, "candidates", 0, "finishReason")) ? moderated() : emptyAnswer("image");
};
