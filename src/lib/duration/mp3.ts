/** MPEG audio: the samples of every frame are added up, so that neither a variable rate nor a wrong Xing header matters. */

const RATES = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]] as const;

// Kilobits by layer and version (MPEG-1; MPEG-2 and 2.5), index 1-14.
// biome-ignore format: a table
const BITRATES = {
  one:  { 1: [32,64,96,128,160,192,224,256,288,320,352,384,416,448], 2: [32,48,56,64,80,96,112,128,160,192,224,256,320,384], 3: [32,40,48,56,64,80,96,112,128,160,192,224,256,320] },
  two:  { 1: [32,48,56,64,80,96,112,128,144,160,176,192,224,256],    2: [8,16,24,32,40,48,56,64,80,96,112,128,144,160],      3: [8,16,24,32,40,48,56,64,80,96,112,128,144,160] },
} as const;

export const mp3Seconds = (bytes: Buffer): number | undefined => {
  let at = 0;
  let frameBytes = 0;
  let samples = 0;
  let rate = 0;
  let frames = 0;
  let unheard = 0;
  let disbelieved = 0;
  while (at + 4 <= bytes.length && disbelieved < MOST_DISBELIEVED) {
    const frame = readHeader(bytes, at);
    if (frame === undefined) {
      at++;
      continue;
    }
    // A header is only believed where another follows or the file ends: sync bits occur in other data too.
    const next = at + frame.length;
    if (next + 4 <= bytes.length && readHeader(bytes, next) === undefined && !isTag(bytes, next)) {
      at++;
      disbelieved++;
      continue;
    }
    const info = frames === 0 ? findInfo(bytes, at, Math.min(next, bytes.length)) : undefined;
    if (info === undefined) samples += frame.samples;
    else unheard = unheardSamples(bytes, info);
    rate = frame.rate;
    frameBytes += frame.length;
    frames++;
    at = next;
  }
  // A few frames found by chance are no recording: another format, which players may know, would be billed by them.
  const isMpeg = frames > 0 && frameBytes >= bytes.length * LEAST_SHARE;
  return isMpeg ? Math.max(0, samples - unheard) / rate : undefined;
};

/** Pictures and damage take up some of a file; sound is most of it. */
const LEAST_SHARE = 0.5;

/** The start of the recording after an ID3 tag, which FLAC files may have, too. */
export const skipId3 = (bytes: Uint8Array): number => {
  if (bytes[0] !== 0x49 || bytes[1] !== 0x44 || bytes[2] !== 0x33 || bytes.length < 10) return 0;
  return 10 + ((bytes[6]! & 127) << 21) + ((bytes[7]! & 127) << 14) + ((bytes[8]! & 127) << 7) + (bytes[9]! & 127);
};

const readHeader = (bytes: Uint8Array, at: number): { length: number; samples: number; rate: number } | undefined => {
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0) return undefined;
  const version = (bytes[at + 1]! >> 3) & 3;
  const layer = (4 - ((bytes[at + 1]! >> 1) & 3)) as 1 | 2 | 3 | 4;
  const bitrateIndex = bytes[at + 2]! >> 4;
  const rate = RATES[version]?.[(bytes[at + 2]! >> 2) & 3];
  if (layer === 4 || rate === undefined || bitrateIndex === 0 || bitrateIndex === 15) return undefined;
  const kilobits = BITRATES[version === 3 ? "one" : "two"][layer][bitrateIndex - 1]!;
  const padding = (bytes[at + 2]! >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  const length =
    layer === 1
      ? (Math.floor((12_000 * kilobits) / rate) + padding) * 4
      : Math.floor(((samples / 8) * 1000 * kilobits) / rate) + padding;
  return { length, samples, rate };
};

/** Where the tag of a table begins, which the first frame may hold instead of sound. */
const findInfo = (bytes: Buffer, from: number, to: number): number | undefined => {
  const head = bytes.toString("latin1", from, Math.min(to, from + 64));
  const at = ["Xing", "Info", "VBRI"].map((tag) => head.indexOf(tag)).find((index) => index >= 0);
  return at === undefined ? undefined : from + at;
};

const MOST_UNHEARD = 8_191;

/** Samples of run-in and padding, which encoders note behind the table (LAME's tag) and players leave out; at most as many as the tag can hold. */
const unheardSamples = (bytes: Uint8Array, info: number): number => {
  const flags = bytes[info + 7] ?? 0;
  const tag = info + 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
  if (!["LAME", "Lavf", "Lavc"].includes(String.fromCharCode(...bytes.subarray(tag, tag + 4)))) return 0;
  const [high, middle, low] = [bytes[tag + 21] ?? 0, bytes[tag + 22] ?? 0, bytes[tag + 23] ?? 0];
  return Math.min(MOST_UNHEARD, ((high << 4) | (middle >> 4)) + (((middle & 15) << 8) | low));
};

/** `TAG` (ID3v1), `APETAGEX` or `ID3` may follow the last frame. */
const isTag = (bytes: Uint8Array, at: number): boolean =>
  TAGS.has(((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0));
const TAGS = new Set([0x544147, 0x415045, 0x494433]);

/** Headers that lead nowhere; damage makes a few, only an attack makes this many. */
const MOST_DISBELIEVED = 100_000;
