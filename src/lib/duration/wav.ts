/** RIFF/WAVE, and RF64 for files that may grow large: the bytes of the data chunk over the bytes of a second. A size that does not fit what follows is not believed. */

import { mp3Seconds } from "./mp3.ts";

export const wavSeconds = (file: Buffer): number | undefined => {
  let bytesPerSecond = 0;
  let isMpeg = false;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const body = at + 8;
    if (name === "fmt " && body + 16 <= file.length) {
      bytesPerSecond = rateOf(file, body, size);
      isMpeg = file.readUInt16LE(body) === MPEG_LAYER_3;
    }
    if (name === "data" && isMpeg) return mp3Seconds(file.subarray(body));
    if (name === "data") return bytesPerSecond > 0 ? dataBytes(file, body, size) / bytesPerSecond : undefined;
    at = body + size + (size % 2);
  }
  return undefined;
};

/** Bytes per second, from the fields that players use: the declared rate and, for PCM, the block size may be wrong. 0 for an unknown format. */
const rateOf = (file: Buffer, at: number, size: number): number => {
  const declared = file.readUInt16LE(at);
  // An extensible head names the format in its last field.
  const format = declared === 0xfffe && size >= 26 ? file.readUInt16LE(at + 24) : declared;
  const [channels, rate] = [file.readUInt16LE(at + 2), file.readUInt32LE(at + 4)];
  const [blockBytes, bits] = [file.readUInt16LE(at + 12), file.readUInt16LE(at + 14)];
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
const dataBytes = (file: Buffer, body: number, size: number): number => {
  const present = file.length - body;
  if (size === 0 || size >= present) return present;
  const next = body + size + (size % 2);
  return next >= file.length || isChunkName(file, next) ? size : present;
};

const isChunkName = (file: Buffer, at: number): boolean =>
  at + 8 <= file.length && /^[\x20-\x7e]{4}$/.test(file.toString("latin1", at, at + 4));
