/** What can be said of a part of a message without a model: of a picture its size, of a recording its length. */

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
const TOKENS_PER_SECOND = 10;
const VIDEO_TOKENS = 2_000;
const DOCUMENT_TOKENS = 600;

export const describePart = async (part: ContentPart): Promise<Description> => {
  switch (part.type) {
    case "text":
      return { sentence: "", tokens: estimateTokens(part.text) };
    case "image":
      return describeImage(part.url);
    case "audio": {
      const seconds = readDuration(decode(part.data)) ?? 1;
      const sentence = `The attached ${part.format.toUpperCase()} file lasts ${seconds.toFixed(1)} seconds.`;
      return { sentence, tokens: Math.ceil(seconds * TOKENS_PER_SECOND) };
    }
    case "video":
      return { sentence: "A video is attached.", tokens: VIDEO_TOKENS };
    case "document":
      return { sentence: `${part.name ?? "A document"} is attached.`, tokens: DOCUMENT_TOKENS };
  }
};

const decode = (base64: string): Buffer => Buffer.from(base64, "base64");

const describeImage = async (url: string): Promise<Description> => {
  const inline = parseDataUrl(url);
  const read = inline && (await new Bun.Image(decode(inline.data)).metadata().catch(() => undefined));
  if (!read) return { sentence: "An image is attached.", tokens: UNKNOWN_IMAGE_TOKENS };
  const { width, height, format } = read;
  // A base and a charge for each tile of 512 pixels, as vision models bill it.
  const tiles = Math.ceil(width / 512) * Math.ceil(height / 512);
  return {
    sentence: `The attached image is a ${format.toUpperCase()} of ${width} × ${height} pixels.`,
    tokens: 85 + 170 * Math.min(tiles, 64),
  };
};
