/** How long an Opus packet sounds: its first byte or two say so (RFC 6716 §3.1), whatever time its container gives it. */

/** Samples at this rate, whatever was recorded. */
export const OPUS_RATE = 48_000;
const LONGEST_PACKET = 5_760;
const FRAMES_OF_CODE = [1, 2, 2];

/** At `OPUS_RATE`; 0 where the bytes end before. */
export const opusSamples = (bytes: Uint8Array, at: number): number => {
  const head = bytes[at];
  if (head === undefined) return 0;
  const frames = FRAMES_OF_CODE[head & 3] ?? (bytes[at + 1] ?? 0) & 63;
  return Math.min(LONGEST_PACKET, frames * frameSamples(head >> 3));
};

/** Speech, both mixed, sound: each with its own lengths, from 2.5 to 60 ms. */
const frameSamples = (config: number): number => {
  if (config < 12) return [480, 960, 1_920, 2_880][config & 3]!;
  return config < 16 ? [480, 960][config & 1]! : 120 << (config & 3);
};
