/**
 * FLAC: each frame says which sample it begins with, also in a piece cut from a longer recording; the length that the head declares
 * is not needed. Recordings that follow each other in a file are played one after the other, so each counts.
 */

import { flacHeadChecksum } from "../checksum.ts";

const BLOCK_SIZES: Record<number, number> = { 1: 192, 2: 576, 3: 1152, 4: 2304, 5: 4608 };

export const flacSeconds = (file: Buffer): number | undefined => {
  let seconds = 0;
  for (let at = 0; at < file.length; ) {
    const next = nextRecording(file, at + 4);
    seconds += recordingSeconds(file.subarray(at, next)) ?? 0;
    at = next;
  }
  return seconds || undefined;
};

/** A recording begins with the mark and a block of 34 bytes that describes it, which may be the last of its head. */
const nextRecording = (file: Buffer, from: number): number => {
  for (let at = file.indexOf("fLaC", from, "latin1"); at >= 0; at = file.indexOf("fLaC", at + 4, "latin1"))
    if (at + 8 <= file.length && (file.readUInt32BE(at + 4) & 0x7fff_ffff) === 34) return at;
  return file.length;
};

const recordingSeconds = (bytes: Buffer): number | undefined => {
  if (bytes.length < 42) return undefined;
  const rate = bytes.readUInt32BE(18) >>> 12;
  const fixedBlock = bytes.readUInt16BE(8);
  if (rate === 0) return undefined;
  const beginOf = ({ start, variable }: FrameHead): number => start * (variable ? 1 : fixedBlock);
  const frames = skipMetadata(bytes);
  const first = readFrameHead(bytes, frames);
  const last = lastFrameHead(bytes, frames);
  if (last === undefined) return undefined;
  const end = beginOf(last) + last.samples;
  const skipped = first === undefined ? 0 : beginOf(first);
  return (skipped < end ? end - skipped : end) / rate;
};

const lastFrameHead = (bytes: Uint8Array, from: number): FrameHead | undefined => {
  for (let at = bytes.length - 6; at >= from; at--) {
    const frame = readFrameHead(bytes, at);
    if (frame !== undefined) return frame;
  }
  return undefined;
};

const skipMetadata = (bytes: Uint8Array): number => {
  for (let at = 4; at + 4 <= bytes.length; ) {
    const last = bytes[at]! >= 0x80;
    at += 4 + (bytes[at + 1]! << 16) + (bytes[at + 2]! << 8) + bytes[at + 3]!;
    if (last) return at;
  }
  return bytes.length;
};

type FrameHead = { start: number; samples: number; variable: boolean };

/** A frame's head is known by its sync bits and proven by its checksum. */
const readFrameHead = (bytes: Uint8Array, at: number): FrameHead | undefined => {
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xfe) !== 0xf8) return undefined;
  const sizeCode = bytes[at + 2]! >> 4;
  const rateCode = bytes[at + 2]! & 15;
  const coded = readCodedNumber(bytes, at + 4);
  if (sizeCode === 0 || rateCode === 15 || coded === undefined) return undefined;
  let end = coded.end;
  let samples = BLOCK_SIZES[sizeCode] ?? 256 << (sizeCode - 8);
  if (sizeCode === 6) samples = bytes[end++]! + 1;
  else if (sizeCode === 7) {
    samples = bytes[end]! * 256 + bytes[end + 1]! + 1;
    end += 2;
  }
  if (rateCode === 12) end += 1;
  else if (rateCode > 12) end += 2;
  if (end >= bytes.length || flacHeadChecksum(bytes.subarray(at, end)) !== bytes[end]) return undefined;
  return { start: coded.value, samples, variable: (bytes[at + 1]! & 1) === 1 };
};

/** Numbers are written as UTF-8 writes code points, up to seven bytes. */
const readCodedNumber = (bytes: Uint8Array, at: number): { value: number; end: number } | undefined => {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return { value: first, end: at + 1 };
  const length = Math.clz32(~(first << 24));
  if (length < 2 || length > 7) return undefined;
  let value = length === 7 ? 0 : first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index];
    if (byte === undefined || (byte & 0xc0) !== 0x80) return undefined;
    value = value * 64 + (byte & 63);
  }
  return { value, end: at + length };
};
