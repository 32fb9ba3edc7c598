/** `POST /v1/images/generations` on the wire (spec.md "Image generation"), and the answers of edits, which are the same. */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { IMAGE_DEFAULTS } from "../catalog/media-defaults.ts";
import { IMAGE_MODELS, readImageSize } from "../catalog/media-models.ts";
import { USER_FIELDS, userInBody } from "../http/user-in-body.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { toUsd } from "../lib/money.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { ownValue } from "../lib/own-value.ts";
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
  ...USER_FIELDS,
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
    ignored_parameters: Type.Optional(Type.Array(Type.String(), { description: "The request's fields that had no effect." })),
  }),
});

/** OpenAI's newer models call their default by a name. */
const orDefault = <Value>(value: Value | "auto" | null | undefined): Value | null | undefined =>
  value === "auto" ? undefined : value;

/** Fields of OpenAI's that not every upstream has, nor we for them. */
const NOT_HONOURED = [
  "background",
  "output_format",
  "output_compression",
  "moderation",
  "partial_images",
  "input_fidelity",
  "markup",
];

/** Those that the caller gave and that had no effect; their default by name has none anyway. */
export const ignoredAmong = (given: Record<string, unknown>): string[] =>
  NOT_HONOURED.filter((name) => ![undefined, null, "", "auto"].includes(given[name] as string));

/** `like`: the size if none is named; absent: the default. Applies the rules of the model table; throws 400 with `param`. */
export const toImageOrder = (
  body: Static<typeof ImageGeneration>,
  aliases?: MediaAliases,
  like: { width: number; height: number } = IMAGE_DEFAULTS,
): Omit<ImageOrder, "signal"> => {
  const model = requireModel(IMAGE_MODELS, body.model ?? IMAGE_DEFAULTS.model, aliases);
  const { id } = model;
  const n = body.n ?? IMAGE_DEFAULTS.n;
  if (n > model.maxImages) throw invalidRequest(`\`n\` may be at most ${model.maxImages} for ${id}; it was ${n}.`, "n");
  const named = orDefault(body.size) ?? undefined;
  const pixels = named === undefined ? like : readImageSize(model, named);
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
    size: `${pixels.width}x${pixels.height}`,
    width: pixels.width,
    height: pixels.height,
    quality: orDefault(body.quality) ?? IMAGE_DEFAULTS.quality,
    style: body.style ?? IMAGE_DEFAULTS.style,
    deliver: body.stream ? "b64_json" : (body.response_format ?? usualForm(body.model, aliases)),
    ...userInBody(body),
  };
};

/** Clients that insist on a name as `gpt-image-1` expect its form as well: base64, without asking for it. */
const usualForm = (model: string | null | undefined, aliases: MediaAliases = {}): ImageOrder["deliver"] =>
  ownValue(aliases, model ?? "") === undefined ? IMAGE_DEFAULTS.deliver : "both";

export const toWireImages = (
  answer: Served<ImageAnswer>,
  requestId: string,
  ignored: readonly string[],
): Static<typeof ImageGenerationResult> => ({
  created: Math.floor(answer.createdAtMs / 1000),
  data: answer.images.map(({ url, base64, revisedPrompt }) => ({
    ...(url !== undefined && { url }),
    ...(base64 !== undefined && { b64_json: base64 }),
    revised_prompt: revisedPrompt,
  })),
  svc: {
    request_id: requestId,
    model_used: answer.model,
    size: answer.size,
    quality: answer.quality,
    cost_usd: toUsd(answer.costNanoUsd),
    latency_ms: answer.latencyMs,
    ...(ignored.length > 0 && { ignored_parameters: [...ignored] }),
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
export const toImageEvents = (
  type: "image_generation.completed" | "image_edit.completed",
  ...[answer, ...about]: Parameters<typeof toWireImages>
) => {
  const { created, svc, data } = toWireImages(answer, ...about);
  return data.map((image, index) => ({
    type,
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
