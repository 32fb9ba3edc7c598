/** A picture that somebody sends to have it edited: known by its bytes, and bounded before anybody decodes it. */

import { invalidRequest } from "../api-error.ts";
import { sniffImage } from "../lib/sniff-media.ts";
import type { Picture } from "../providers/media-calls.ts";
import { MOST_PIXELS } from "./fit-image.ts";

export type SizedPicture = Picture & { width: number; height: number };

/** What all of the upstreams read. */
const READ_BY_ALL = ["image/png", "image/jpeg", "image/webp"];

/** Throws 400 with the `param`. The size is that of the picture as it is to be seen, whichever way the camera was held. */
export const readPicture = async (bytes: Uint8Array, param: string): Promise<SizedPicture> => {
  const kind = sniffImage(bytes);
  if (kind === undefined || !READ_BY_ALL.includes(kind.mediaType))
    throw invalidRequest(`\`${param}\` must be a PNG, JPEG or WebP picture.`, param);
  const size = await sizeOf(bytes);
  if (size === undefined) throw invalidRequest(`\`${param}\` could not be read as a picture.`, param);
  if (size.width * size.height > MOST_PIXELS)
    throw invalidRequest(`\`${param}\` may have at most ${MOST_PIXELS} pixels; it is ${size.width}x${size.height}.`, param);
  return { bytes, ...kind, ...size };
};

/** Reads the head only. */
const sizeOf = async (bytes: Uint8Array): Promise<{ width: number; height: number } | undefined> => {
  try {
    const { width, height } = await new Bun.Image(bytes).metadata();
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
};
