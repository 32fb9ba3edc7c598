/** The type of a file by its first bytes, since an upstream's claim is not enough to serve it under our name. */

/** Pictures that models can read. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

type SniffedMedia = { mediaType: string; extension: string };

export const sniffImage = (bytes: Uint8Array): SniffedMedia | undefined => {
  const latin = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (latin(0, 8) === "\x89PNG\r\n\x1a\n") return { mediaType: "image/png", extension: "png" };
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return { mediaType: "image/jpeg", extension: "jpg" };
  if (latin(0, 4) === "RIFF" && latin(8, 12) === "WEBP") return { mediaType: "image/webp", extension: "webp" };
  if (latin(0, 4) === "GIF8") return { mediaType: "image/gif", extension: "gif" };
  return undefined;
};

export const sniffVideo = (bytes: Uint8Array): SniffedMedia | undefined => {
  if (String.fromCharCode(...bytes.subarray(4, 8)) === "ftyp") return { mediaType: "video/mp4", extension: "mp4" };
  const isEbml = bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3;
  return isEbml ? { mediaType: "video/webm", extension: "webm" } : undefined;
};
