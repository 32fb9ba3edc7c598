/** The checksums of Ogg and FLAC: remainders of 32, 16 or 8 bits, neither reflected nor inverted. */

export const createChecksum = (bits: 8 | 16 | 32, polynomial: number): ((bytes: Uint8Array) => number) => {
  const shift = 32 - bits;
  const table = Int32Array.from({ length: 256 }, (_, index) => {
    let value = index << 24;
    for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ (polynomial << shift) : value << 1;
    return value;
  });
  return (bytes) => {
    let sum = 0;
    for (const byte of bytes) sum = (sum << 8) ^ table[(sum >>> 24) ^ byte]!;
    return sum >>> shift;
  };
};

/** Of the head of a FLAC frame. */
export const flacHeadChecksum = createChecksum(8, 0x07);
