/** RIFF/WAVE, and RF64 for files that may grow large: the bytes of the data chunk over the bytes of a second. A size that does not fit what follows is not believed. */

import { mp3Seconds } from "./mp3.ts";
import { fourCharacters } from "./mp4-boxes.ts";

export const wavSeconds = (bytes: Uint8Array): number | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let bytesPerSecond = 0;
  let isMpeg = false;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = fourCharacters(bytes, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (name === "fmt " && body + 16 <= bytes.length) {
      bytesPerSecond = rateOf(view, body, size);
      isMpeg = view.getUint16(body, true) === MPEG_LAYER_3;
    }
    if (name === "data" && isMpeg) return mp3Seconds(bytes.subarray(body));
    if (name === "data") return bytesPerSecond > 0 ? dataBytes(bytes, body, size) / bytesPerSecond : undefined;
    at = body + size + (size % 2);
  }
  return undefined;
};

/** Bytes per second, from the fields that players use: the declared rate and, for PCM, the block size may be wrong. 0 for an unknown format. */
const rateOf = (view: DataView, at: number, size: number): number => {
  const declared = view.getUint16(at, true);
  // An extensible head names the format in its last field.
  const format = declared === 0xfffe && size >= 26 ? view.getUint16(at + 24, true) : declared;
  const [channels, rate] = [view.getUint16(at + 2, true), view.getUint32(at + 4, true)];
  const [blockBytes, bits] = [view.getUint16(at + 12, true), view.getUint16(at + 14, true)];
  switch (format) {
    case PCM:
    case FLOAT:
      return channels * Math.ceil(bits / 8) * rate;
    case A_LAW:
    case MU_LAW:
      return channels * rate;
    case MS_ADPCM:
      return perBlock(blockBytes, rate, 2 + ((blockBytes - 7 * channels) * 2) / channels);
    case GSM:
      return (rate * 65) / 320;
    case IMA_ADPCM:
      return perBlock(blockBytes, rate, 1 + ((blockBytes - 4 * channels) * 2) / channels);
    default:
      return 0;
  }
};

const [PCM, MS_ADPCM, FLOAT, A_LAW, MU_LAW, IMA_ADPCM, GSM, MPEG_LAYER_3] = [1, 2, 3, 6, 7, 0x11, 0x31, 0x55];

const perBlock = (blockBytes: number, rate: number, samples: number): number => (samples > 0 ? (blockBytes * rate) / samples : 0);

/** Streamed files carry 0 or the largest number as size. A smaller one holds only where another chunk follows, or the file ends. */
const dataBytes = (bytes: Uint8Array, body: number, size: number): number => {
  const present = bytes.length - body;
  if (size === 0 || size >= present) return present;
  const next = body + size + (size % 2);
  return next >= bytes.length || isChunkName(bytes, next) ? size : present;
};

const isChunkName = (bytes: Uint8Array, at: number): boolean =>
  at + 8 <= bytes.length && /^[\x20-\x7e]{4}$/.test(fourCharacters(bytes, at));
