/** `POST /v1/images/edits` on the wire. Gap: spec.md has no such route; it is OpenAI's, with the rules and answers of generations. */

import { Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { IMAGE_DEFAULTS } from "../catalog/media-defaults.ts";
import { IMAGE_MODELS, type ImageModel, type MediaTarget } from "../catalog/media-models.ts";
import { editorsOf } from "../catalog/media-targets.ts";
import type { SettingsFile } from "../config/settings-file.ts";
import type { Multipart } from "../http/read-multipart.ts";
import { readTexts } from "../http/read-query.ts";
import { asBuffer } from "../lib/as-buffer.ts";
import { oneOf } from "../lib/one-of.ts";
import { ownValue } from "../lib/own-value.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { requireModel } from "../media/require-model.ts";
import type { ImageOrder } from "./generate-image.ts";
import { readPicture, type SizedPicture } from "./read-picture.ts";
import { ImageGeneration, ignoredAmong, toImageOrder } from "./wire.ts";

/** What OpenAI's models that edit call them. */
const QUALITIES: Readonly<Record<string, "standard" | "hd">> = {
  low: "standard",
  medium: "standard",
  high: "hd",
  xhigh: "hd",
  max: "hd",
};
const SIZES: Readonly<Record<string, Size>> = {
  "1536x1024": { width: 1536, height: 1024 },
  "1024x1536": { width: 1024, height: 1536 },
};

const PICTURE_MEGABYTES = BOUNDS.mediaBodyBytes / 1_048_576;

const Fields = Type.Object({
  prompt: ImageGeneration.properties.prompt,
  model: Type.Optional(Type.String({ description: `By default ${IMAGE_DEFAULTS.model}.` })),
  n: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  size: Type.Optional(Type.String({ description: "By default about a megapixel in the shape of the first picture." })),
  quality: Type.Optional(
    oneOf(["standard", "hd", "auto", "low", "medium", "high", "xhigh", "max"], {
      description: "`low` and `medium` are `standard`, what is above them `hd` where the model has it.",
    }),
  ),
  response_format: Type.Optional(oneOf(["url", "b64_json"], { description: "By default both." })),
  stream: Type.Optional(Type.Boolean({ description: "Sends each image in base64 as an event; there are no partial images." })),
  user: Type.Optional(Type.String({ maxLength: BOUNDS.nameCharacters })),
});

const File = Type.String({ format: "binary" });

export const ImageEditForm = Type.Object({
  image: Type.Optional(
    Type.String({ format: "binary", description: `PNG, JPEG or WebP; all together at most ${PICTURE_MEGABYTES} MB.` }),
  ),
  "image[]": Type.Optional(Type.Array(File, { maxItems: BOUNDS.picturesToEdit, description: "Several, in place of `image`." })),
  mask: Type.Optional(
    Type.String({ format: "binary", description: "A PNG of the first picture's size, transparent where it is to be changed." }),
  ),
  ...Fields.properties,
});

type Size = { width: number; height: number };
type EditForm = { order: Omit<ImageOrder, "signal">; ignored: string[]; streamed: boolean };
type Settings = Pick<SettingsFile, "media_models" | "media_aliases">;

/** Throws 400 with `param`: `model` if none of its upstreams edits. */
export const toEditOrder = async ({ fields, files, lists }: Multipart, settings: Settings): Promise<EditForm> => {
  const asked = readTexts(Fields, (name) => fields[name]);
  const model = requireModel(IMAGE_MODELS, asked.model ?? IMAGE_DEFAULTS.model, settings.media_aliases);
  const sent = [...(files["image"] ? [files["image"]] : []), ...(lists["image[]"] ?? [])].map(({ bytes }) => bytes);
  const editors = ableEditors(settings, model, { pictures: sent.length, masked: files["mask"] !== undefined });
  const [first, ...others] = await readPictures(sent);
  const mask = files["mask"] && (await readMask(files["mask"].bytes, first!));
  const source = { pictures: [first!, ...others], ...(mask && { mask }), editors };
  // OpenAI's models that edit know base64 alone and no such field, so that their clients name neither form and read that one.
  const deliver = asked.response_format === undefined && !asked.stream ? { deliver: "both" as const } : {};
  const shape = ownValue(SIZES, asked.size ?? "");
  const wished = { ...asked, quality: qualityFor(model, asked.quality), size: shape === undefined ? asked.size : undefined };
  return {
    order: { ...toImageOrder(wished, settings.media_aliases, shape ?? sizeLike(first!)), ...deliver, source },
    ignored: ignoredAmong({ ...fields, ...files }),
    streamed: asked.stream ?? false,
  };
};

const qualityFor = (model: ImageModel, asked: string | undefined) => {
  const quality = ownValue(QUALITIES, asked ?? "");
  if (quality === undefined) return asked as "standard" | "hd" | "auto" | undefined;
  return model.styled ? quality : "standard";
};

const ableEditors = (
  settings: Settings,
  model: ImageModel,
  { pictures, masked }: { pictures: number; masked: boolean },
): readonly MediaTarget[] => {
  const all = editorsOf(settings, model);
  if (all.length === 0) {
    const able = IMAGE_MODELS.filter((other) => editorsOf(settings, other).length > 0).map(({ id }) => id);
    throw invalidRequest(`No upstream of ${model.id} edits pictures; those of ${able.join(", ")} do.`, "model");
  }
  if (pictures === 0) throw invalidRequest("`image` is required: a file with the picture to edit.", "image");
  const most = Math.max(...all.map(mostPictures));
  if (pictures > most)
    throw invalidRequest(`${model.id} edits at most ${most} at once; ${pictures} pictures were sent.`, "image");
  const able = all.filter((target) => mostPictures(target) >= pictures && (!masked || target.editor?.masks === true));
  if (able.length === 0) throw invalidRequest(`No upstream of ${model.id} takes a mask.`, "mask");
  return able;
};

const mostPictures = ({ editor }: MediaTarget): number => Math.min(editor?.pictures ?? 1, BOUNDS.picturesToEdit);

const readPictures = async (sent: readonly Uint8Array[]): Promise<SizedPicture[]> => {
  if (sent.reduce((sum, { length }) => sum + length, 0) > BOUNDS.mediaBodyBytes) throw picturesTooLarge();
  return Promise.all(sent.map((bytes) => readPicture(bytes, "image")));
};

const readMask = async (bytes: Uint8Array, { width, height }: SizedPicture): Promise<SizedPicture> => {
  const mask = await readPicture(bytes, "mask");
  if (mask.mediaType !== "image/png") throw invalidRequest("`mask` must be a PNG: it needs transparent areas.", "mask");
  if (!hasTransparency(bytes)) throw invalidRequest("`mask` has no transparent areas, which are those to be changed.", "mask");
  if (mask.width === width && mask.height === height) return mask;
  throw invalidRequest(
    `\`mask\` must be as large as the first picture, ${width}x${height}; it is ${mask.width}x${mask.height}.`,
    "mask",
  );
};

/** A PNG's colour type has a channel of its own for it (4, 6), or a chunk says which colours are transparent. */
const hasTransparency = (png: Uint8Array): boolean => png[25] === 4 || png[25] === 6 || asBuffer(png).includes("tRNS");

export const picturesTooLarge = () => invalidRequest(`The pictures are larger than ${PICTURE_MEGABYTES} MB together.`, "image");

const SIDE = 1_024;
/** GPT image models take no longer shapes. */
const LONGEST_SHAPE = 3;
/** Their sides divide by it. */
const STEP = 16;

/** About a megapixel in the same shape, within what upstreams make. */
export const sizeLike = ({ width, height }: Size): Size => {
  const stretch = Math.sqrt(Math.min(LONGEST_SHAPE, Math.max(1 / LONGEST_SHAPE, width / height)));
  const side = (pixels: number) => Math.round(pixels / STEP) * STEP;
  return { width: side(SIDE * stretch), height: side(SIDE / stretch) };
};
