/**
 * Ogg (RFC 3533): the last position of the longest sound stream over its rate; pages are walked, so a damaged one only ends the walk.
 * Recordings chained one after the other are played one after the other, so each counts.
 */

const MOST_STREAMS = 100;

type Stream = { rate: number; skipTicks: number; lastTick: number };

export const oggSeconds = (bytes: Uint8Array): number | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const streams = new Map<number, Stream>();
  let earlierSeconds = 0;
  let afterHeads = false;
  for (let at = 0; at + 27 <= bytes.length && isPage(bytes, at) && streams.size <= MOST_STREAMS; ) {
    const segments = bytes[at + 26]!;
    const body = at + 27 + segments;
    let size = 0;
    for (let index = 0; index < segments; index++) size += bytes[at + 27 + index] ?? 0;
    const serial = view.getUint32(at + 14, true);
    const isFirst = ((bytes[at + 5] ?? 0) & 2) !== 0;
    // All streams of a recording begin before any goes on: a head after that begins the next recording.
    if (isFirst && afterHeads) {
      earlierSeconds += secondsOf(streams);
      streams.clear();
    }
    afterHeads = !isFirst;
    const stream = streams.get(serial) ?? (isFirst ? readHead(bytes, view, body) : undefined);
    if (stream !== undefined) {
      streams.set(serial, stream);
      const position = view.getBigInt64(at + 6, true);
      // -1 marks a page on which no packet ends.
      if (position > 0n) stream.lastTick = Math.max(stream.lastTick, Number(position));
    }
    at = body + size;
  }
  return earlierSeconds + secondsOf(streams) || undefined;
};

/** Of several streams a player may choose any. */
const secondsOf = (streams: ReadonlyMap<number, Stream>): number =>
  Math.max(0, ...[...streams.values()].map(({ lastTick, skipTicks, rate }) => (lastTick - skipTicks) / rate));

/** `OggS` */
const isPage = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x4f && bytes[at + 1] === 0x67 && bytes[at + 2] === 0x67 && bytes[at + 3] === 0x53;
const text = (bytes: Uint8Array, at: number, length: number): string => String.fromCharCode(...bytes.subarray(at, at + length));

/** The first packet of a stream names its codec. */
const readHead = (bytes: Uint8Array, view: DataView, at: number): Stream | undefined => {
  if (at + 32 > bytes.length) return undefined;
  if (text(bytes, at, 8) === "OpusHead") return { rate: 48_000, skipTicks: view.getUint16(at + 10, true), lastTick: 0 };
  if (text(bytes, at, 7) === "\x01vorbis") return known(view.getUint32(at + 12, true));
  if (text(bytes, at, 5) === "\x7fFLAC") return known(view.getUint32(at + 27) >>> 12);
  return text(bytes, at, 5) === "Speex" && at + 40 <= bytes.length ? known(view.getUint32(at + 36, true)) : undefined;
};

const known = (rate: number): Stream | undefined => (rate > 0 ? { rate, skipTicks: 0, lastTick: 0 } : undefined);
