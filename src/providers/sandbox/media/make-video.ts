/**
 * Videos: an MP4 of the requested shape and length. The program contains one encoded second of each shape; its frames are repeated up to
 * the length, with new sample tables.
 */

import { boxesAt } from "../../../lib/duration/mp4-boxes.ts";
import type { VideoRequest } from "../../media-calls.ts";
import square720 from "./assets/video-1x1-720p.bin" with { type: "file" };
import square1080 from "./assets/video-1x1-1080p.bin" with { type: "file" };
import classic720 from "./assets/video-4x3-720p.bin" with { type: "file" };
import classic1080 from "./assets/video-4x3-1080p.bin" with { type: "file" };
import tall720 from "./assets/video-9x16-720p.bin" with { type: "file" };
import tall1080 from "./assets/video-9x16-1080p.bin" with { type: "file" };
import wide720 from "./assets/video-16x9-720p.bin" with { type: "file" };
import wide1080 from "./assets/video-16x9-1080p.bin" with { type: "file" };

const CLIP_OF = {
  "16:9": { "720p": wide720, "1080p": wide1080 },
  "9:16": { "720p": tall720, "1080p": tall1080 },
  "1:1": { "720p": square720, "1080p": square1080 },
  "4:3": { "720p": classic720, "1080p": classic1080 },
} as const;

const FRAMES_PER_SECOND = 24;
/** Time units per second; a frame lasts 512. */
const TIMESCALE = 12_288;
const FRAME_UNITS = TIMESCALE / FRAMES_PER_SECOND;

export const makeVideo = async (request: Omit<VideoRequest, "prompt">): Promise<Uint8Array> => {
  const clip = readClip(Buffer.from(await Bun.file(CLIP_OF[request.aspectRatio][request.resolution]).arrayBuffer()));
  const frames = Math.max(1, Math.round(request.durationSeconds * FRAMES_PER_SECOND));
  const sizes = Array.from({ length: frames }, (_, index) => clip.sizes[index % clip.sizes.length]!);
  const rounds = Math.floor(frames / clip.sizes.length);
  const partBytes = sizes.slice(rounds * clip.sizes.length).reduce((sum, size) => sum + size, 0);
  const media = Buffer.concat([...Array.from({ length: rounds }, () => clip.data), clip.data.subarray(0, partBytes)]);

  const type = box("ftyp", text("isom"), u32(512), text("isomiso2avc1mp41"));
  const movieAt = (offset: number) => movie(clip, frames, sizes, offset);
  // The tables contain the offset of the data after them; their length does not depend on it.
  const offset = type.length + movieAt(0).length + 8;
  return Buffer.concat([type, movieAt(offset), box("mdat", media)]);
};

type Clip = { width: number; height: number; description: Uint8Array; sizes: number[]; data: Uint8Array };

const readClip = (file: Buffer): Clip => {
  const boxAt = (...path: string[]) => boxesAt(file, ...path)[0]!;
  const track = boxAt("moov", "trak", "tkhd");
  const description = boxAt("moov", "trak", "mdia", "minf", "stbl", "stsd");
  const sizeTable = boxAt("moov", "trak", "mdia", "minf", "stbl", "stsz");
  const data = boxAt("mdat");
  const count = file.readUInt32BE(sizeTable.bodyStart + 8);
  return {
    width: file.readUInt32BE(track.end - 8) / 65_536,
    height: file.readUInt32BE(track.end - 4) / 65_536,
    description: file.subarray(description.start, description.end),
    sizes: Array.from({ length: count }, (_, index) => file.readUInt32BE(sizeTable.bodyStart + 12 + index * 4)),
    data: file.subarray(data.bodyStart, data.end),
  };
};

const movie = (clip: Clip, frames: number, sizes: number[], dataAt: number): Buffer => {
  const duration = frames * FRAME_UNITS;
  const keyFrames = sizes.flatMap((_, index) => (index % clip.sizes.length === 0 ? [index + 1] : []));
  const tables = box(
    "stbl",
    clip.description,
    fullBox("stts", 0, u32(1, frames, FRAME_UNITS)),
    fullBox("stss", 0, u32(keyFrames.length, ...keyFrames)),
    fullBox("stsc", 0, u32(1, 1, frames, 1)),
    fullBox("stsz", 0, u32(0, frames, ...sizes)),
    fullBox("stco", 0, u32(1, dataAt)),
  );
  const reference = box("dinf", fullBox("dref", 0, u32(1), fullBox("url ", 1)));
  const media = box(
    "mdia",
    fullBox("mdhd", 0, u32(0, 0, TIMESCALE, duration, UNDETERMINED)),
    fullBox("hdlr", 0, u32(0), text("vide"), u32(0, 0, 0), text("sandbox\0")),
    box("minf", fullBox("vmhd", 1, u32(0, 0)), reference, tables),
  );
  const size = [clip.width * 65_536, clip.height * 65_536];
  const trackHead = fullBox("tkhd", 3, u32(0, 0, 1, 0, duration, 0, 0, 0, 0, ...MATRIX, ...size));
  const head = fullBox("mvhd", 0, u32(0, 0, TIMESCALE, duration, 65_536, FULL_VOLUME, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, 2));
  return box("moov", head, box("trak", trackHead, media));
};

/** A language (`und`) and a volume, each in 16 bits before 16 that are zero. */
const UNDETERMINED = 0x55c4_0000;
const FULL_VOLUME = 0x0100_0000;
/** The identity, as ISO 14496-12 writes it. */
const MATRIX = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 0x4000_0000];

const text = (value: string): Buffer => Buffer.from(value, "latin1");
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};
const box = (type: string, ...parts: Uint8Array[]): Buffer => {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(length), text(type), ...parts]);
};
const fullBox = (type: string, flags: number, ...parts: Uint8Array[]): Buffer => box(type, u32(flags), ...parts);
