/** What can be said of an attachment without a model: its real format and size, read from its bytes. */

import { readDuration } from "../../../lib/duration/read-duration.ts";
import { parseDataUrl } from "../../dialect/message-parts.ts";
import type { ContentPart } from "../../provider.ts";

type MediaNote = {
  /** One sentence about the attachment. */
  sentence: string;
  /** What a model would about charge for it. */
  tokens: number;
};

export function describeMedia(part: ContentPart): MediaNote {
  switch (part.type) {
    case "image":
      return describeImage(part.url);
    case "audio":
      return describeAudio(decode(part.data), part.format);
    case "video":
      return { sentence: `A video at ${hostOf(part.url)} is attached.`, tokens: 2_000 };
    case "document":
      if (part.from) return { sentence: `A document at ${hostOf(part.from.url)} is attached.`, tokens: 600 };
      return describeDocument(decode(part.data), part.name);
    default:
      return { sentence: "", tokens: 0 };
  }
}

const decode = (base64: string): Buffer => Buffer.from(base64, "base64");
const hostOf = (url: string): string =>
  URL.canParse(url) && !url.startsWith("data:") ? new URL(url).hostname : "an address inside the request";
const inBytes = (bytes: Uint8Array): string => `${bytes.length.toLocaleString("en-US")} bytes`;

function describeImage(url: string): MediaNote {
  const inline = parseDataUrl(url);
  if (!inline) return { sentence: `An image at ${hostOf(url)} is attached.`, tokens: 765 };
  const bytes = decode(inline.data);
  const size = imageSize(bytes);
  if (!size) return { sentence: `An image of ${inBytes(bytes)} (${inline.mediaType}) is attached.`, tokens: 765 };
  // A base and a charge for each tile of 512 pixels, as vision models bill it.
  const tiles = Math.ceil(size.width / 512) * Math.ceil(size.height / 512);
  return {
    sentence: `The attached image is a ${size.format} of ${size.width} × ${size.height} pixels (${inBytes(bytes)}).`,
    tokens: 85 + 170 * Math.min(tiles, 64),
  };
}

/** Format and pixels of PNG, GIF, JPEG and WebP; undefined for anything else or for bytes cut short. */
function imageSize(bytes: Buffer): { format: string; width: number; height: number } | undefined {
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { format: "PNG", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length >= 10 && bytes.toString("latin1", 0, 4) === "GIF8") {
    return { format: "GIF", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  if (bytes.length >= 30 && bytes.toString("latin1", 8, 12) === "WEBP") return webpSize(bytes);
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined;
}

function webpSize(bytes: Buffer): { format: string; width: number; height: number } | undefined {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { format: "WebP", width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ") return { format: "WebP", width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return undefined;
  const bits = bytes.readUInt32LE(21);
  return { format: "WebP", width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** Walks the segments to the frame header, which holds the size. */
function jpegSize(bytes: Buffer): { format: string; width: number; height: number } | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { format: "JPEG", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function describeAudio(bytes: Buffer, format: "wav" | "mp3"): MediaNote {
  const seconds = readDuration(bytes);
  const length = seconds === undefined ? "" : ` of ${seconds.toFixed(1)} seconds`;
  return {
    sentence: `The attached audio is a ${format.toUpperCase()} file${length} (${inBytes(bytes)}).`,
    tokens: Math.max(10, Math.ceil((seconds ?? 1) * 10)),
  };
}

function describeDocument(bytes: Buffer, name: string | undefined): MediaNote {
  const head = bytes.toString("latin1");
  const pages = [...head.matchAll(/\/Type\s?\/Page(?![a-zA-Z])/g)].length;
  const version = /^%PDF-(\d\.\d)/.exec(head)?.[1];
  const count = pages === 0 ? "" : ` with ${pages} page${pages === 1 ? "" : "s"}`;
  const what = version ? `a PDF ${version} document${count}` : "a document";
  return {
    sentence: `The attached file${name ? ` ${name}` : ""} is ${what} (${inBytes(bytes)}).`,
    tokens: 600 * Math.max(1, pages),
  };
}
