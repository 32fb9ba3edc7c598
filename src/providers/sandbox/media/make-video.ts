/** Videos: an MP4 of the requested shape and length. The program contains one encoded second of each shape, which plays as much slower. */

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

/** The durations in such a file: the box of each, and where it stands in it. All have one second, and are multiplied. */
const DURATIONS: readonly [path: string, offset: number][] = [
  ["moov/mvhd", 16],
  ["moov/trak/tkhd", 20],
  ["moov/trak/edts/elst", 8],
  ["moov/trak/mdia/mdhd", 16],
  // That of each frame.
  ["moov/trak/mdia/minf/stbl/stts", 12],
];

export const makeVideo = async (request: Omit<VideoRequest, "prompt">): Promise<Uint8Array> => {
  const file = Buffer.from(await Bun.file(CLIP_OF[request.aspectRatio][request.resolution]).arrayBuffer());
  for (const [path, offset] of DURATIONS) {
    const at = boxesAt(file, ...path.split("/"))[0]!.bodyStart + offset;
    file.writeUInt32BE(Math.round(file.readUInt32BE(at) * request.durationSeconds), at);
  }
  return file;
};
