/** Images: PNGs of the requested size with a gradient in colours that depend on the prompt, and the prompt's first words. */

import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import { drawText } from "./draw-text.ts";

const compress = promisify(deflate);

/** A PNG with a palette. `which`: tells it from others of the same prompt, so that they differ. */
export const drawImage = async (prompt: string, width: number, height: number, which: string): Promise<Uint8Array> => {
  const rows = drawRows(width, height);
  drawText(rows, width, height, prompt, WHITE);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits a pixel, which name a colour of the palette; deflate, no interlacing.
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", paletteOf(Bun.hash.crc32(`${which}:${prompt}`))),
    chunk("IDAT", await compress(rows, { level: 6 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const LAST_SHADE = 254;
const WHITE = 255;

/** A gradient between two hues, and white. */
const paletteOf = (seed: number): Uint8Array => {
  const from = hueToRgb(seed % 360, 0.35);
  const to = hueToRgb((seed + 70) % 360, 0.75);
  const shade = (number: number) => from.map((channel, at) => Math.round(channel + ((to[at]! - channel) * number) / LAST_SHADE));
  return Uint8Array.from([...Array.from({ length: WHITE }, (_, number) => shade(number)).flat(), 255, 255, 255]);
};

/** The rows of a PNG: a filter byte (none), then the number of a colour for each pixel. The gradient runs from top to bottom. */
const drawRows = (width: number, height: number): Uint8Array => {
  const stride = 1 + width;
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++)
    rows.fill(Math.round((LAST_SHADE * y) / Math.max(1, height - 1)), y * stride + 1, (y + 1) * stride);
  return rows;
};

const hueToRgb = (hue: number, lightness: number): number[] => {
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
