/**
 * Ogg (RFC 3533): the positions of the longest sound stream divided by its rate; for Opus its packets count, too. Pages are read one after
 * the other, so a damaged one only ends the reading. Recordings that follow each other in a file are played one after the other, so each
 * counts.
 */

import { OPUS_RATE, opusSamples } from "./opus-packet.ts";

const MOST_STREAMS = 100;

type Stream = {
  rate: number;
  skipTicks: number;
  /** Its first position: not 0 in a recording cut out of a broadcast. */
  startTick: number;
  /** The position at the end of its first page. */
  firstTick: number;
  lastTick: number;
  /** For Opus: the number of packets so far, and the duration of those with sound. */
  opus?: { packets: number; ticks: number };
};

export const oggSeconds = (file: Buffer): number | undefined => {
  const streams = new Map<number, Stream>();
  let earlierSeconds = 0;
  let afterHeads = false;
  for (let at = 0; at + 27 <= file.length && starts(file, at, "OggS") && streams.size <= MOST_STREAMS; ) {
    const segments = file[at + 26]!;
    const body = at + 27 + segments;
    let size = 0;
    for (let index = 0; index < segments; index++) size += file[at + 27 + index] ?? 0;
    const serial = file.readUInt32LE(at + 14);
    const isFirst = ((file[at + 5] ?? 0) & 2) !== 0;
    // All streams of a recording begin before any goes on: a head after that begins the next recording.
    if (isFirst && afterHeads) {
      earlierSeconds += secondsOf(streams);
      streams.clear();
    }
    afterHeads = !isFirst;
    const stream = streams.get(serial) ?? (isFirst ? readHead(file, body) : undefined);
    if (stream !== undefined) {
      streams.set(serial, stream);
      readPosition(stream, Number(file.readBigInt64LE(at + 6)));
      if (stream.opus !== undefined) countPackets(file, at, stream.opus);
    }
    at = body + size;
  }
  return earlierSeconds + secondsOf(streams) || undefined;
};

/** No page holds more. */
const LONGEST_PAGE_SECONDS = 60;

/** -1 marks a page on which no packet ends. */
const readPosition = (stream: Stream, tick: number): void => {
  if (tick <= 0) return;
  const { firstTick, rate } = stream;
  if (firstTick === 0) stream.firstTick = tick;
  // The first page is taken to be as long as the second.
  else if (stream.lastTick === firstTick && firstTick > LONGEST_PAGE_SECONDS * rate) stream.startTick = 2 * firstTick - tick;
  stream.lastTick = Math.max(stream.lastTick, tick);
};

const OPUS_HEADS = 2;

/** A packet begins where the one before it ended: behind a segment that is not full, or on a page that continues none. */
const countPackets = (file: Buffer, page: number, opus: { packets: number; ticks: number }): void => {
  const segments = file[page + 26]!;
  let begins = (file[page + 5]! & 1) === 0;
  let at = page + 27 + segments;
  for (let index = 0; index < segments; index++) {
    const size = file[page + 27 + index] ?? 0;
    if (begins && ++opus.packets > OPUS_HEADS && size > 0) opus.ticks += opusSamples(file, at);
    begins = size < 255;
    at += size;
  }
};

/** The longest of the streams, since a player may choose any. */
const secondsOf = (streams: ReadonlyMap<number, Stream>): number =>
  Math.max(0, ...[...streams.values()].map((stream) => ticksOf(stream) / stream.rate));

const LONGEST_TRIM = 0.3 * OPUS_RATE;

/** The last position may cut the last Opus packet short. If it differs by more than that, the packets are believed. */
const ticksOf = ({ startTick, lastTick, skipTicks, opus }: Stream): number => {
  const told = lastTick - skipTicks;
  if (opus === undefined) return told - startTick;
  const heard = opus.ticks - skipTicks;
  return told < heard && told > heard - LONGEST_TRIM ? told : heard;
};

const starts = (file: Buffer, at: number, mark: string): boolean => file.toString("latin1", at, at + mark.length) === mark;

/** The first packet of a stream names its codec. */
const readHead = (file: Buffer, at: number): Stream | undefined => {
  if (at + 32 > file.length) return undefined;
  if (starts(file, at, "OpusHead"))
    return { ...ofRate(OPUS_RATE), skipTicks: file.readUInt16LE(at + 10), opus: { packets: 0, ticks: 0 } };
  if (starts(file, at, "\x01vorbis")) return known(file.readUInt32LE(at + 12));
  if (starts(file, at, "\x7fFLAC")) return known(file.readUInt32BE(at + 27) >>> 12);
  return starts(file, at, "Speex") && at + 40 <= file.length ? known(file.readUInt32LE(at + 36)) : undefined;
};

const known = (rate: number): Stream | undefined => (rate > 0 ? ofRate(rate) : undefined);
const ofRate = (rate: number): Stream => ({ rate, skipTicks: 0, startTick: 0, firstTick: 0, lastTick: 0 });
