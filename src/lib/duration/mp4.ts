/** MP4, M4A and their fragments: the samples of each track are added up from its own tables, and checked against the number of AAC frames. */

import { boxesAt, boxesBelow, boxesIn, type Mp4Box, rowsOf, sampleTables } from "./mp4-boxes.ts";
import { missingSamples } from "./mp4-missing.ts";

/** The longest sound track; undefined if there is none. */
export const mp4Seconds = (file: Buffer): number | undefined => longest(tracksOf(file).filter(({ isSound }) => isSound));

/** A film's length is that of its longest track, with or without sound. */
export const filmSeconds = (file: Buffer): number | undefined => longest(tracksOf(file));

type Track = { isSound: boolean; seconds: number };

/** More than any film has: a file that was made to be slow. */
const MOST_TRACKS = 1_000;

const longest = (tracks: readonly Track[]): number | undefined =>
  tracks.length > 0 ? Math.max(...tracks.map(({ seconds }) => seconds)) : undefined;

const tracksOf = (file: Buffer): Track[] => {
  const fragments = fragmentUnits(file);
  const [movieHead] = boxesAt(file, "moov", "mvhd");
  const movieTimescale = movieHead === undefined ? 0 : fieldAfterTimes(file, movieHead);
  const tracks = boxesAt(file, "moov", "trak").slice(0, MOST_TRACKS);
  return tracks.flatMap((track) => {
    const [mediaHead] = boxesBelow(file, track, "mdia", "mdhd");
    const [handler] = boxesBelow(file, track, "mdia", "hdlr");
    const [head] = boxesBelow(file, track, "tkhd");
    if (!mediaHead || !handler || !head) return [];
    const timescale = fieldAfterTimes(file, mediaHead);
    const id = fieldAfterTimes(file, head);
    const tables = sampleTables(file, track);
    const inFragments = fragments.get(id) ?? { units: 0, frames: 0 };
    const missing = missingSamples(file, tables);
    const units = tableUnits(file, tables.stts[0], missing) + inFragments.units;
    const isSound = file.toString("latin1", handler.bodyStart + 8, handler.bodyStart + 12) === "soun";
    if (timescale === 0 || units === 0) return [];
    const told = heardSeconds(file, movieTimescale, track, units / timescale);
    const framed = aacSeconds(file, tables.stsd[0], frameCount(file, tables.stsz[0]) - missing + inFragments.frames);
    return [{ isSound, seconds: told * SHORTER_FRAMES < framed ? framed : told }];
  });
};

/** The timescale or track id, behind two times of four bytes each, or of eight in version 1. */
const fieldAfterTimes = (file: Buffer, { bodyStart }: Mp4Box): number =>
  file.readUInt32BE(bodyStart + (file[bodyStart] === 1 ? 20 : 12));

const AAC_FRAME_SAMPLES = 1_024;
/** Some kinds of AAC have frames of less than half this length, so the tables are believed unless the frames last this many times longer. */
const SHORTER_FRAMES = 2.2;

const frameCount = (file: Buffer, sizes: Mp4Box | undefined): number => (sizes ? file.readUInt32BE(sizes.bodyStart + 8) : 0);

/** Seconds of AAC by its frames and sample rate; 0 for another codec. */
const aacSeconds = (file: Buffer, descriptions: Mp4Box | undefined, frames: number): number => {
  const entry = (descriptions?.bodyStart ?? 0) + 8;
  if (descriptions === undefined || file.toString("latin1", entry + 4, entry + 8) !== "mp4a") return 0;
  const rate = file.readUInt16BE(entry + 32);
  return rate > 0 ? (frames * AAC_FRAME_SAMPLES) / rate : 0;
};

const LONGEST_TRIM_SECONDS = 0.3;

/** An edit list leaves out an encoder's run-in. One that would leave out more is not believed: it may be there to look short. */
const heardSeconds = (file: Buffer, movieTimescale: number, track: Mp4Box, seconds: number): number => {
  const [edits] = boxesBelow(file, track, "edts", "elst");
  if (movieTimescale === 0 || edits === undefined) return seconds;
  const isWide = file[edits.bodyStart] === 1;
  const rowBytes = isWide ? 20 : 12;
  const count = rowsOf(file, edits, 8, rowBytes);
  let units = 0;
  for (let index = 0; index < count; index++) {
    const at = edits.bodyStart + 8 + index * rowBytes;
    units += isWide ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at);
  }
  const edited = units / movieTimescale;
  return edited < seconds && edited > seconds - LONGEST_TRIM_SECONDS ? edited : seconds;
};

/** Without the last samples, which are `missing`. */
const tableUnits = (file: Buffer, table: Mp4Box | undefined, missing: number): number => {
  if (table === undefined) return 0;
  let units = 0;
  for (let index = rowsOf(file, table, 8, 8) - 1, left = missing; index >= 0; index--) {
    const at = table.bodyStart + 8 + index * 8;
    const samples = file.readUInt32BE(at);
    units += Math.max(0, samples - left) * file.readUInt32BE(at + 4);
    left = Math.max(0, left - samples);
  }
  return units;
};

/** By track id, over all fragments. */
const fragmentUnits = (file: Buffer): Map<number, { units: number; frames: number }> => {
  const defaults = new Map(
    boxesAt(file, "moov", "mvex", "trex").map((box) => [
      file.readUInt32BE(box.bodyStart + 4),
      file.readUInt32BE(box.bodyStart + 12),
    ]),
  );
  const counted = new Map<number, { units: number; frames: number }>();
  for (const fragment of boxesAt(file, "moof", "traf")) {
    const [head] = boxesBelow(file, fragment, "tfhd");
    if (!head) continue;
    const id = file.readUInt32BE(head.bodyStart + 4);
    const sampleUnits = headDefault(file, head) ?? defaults.get(id) ?? 0;
    for (const run of boxesIn(file, fragment)) {
      if (run.type !== "trun") continue;
      const { units, frames } = counted.get(id) ?? { units: 0, frames: 0 };
      counted.set(id, { units: units + runUnits(file, run, sampleUnits), frames: frames + file.readUInt32BE(run.bodyStart + 4) });
    }
  }
  return counted;
};

const flagsOf = (file: Buffer, box: Mp4Box): number => file.readUInt32BE(box.bodyStart) & 0xffffff;

const headDefault = (file: Buffer, head: Mp4Box): number | undefined => {
  const flags = flagsOf(file, head);
  if (!(flags & 0x08)) return undefined;
  return file.readUInt32BE(head.bodyStart + 8 + (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0));
};

const runUnits = (file: Buffer, run: Mp4Box, sampleUnits: number): number => {
  const flags = flagsOf(file, run);
  const count = file.readUInt32BE(run.bodyStart + 4);
  if (!(flags & 0x100)) return count * sampleUnits;
  const stride = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  let at = run.bodyStart + 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0);
  let units = 0;
  for (let index = 0; index < count && at + 4 <= run.end; index++, at += stride) units += file.readUInt32BE(at);
  return units;
};
