/** `POST /v1/images/generations` on the wire (spec.md "Image generation"). */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { IMAGE_DEFAULTS } from "../catalog/media-defaults.ts";
import { IMAGE_MODELS, readImageSize } from "../catalog/media-models.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { toUsd } from "../lib/money.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { type MediaAliases, requireModel } from "../media/require-model.ts";
import type { Served } from "../media/serve-prompt-call.ts";
import type { ImageAnswer, ImageOrder } from "./generate-image.ts";

export const ImageGeneration = Type.Object({
  prompt: boundedText({ minLength: 1, maxLength: BOUNDS.mediaPromptCharacters, pattern: "\\S" }),
  model: nullable(Type.String({ default: IMAGE_DEFAULTS.model })),
  n: nullable(Type.Integer({ minimum: 1, maximum: 10, default: IMAGE_DEFAULTS.n })),
  size: nullable(Type.String({ default: IMAGE_DEFAULTS.size })),
  quality: nullable(oneOf(["standard", "hd", "auto"], { default: IMAGE_DEFAULTS.quality })),
  style: nullable(oneOf(["vivid", "natural"], { default: IMAGE_DEFAULTS.style })),
  response_format: nullable(oneOf(["url", "b64_json"], { default: IMAGE_DEFAULTS.deliver })),
  stream: nullable(
    Type.Boolean({ description: "Sends each image in base64 as an event when it is complete; there are no partial images" }),
  ),
  user: nullable(Type.String({ maxLength: 512 })),
});

export const ImageGenerationResult = Type.Object({
  created: Type.Integer(),
  data: Type.Array(
    Type.Object({ url: Type.Optional(Type.String()), b64_json: Type.Optional(Type.String()), revised_prompt: Type.String() }),
  ),
  svc: Type.Object({
    request_id: Type.String(),
    model_used: Type.String(),
    size: Type.String(),
    quality: Type.String(),
    cost_usd: Type.Number(),
    latency_ms: Type.Integer(),
  }),
});

/** OpenAI's newer models call their default by a name. */
const named = <Value>(value: Value | "auto" | null | undefined): Value | null | undefined =>
  value === "auto" ? undefined : value;

/** Applies the rules of the model table; throws 400 with `param`. */
export const toImageOrder = (body: Static<typeof ImageGeneration>, aliases?: MediaAliases): Omit<ImageOrder, "signal"> => {
  const model = requireModel(IMAGE_MODELS, body.model ?? IMAGE_DEFAULTS.model, aliases);
  const { id } = model;
  const n = body.n ?? IMAGE_DEFAULTS.n;
  if (n > model.maxImages) throw invalidRequest(`\`n\` may be at most ${model.maxImages} for ${id}; it was ${n}.`, "n");
  const size = named(body.size) ?? IMAGE_DEFAULTS.size;
  const pixels = readImageSize(model, size);
  if (pixels === undefined) {
    const custom = model.customSizes ? ", or any whose sides are multiples of 8 from 256 to 2048" : "";
    throw invalidRequest(`\`size\` must be one of ${model.sizes.join(", ")}${custom} for ${id}.`, "size");
  }
  // Gap: spec.md has both for image-a-3 only. Elsewhere their defaults are accepted, and values that would be silently lost are refused.
  if (body.quality === "hd" && !model.styled) throw invalidRequest(`\`quality\` "hd" is not available for ${id}.`, "quality");
  if (body.style === "natural" && !model.styled) throw invalidRequest(`\`style\` "natural" is not available for ${id}.`, "style");
  return {
    prompt: body.prompt,
    model,
    n,
    size,
    ...pixels,
    quality: named(body.quality) ?? IMAGE_DEFAULTS.quality,
    style: body.style ?? IMAGE_DEFAULTS.style,
    deliver: body.stream ? "b64_json" : (body.response_format ?? IMAGE_DEFAULTS.deliver),
    ...(body.user && { userId: body.user }),
  };
};

export const toWireImages = (answer: Served<ImageAnswer>, requestId: string): Static<typeof ImageGenerationResult> => ({
  created: Math.floor(answer.createdAtMs / 1000),
  data: answer.images.map((image) => ({
    ...("url" in image ? { url: image.url } : { b64_json: image.base64 }),
    revised_prompt: image.revisedPrompt,
  })),
  svc: {
    request_id: requestId,
    model_used: answer.model,
    size: answer.size,
    quality: answer.quality,
    cost_usd: toUsd(answer.costNanoUsd),
    latency_ms: answer.latencyMs,
  },
});

/** Images are paid by the piece; OpenAI's SDKs require the members. */
const NO_TOKENS = {
  input_tokens: 0,
  input_tokens_details: { image_tokens: 0, text_tokens: 0 },
  output_tokens: 0,
  total_tokens: 0,
};

/** The events that OpenAI's SDKs expect in a stream, with that API's newer words for quality. */
export const toImageEvents = (answer: Served<ImageAnswer>, requestId: string) => {
  const { created, svc, data } = toWireImages(answer, requestId);
  return data.map((image, index) => ({
    type: "image_generation.completed",
    ...image,
    created_at: created,
    size: svc.size,
    quality: svc.quality === "hd" ? "high" : "medium",
    background: "auto",
    output_format: answer.images[index]!.format,
    usage: NO_TOKENS,
    svc,
  }));
};
