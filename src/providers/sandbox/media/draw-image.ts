/** Images: PNGs of the requested size with a gradient in colours that depend on the prompt, and the prompt's first words. */

import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import { drawText } from "./draw-text.ts";

const compress = promisify(deflate);

/** A PNG. `index`: the image's number in its request, so that they differ. */
export const drawImage = async (prompt: string, width: number, height: number, index: number): Promise<Uint8Array> => {
  const rows = drawRows(width, height, Bun.hash.crc32(`${index}:${prompt}`));
  drawText(rows, width, height, prompt);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits a channel, RGB, deflate, no interlacing.
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("IDAT", await compress(rows, { level: 6 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** The rows of a PNG: a filter byte (none), then RGB. The gradient runs from top to bottom between two hues. */
const drawRows = (width: number, height: number, seed: number): Uint8Array => {
  const from = hueToRgb(seed % 360, 0.35);
  const to = hueToRgb((seed + 70) % 360, 0.75);
  const stride = 1 + width * 3;
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    const start = y * stride + 1;
    const share = height > 1 ? y / (height - 1) : 0;
    for (let channel = 0; channel < 3; channel++)
      rows[start + channel] = Math.round(from[channel]! + (to[channel]! - from[channel]!) * share);
    // Doubling copies are the fastest way to repeat three bytes.
    for (let filled = 3; filled < width * 3; filled *= 2)
      rows.copyWithin(start + filled, start, start + Math.min(filled, width * 3 - filled));
  }
  return rows;
};

const hueToRgb = (hue: number, lightness: number): [number, number, number] => {
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const spread = 0.6 * Math.min(lightness, 1 - lightness);
    return 255 * (lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
};

const chunk = (type: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
};
