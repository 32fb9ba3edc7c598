/** What can be said of a part of a message without a model: of an attachment, its real format and size, read from its bytes. */

import { readDuration } from "../../../lib/duration/read-duration.ts";
import { estimateTokens } from "../../../lib/estimate-tokens.ts";
import { parseDataUrl } from "../../dialect/message-parts.ts";
import type { ContentPart } from "../../provider.ts";

type Description = {
  /** One sentence about the attachment; empty for text. */
  sentence: string;
  /** About as many as a model would charge for. */
  tokens: number;
};

const UNKNOWN_IMAGE_TOKENS = 765;
const VIDEO_TOKENS = 2_000;
const PAGE_TOKENS = 600;

export const describePart = async (part: ContentPart): Promise<Description> => {
  switch (part.type) {
    case "text":
      return { sentence: "", tokens: estimateTokens(part.text) };
    case "image":
      return describeImage(part.url);
    case "audio":
      return describeAudio(decode(part.data), part.format);
    case "video":
      return { sentence: `A video at ${hostOf(part.url)} is attached.`, tokens: VIDEO_TOKENS };
    case "document":
      if (part.from) return { sentence: `A document at ${hostOf(part.from.url)} is attached.`, tokens: PAGE_TOKENS };
      return describeDocument(decode(part.data), part.name);
  }
};

const decode = (base64: string): Buffer => Buffer.from(base64, "base64");
const hostOf = (url: string): string =>
  URL.canParse(url) && !url.startsWith("data:") ? new URL(url).hostname : "an address inside the request";
const inBytes = (bytes: Uint8Array): string => `${bytes.length.toLocaleString("en-US")} bytes`;

const NAMES: Partial<Record<string, string>> = { webp: "WebP" };

const describeImage = async (url: string): Promise<Description> => {
  const inline = parseDataUrl(url);
  if (!inline) return { sentence: `An image at ${hostOf(url)} is attached.`, tokens: UNKNOWN_IMAGE_TOKENS };
  const bytes = decode(inline.data);
  const read = await new Bun.Image(bytes).metadata().catch(() => undefined);
  if (!read)
    return { sentence: `An image of ${inBytes(bytes)} (${inline.mediaType}) is attached.`, tokens: UNKNOWN_IMAGE_TOKENS };
  const { width, height } = read;
  const format = NAMES[read.format] ?? read.format.toUpperCase();
  // A base and a charge for each tile of 512 pixels, as vision models bill it.
  const tiles = Math.ceil(width / 512) * Math.ceil(height / 512);
  return {
    sentence: `The attached image is a ${format} of ${width} × ${height} pixels (${inBytes(bytes)}).`,
    tokens: 85 + 170 * Math.min(tiles, 64),
  };
};

const describeAudio = (bytes: Buffer, format: "wav" | "mp3"): Description => {
  const seconds = readDuration(bytes);
  const length = seconds === undefined ? "" : ` of ${seconds.toFixed(1)} seconds`;
  return {
    sentence: `The attached audio is a ${format.toUpperCase()} file${length} (${inBytes(bytes)}).`,
    tokens: Math.max(10, Math.ceil((seconds ?? 1) * 10)),
  };
};

const describeDocument = (bytes: Buffer, name: string | undefined): Description => {
  const text = bytes.toString("latin1");
  const version = /^%PDF-(\d\.\d)/.exec(text)?.[1];
  const pages = [...text.matchAll(/\/Type\s?\/Page(?![a-zA-Z])/g)].length;
  const count = pages === 0 ? "" : ` with ${pages} page${pages === 1 ? "" : "s"}`;
  const what = version ? `a PDF ${version} document${count}` : "a document";
  return {
    sentence: `The attached file${name ? ` ${name}` : ""} is ${what} (${inBytes(bytes)}).`,
    tokens: PAGE_TOKENS * Math.max(1, pages),
  };
};
