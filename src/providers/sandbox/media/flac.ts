/** A small FLAC encoder (RFC 9639): mono, 16 bit, the fixed second-order predictor, one Rice partition a frame. */

/** A tenth of the speech loop: the loop's ten blocks are encoded once each, whatever the length. */
const BLOCK_SAMPLES = 4608;
/** 4,608 samples a block. */
const BLOCK_SIZE_CODE = 0b0101;
const SUBFRAME_FIXED_2 = 0b001010;

/** `loop` (a whole number of blocks) repeated to `samples` samples. */
export function* flacPieces(loop: Int16Array, rate: number, samples: number): Generator<Uint8Array> {
  yield streamHead(rate, samples);
  const encoded = new Map<number, Uint8Array>();
  for (let at = 0, frame = 0; at < samples; at += BLOCK_SAMPLES, frame++) {
    const from = at % loop.length;
    const length = Math.min(BLOCK_SAMPLES, samples - at);
    let body = length === BLOCK_SAMPLES ? encoded.get(from) : undefined;
    if (body === undefined) {
      body = encodeSubframe(loop.subarray(from, from + length));
      if (length === BLOCK_SAMPLES) encoded.set(from, body);
    }
    yield encodeFrame(body, length, frame);
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

/** Header and subframe begin on whole bytes, so the subframe is encoded apart. */
const encodeFrame = (body: Uint8Array, length: number, number: number): Uint8Array => {
  const full = length === BLOCK_SAMPLES;
  const head = [0xff, 0xf8, (full ? BLOCK_SIZE_CODE : 0b0111) << 4, 0b0000_1000, ...codedNumber(number)];
  if (!full) head.push((length - 1) >> 8, (length - 1) & 0xff);
  head.push(crc8(head));
  const frame = Buffer.concat([Uint8Array.from(head), body, Uint8Array.of(0, 0)]);
  frame.writeUInt16BE(crc16(frame.subarray(0, -2)), frame.length - 2);
  return frame;
};

const encodeSubframe = (block: Int16Array): Uint8Array => {
  const bits = bitWriter();
  if (block.length > 2) putPredicted(bits, block);
  else putVerbatim(bits, block);
  return bits.bytes();
};

type BitWriter = { put(value: number, width: number): void; zeros(count: number): void; bytes(): Uint8Array };

const putVerbatim = (bits: BitWriter, block: Int16Array): void => {
  bits.put(0b0000_0010, 8);
  for (const sample of block) bits.put(sample & 0xffff, 16);
};

const putPredicted = (bits: BitWriter, block: Int16Array): void => {
  bits.put(SUBFRAME_FIXED_2 << 1, 8);
  bits.put(block[0]! & 0xffff, 16);
  bits.put(block[1]! & 0xffff, 16);
  const folded = new Uint32Array(block.length - 2);
  let sum = 0;
  for (let index = 2; index < block.length; index++) {
    const rest = block[index]! - 2 * block[index - 1]! + block[index - 2]!;
    const value = rest >= 0 ? rest * 2 : -rest * 2 - 1;
    folded[index - 2] = value;
    sum += value;
  }
  const parameter = Math.min(14, Math.max(0, Math.floor(Math.log2(sum / folded.length + 1))));
  // Rice coding with 4-bit parameters, a single partition.
  bits.put(0, 2);
  bits.put(0, 4);
  bits.put(parameter, 4);
  for (const value of folded) {
    bits.zeros(value >>> parameter);
    bits.put(1, 1);
    bits.put(value & ((1 << parameter) - 1), parameter);
  }
};

const bitWriter = (): BitWriter => {
  let bytes = new Uint8Array(16_384);
  let length = 0;
  const ensure = (bits: number) => {
    const needed = (length + bits + 7) >> 3;
    if (needed < bytes.length) return;
    const larger = new Uint8Array(needed * 2);
    larger.set(bytes);
    bytes = larger;
  };
  return {
    put: (value, width) => {
      ensure(width);
      for (let bit = width - 1; bit >= 0; bit--, length++) if ((value >> bit) & 1) bytes[length >> 3]! |= 128 >> (length & 7);
    },
    zeros: (count) => {
      ensure(count);
      length += count;
    },
    bytes: () => bytes.subarray(0, (length + 7) >> 3),
  };
};

/** Frame numbers are written as UTF-8 writes code points. */
const codedNumber = (number: number): number[] => {
  if (number < 0x80) return [number];
  if (number < 0x800) return [0xc0 | (number >> 6), 0x80 | (number & 63)];
  return [0xe0 | (number >> 12), 0x80 | ((number >> 6) & 63), 0x80 | (number & 63)];
};

const crc8 = (bytes: readonly number[]): number => {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80 ? (sum << 1) ^ 0x07 : sum << 1) & 0xff;
  }
  return sum;
};

const crc16 = (bytes: Uint8Array): number => {
  let sum = 0;
  for (const byte of bytes) sum = ((sum << 8) ^ CRC16_TABLE[(sum >> 8) ^ byte]!) & 0xffff;
  return sum;
};

const CRC16_TABLE = Uint16Array.from({ length: 256 }, (_, index) => {
  let value = index << 8;
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000 ? (value << 1) ^ 0x8005 : value << 1;
  return value;
});
