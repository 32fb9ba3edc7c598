/**
 * WebM (EBML), by its blocks of sound, since recorders that stream leave the declared length out. Opus blocks count by what they hold; for
 * other codecs the length is from the time of the first block to that of the last. Recordings that follow each other in a file are played
 * one after the other, so each counts.
 */

import { OPUS_RATE, opusSamples } from "./opus-packet.ts";

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const CONTAINERS = new Set([SEGMENT, INFO, CLUSTER, BLOCK_GROUP, TRACKS, TRACK]);
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC = 0x86;
const SOUND = 2;
const LACED = 0x06;
const TIMECODE_SCALE = 0x2ad7b1;
const CLUSTER_TIME = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;

type Track = {
  number?: number;
  type?: number;
  isOpus?: boolean;
  /** The duration of its blocks that hold one packet of Opus each. */
  opusTicks: number;
};

type Reading = {
  nanosecondsPerTick: number;
  clusterTime: number;
  first: number;
  last: number;
  previous: number;
  blocks: number;
  opusBlocks: number;
  /** The track that is being described. */
  track: Track;
  /** Those that hold sound, by number. */
  sound: Map<number, Track>;
};

const newReading = (): Reading => ({
  nanosecondsPerTick: 1_000_000,
  clusterTime: 0,
  first: 0,
  last: 0,
  previous: 0,
  blocks: 0,
  opusBlocks: 0,
  track: { opusTicks: 0 },
  sound: new Map(),
});

export const webmSeconds = (bytes: Uint8Array): number | undefined => {
  let earlierSeconds = 0;
  let reading = newReading();
  let at = 0;
  while (at < bytes.length) {
    const id = readNumber(bytes, at, false);
    const size = id && readNumber(bytes, id.end, true);
    if (!id || !size) break;
    if (id.value === SEGMENT) {
      earlierSeconds += secondsOf(reading);
      reading = newReading();
    }
    if (id.value === TRACK) reading.track = { opusTicks: 0 };
    // A container is entered, whatever length it claims; anything else is read and skipped.
    if (CONTAINERS.has(id.value)) at = size.end;
    else {
      readElement(bytes, id.value, size.end, size.value, reading);
      at = size.end + size.value;
    }
  }
  return earlierSeconds + secondsOf(reading) || undefined;
};

const secondsOf = (reading: Reading): number => {
  if (reading.blocks > 0 && reading.opusBlocks === reading.blocks)
    return Math.max(...[...reading.sound.values()].map(({ opusTicks }) => opusTicks)) / OPUS_RATE;
  // The last block lasts as long as the one before it.
  const ticks = reading.last - reading.first + (reading.blocks > 1 ? reading.last - reading.previous : 0);
  return (ticks * reading.nanosecondsPerTick) / 1e9;
};

const readElement = (bytes: Uint8Array, id: number, at: number, size: number, reading: Reading): void => {
  if (id === TIMECODE_SCALE) reading.nanosecondsPerTick = readUnsigned(bytes, at, size) || 1_000_000;
  else if (id === CLUSTER_TIME) reading.clusterTime = readUnsigned(bytes, at, size);
  else if (id === TRACK_NUMBER || id === TRACK_TYPE) {
    reading.track[id === TRACK_NUMBER ? "number" : "type"] = readUnsigned(bytes, at, size);
    if (reading.track.type === SOUND && reading.track.number !== undefined)
      reading.sound.set(reading.track.number, reading.track);
  } else if (id === CODEC) reading.track.isOpus = String.fromCharCode(...bytes.subarray(at, at + 6)) === "A_OPUS";
  else if (id === SIMPLE_BLOCK || id === BLOCK) readBlock(bytes, at, reading);
};

const readBlock = (bytes: Uint8Array, at: number, reading: Reading): void => {
  const number = readNumber(bytes, at, true);
  const track = number && reading.sound.get(number.value);
  if (!track || number.end + 3 > bytes.length) return;
  const relative = ((bytes[number.end]! << 24) >> 16) | bytes[number.end + 1]!;
  const time = reading.clusterTime + relative;
  if (track.isOpus && (bytes[number.end + 2]! & LACED) === 0) {
    track.opusTicks += opusSamples(bytes, number.end + 3);
    reading.opusBlocks++;
  }
  if (reading.blocks++ === 0) reading.first = reading.last = time;
  if (time <= reading.last) return;
  reading.previous = reading.last;
  reading.last = time;
};

/** EBML's variable-length numbers; ids keep their length mark. An unknown size (all ones) reads as the rest of the file. */
const readNumber = (bytes: Uint8Array, at: number, dropMark: boolean): { value: number; end: number } | undefined => {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = dropMark ? first & (0xff >> length) : first;
  let allOnes = dropMark && value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    value = value * 256 + bytes[at + index]!;
    if (bytes[at + index] !== 0xff) allOnes = false;
  }
  return { value: allOnes ? bytes.length : value, end: at + length };
};

const readUnsigned = (bytes: Uint8Array, at: number, size: number): number => {
  let value = 0;
  for (let index = 0; index < Math.min(size, 8); index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
};
