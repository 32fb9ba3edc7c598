/** Images: PNGs of the requested size with a gradient in colours that depend on the prompt. */

import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const compress = promisify(deflate);

/** A PNG with a palette. `which`: tells it from others of the same prompt, so that they differ. */
export const drawImage = async (prompt: string, width: number, height: number, which: string): Promise<Uint8Array> => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits a pixel, which name a colour of the palette; deflate, no interlacing.
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", paletteOf(Bun.hash.crc32(`${which}:${prompt}`))),
    chunk("IDAT", await compress(drawRows(width, height), { level: 6 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const SHADES = 256;

/** A gradient between two colours. */
const paletteOf = (seed: number): Uint8Array => {
  const [red = 0, green = 0, blue = 0] = [0, 8, 16].map((bits) => (seed >> bits) & 0xff);
  const to = [green, blue, 255 - red];
  const shade = (number: number) =>
    [red, green, blue].map((channel, at) => channel + ((to[at]! - channel) * number) / (SHADES - 1));
  return Uint8Array.from(Array.from({ length: SHADES }, (_, number) => shade(number)).flat());
};

/** The rows of a PNG: a filter byte (none), then the number of a colour for each pixel. The gradient runs from top to bottom. */
const drawRows = (width: number, height: number): Uint8Array => {
  const stride = 1 + width;
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) rows.fill(Math.floor((SHADES * y) / height), y * stride + 1, (y + 1) * stride);
  return rows;
};

const chunk = (type: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
};
