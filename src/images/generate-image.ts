/**
 * The story of one image request, which may edit pictures: limits, an upstream that succeeds, the bytes checked and stored, the ledger. Also
 * used by chat (rule 6).
 */

import type { Caller } from "../accounts/authenticate.ts";
import { type ImageModel, imageNanoUsd, type MediaTarget } from "../catalog/media-models.ts";
import { IMAGE_LIFETIME_MS, keepForCaller } from "../files/keep-file.ts";
import { fulfilledOf } from "../lib/fulfilled-of.ts";
import { sniffImage } from "../lib/sniff-media.ts";
import { type Routed, type Served, servePromptCall } from "../media/serve-prompt-call.ts";
import type { Platform } from "../platform.ts";
import type { ContentRules } from "../policies/content/content-rules.ts";
import { reviewText } from "../policies/content/review-content.ts";
import { fetchResult } from "../providers/fetch-result.ts";
import type { GeneratedImage, ImageRequest, PictureSource } from "../providers/media-calls.ts";
import type { CallContext } from "../providers/provider.ts";
import type { TargetsOutcome } from "../providers/targets/targets-call.ts";
import { tryTargets } from "../providers/targets/try-targets.ts";
import { UpstreamError } from "../providers/upstream-error.ts";
import { fitImage } from "./fit-image.ts";

export type ImageOrder = ImageRequest & {
  model: ImageModel;
  /** `1024x1024`: width and height as the caller named them. */
  size: string;
  /** `both`: what clients of an API without this choice may look for. */
  deliver: "url" | "b64_json" | "both";
  /** What is edited, and the upstreams that can; absent: pictures are made from the prompt alone. */
  source?: PictureSource & { editors: readonly MediaTarget[] };
  userId?: string;
  signal: AbortSignal;
};

type DeliveredImage = {
  url?: string;
  base64?: string;
  /** `png`, `jpeg`, `webp` or `gif`. */
  format: string;
  revisedPrompt: string;
};
export type ImageAnswer = {
  createdAtMs: number;
  images: DeliveredImage[];
  model: string;
  size: string;
  quality: string;
  costNanoUsd: number;
};

export const IMAGE_PATH = "/v1/images/generations";
export const EDIT_PATH = "/v1/images/edits";
const IMAGE_BYTES = 50_000_000;

/** Throws 429, 400 `content_policy_violation` or 503; a request for n images counts n. */
export const generateImage = (platform: Platform, caller: Caller, order: ImageOrder): Promise<Served<ImageAnswer>> => {
  const { source } = order;
  return servePromptCall(platform, caller, {
    route: source ? EDIT_PATH : IMAGE_PATH,
    model: order.model,
    ...(source && { targets: source.editors }),
    texts: [order.prompt],
    userId: order.userId,
    asked: {
      n: order.n,
      size: order.size,
      quality: order.quality,
      ...(source ? { pictures: source.pictures.length, masked: source.mask !== undefined } : { style: order.style }),
    },
    counts: { group: "images", amount: order.n },
    estimateNanoUsd: imageNanoUsd(order.model, order.size, order.quality) * order.n,
    make: ({ prompt, targets }) => makeImages(platform, caller, { ...order, prompt, targets }),
    settle: ({ images }) => ({ outputText: images.map(({ url = "base64" }) => url).join("\n") }),
  });
};

/** Without limits, ledger and budget, for callers that handle these themselves. */
export const makeImages = async (
  platform: Platform,
  caller: Caller,
  order: Routed<ImageOrder>,
): Promise<TargetsOutcome<ImageAnswer>> => {
  const { prompt, n, width, height, quality, style, source } = order;
  const request = { prompt, n, width, height, quality, style };
  const outcome = await tryTargets(platform, {
    caller,
    signal: order.signal,
    what: order.model.id,
    targets: order.targets,
    service: source ? "edit" : "image",
    use: async (provider, target, context) => {
      const images = source
        ? await provider.edit!(target.model, { ...request, ...source }, context)
        : await provider.image!(target.model, request, context);
      return fulfilledOf(images.slice(0, n).map((image) => checkImage(platform, target.provider, image, context, order)));
    },
  });
  return outcome.ok ? { ...outcome, value: await deliver(platform, caller, order, outcome.value) } : outcome;
};

type CheckedImage = { bytes: Uint8Array; mediaType: string; extension: string; revisedPrompt: string | undefined };

/** Fetches the image if the vendor sent a URL. Anything but an image is the upstream's failure, whatever its media type says. */
const checkImage = async (
  platform: Platform,
  providerId: string,
  image: GeneratedImage,
  context: CallContext,
  order: ImageOrder,
): Promise<CheckedImage> => {
  const made =
    "bytes" in image ? image.bytes : await fetchResult(platform, providerId, { url: image.url, maxBytes: IMAGE_BYTES }, context);
  const kind = sniffImage(made);
  if (kind === undefined) throw new UpstreamError("server", "The upstream's result is not an image.", { accepted: true });
  return { bytes: await fitImage(made, order), ...kind, revisedPrompt: image.revisedPrompt };
};

/** If fewer images came than requested, only those are billed. */
const deliver = async (platform: Platform, caller: Caller, order: ImageOrder, images: CheckedImage[]): Promise<ImageAnswer> => {
  const { output } = await platform.policies.of(caller.project.id);
  const delivered = await Promise.all(
    images.map(async (image): Promise<DeliveredImage> => {
      const revisedPrompt = sayable(output, image.revisedPrompt) || order.prompt;
      const { bytes, mediaType, extension } = image;
      const file = { userId: order.userId, mediaType, label: "image", extension, bytes, lifetimeMs: IMAGE_LIFETIME_MS };
      return {
        ...(order.deliver !== "b64_json" && { url: await keepForCaller(platform, caller, file) }),
        ...(order.deliver !== "url" && { base64: bytes.toBase64() }),
        format: mediaType.slice("image/".length),
        revisedPrompt,
      };
    }),
  );
  return {
    createdAtMs: platform.clock.now(),
    images: delivered,
    model: order.model.id,
    size: order.size,
    quality: order.quality,
    costNanoUsd: imageNanoUsd(order.model, order.size, order.quality) * images.length,
  };
};

/** A revised prompt is model text and reviewed as such; if it is blocked, the caller's own is returned. */
const sayable = (rules: ContentRules | undefined, text = ""): string =>
  rules === undefined ? text : reviewText(rules, text).text;
