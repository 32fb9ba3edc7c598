/** Writes FLAC (RFC 9639), mono, 16 bits, in verbatim subframes: the samples are not compressed. */

import { createChecksum, flacHeadChecksum } from "../../../lib/checksum.ts";

const BLOCK_SAMPLES = 4_608;

/** Codes of a frame header: the block size follows in 16 bits, the sample rate is in STREAMINFO; one channel, 16 bits a sample. */
const BLOCK_SIZE_AND_RATE = 0b0111_0000;
const CHANNELS_AND_WIDTH = 0b0000_1000;
const VERBATIM_SUBFRAME = 0b0000_0010;

const frameChecksum = createChecksum(16, 0x8005);

/** `loop` (a whole number of blocks) repeated to `samples` samples. */
export function* flacPieces(loop: Int16Array, rate: number, samples: number): Generator<Uint8Array> {
  yield streamHead(rate, samples);
  const bigEndian = Buffer.from(loop.slice().buffer).swap16();
  for (let at = 0, number = 0; at < samples; at += BLOCK_SAMPLES, number++) {
    const from = (at % loop.length) * 2;
    yield encodeFrame(number, bigEndian.subarray(from, from + Math.min(BLOCK_SAMPLES, samples - at) * 2));
  }
}

const streamHead = (rate: number, samples: number): Uint8Array => {
  const head = Buffer.alloc(42);
  head.write("fLaC", 0, "latin1");
  // The last metadata block, of type STREAMINFO, 34 bytes; frame sizes and MD5 unknown (zero).
  head.writeUInt32BE(0x8000_0022, 4);
  head.writeUInt16BE(BLOCK_SAMPLES, 8);
  head.writeUInt16BE(BLOCK_SAMPLES, 10);
  const packed = (BigInt(rate) << 44n) | (0n << 41n) | (15n << 36n) | BigInt(samples);
  head.writeBigUInt64BE(packed, 18);
  return head;
};

/** `block`: big-endian samples of two bytes. */
const encodeFrame = (number: number, block: Uint8Array): Uint8Array => {
  const last = block.length / 2 - 1;
  // Frame numbers are encoded as UTF-8 encodes code points.
  const coded = Buffer.from(String.fromCodePoint(number));
  const head = Uint8Array.of(0xff, 0xf8, BLOCK_SIZE_AND_RATE, CHANNELS_AND_WIDTH, ...coded, last >> 8, last & 0xff);
  const frame = Buffer.concat([head, Uint8Array.of(flacHeadChecksum(head), VERBATIM_SUBFRAME), block, Uint8Array.of(0, 0)]);
  frame.writeUInt16BE(frameChecksum(frame.subarray(0, -2)), frame.length - 2);
  return frame;
};
