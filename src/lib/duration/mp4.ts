/** MP4, M4A and their fragments: the samples of each track are added up from its own tables, and checked against the number of AAC frames. */

import { boxesIn, findBoxes, fourCharacters, type Mp4Box, sampleTables } from "./mp4-boxes.ts";
import { missingSamples } from "./mp4-missing.ts";

/** The longest sound track; undefined if there is none. */
export const mp4Seconds = (bytes: Uint8Array): number | undefined => longest(tracksOf(bytes).filter(({ isSound }) => isSound));

/** A film's length is that of its longest track, with or without sound. */
export const filmSeconds = (bytes: Uint8Array): number | undefined => longest(tracksOf(bytes));

type Track = { isSound: boolean; seconds: number };

/** More than any film has: a file that was made to be slow. */
const MOST_TRACKS = 1_000;

const longest = (tracks: readonly Track[]): number | undefined =>
  tracks.length > 0 ? Math.max(...tracks.map(({ seconds }) => seconds)) : undefined;

const tracksOf = (bytes: Uint8Array): Track[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = { bodyStart: 0, end: bytes.length };
  const fragments = fragmentUnits(bytes, view, whole);
  const [movieHead] = findBoxes(bytes, whole, "moov", "mvhd");
  const movieTimescale = movieHead === undefined ? 0 : fieldAfterTimes(bytes, view, movieHead);
  const tracks = findBoxes(bytes, whole, "moov", "trak").slice(0, MOST_TRACKS);
  return tracks.flatMap((track) => {
    const [mediaHead] = findBoxes(bytes, track, "mdia", "mdhd");
    const [handler] = findBoxes(bytes, track, "mdia", "hdlr");
    const [head] = findBoxes(bytes, track, "tkhd");
    if (!mediaHead || !handler || !head) return [];
    const timescale = fieldAfterTimes(bytes, view, mediaHead);
    const id = fieldAfterTimes(bytes, view, head);
    const tables = sampleTables(bytes, track);
    const inFragments = fragments.get(id) ?? { units: 0, frames: 0 };
    const missing = missingSamples(view, tables);
    const units = tableUnits(view, tables.stts[0], missing) + inFragments.units;
    const isSound = fourCharacters(bytes, handler.bodyStart + 8) === "soun";
    if (timescale === 0 || units === 0) return [];
    const told = heardSeconds(bytes, view, movieTimescale, track, units / timescale);
    const framed = aacSeconds(bytes, view, tables.stsd[0], frameCount(view, tables.stsz[0]) - missing + inFragments.frames);
    return [{ isSound, seconds: told * SHORTER_FRAMES < framed ? framed : told }];
  });
};

/** The timescale or track id, behind two times of four bytes each, or of eight in version 1. */
const fieldAfterTimes = (bytes: Uint8Array, view: DataView, { bodyStart }: Mp4Box): number =>
  view.getUint32(bodyStart + (bytes[bodyStart] === 1 ? 20 : 12));

const AAC_FRAME_SAMPLES = 1_024;
/** Some kinds of AAC have frames of less than half this length, so the tables are believed unless the frames last this many times longer. */
const SHORTER_FRAMES = 2.2;

const frameCount = (view: DataView, sizes: Mp4Box | undefined): number => (sizes ? view.getUint32(sizes.bodyStart + 8) : 0);

/** Seconds of AAC by its frames and sample rate; 0 for another codec. */
const aacSeconds = (bytes: Uint8Array, view: DataView, descriptions: Mp4Box | undefined, frames: number): number => {
  const entry = (descriptions?.bodyStart ?? 0) + 8;
  if (descriptions === undefined || fourCharacters(bytes, entry + 4) !== "mp4a") return 0;
  const rate = view.getUint16(entry + 32);
  return rate > 0 ? (frames * AAC_FRAME_SAMPLES) / rate : 0;
};

const LONGEST_TRIM_SECONDS = 0.3;

/** An edit list leaves out an encoder's run-in. One that would leave out more is not believed: it may be there to look short. */
const heardSeconds = (bytes: Uint8Array, view: DataView, movieTimescale: number, track: Mp4Box, seconds: number): number => {
  const [edits] = findBoxes(bytes, track, "edts", "elst");
  if (movieTimescale === 0 || edits === undefined) return seconds;
  const isWide = bytes[edits.bodyStart] === 1;
  const count = Math.min(view.getUint32(edits.bodyStart + 4), Math.floor((edits.end - edits.bodyStart - 8) / (isWide ? 20 : 12)));
  let units = 0;
  for (let index = 0; index < count; index++) {
    const at = edits.bodyStart + 8 + index * (isWide ? 20 : 12);
    units += isWide ? Number(view.getBigUint64(at)) : view.getUint32(at);
  }
  const edited = units / movieTimescale;
  return edited < seconds && edited > seconds - LONGEST_TRIM_SECONDS ? edited : seconds;
};

type Range = { bodyStart: number; end: number };

/** Without the last samples, which are `missing`. */
const tableUnits = (view: DataView, table: Mp4Box | undefined, missing: number): number => {
  if (table === undefined) return 0;
  const count = Math.min(view.getUint32(table.bodyStart + 4), Math.floor((table.end - table.bodyStart - 8) / 8));
  let units = 0;
  for (let index = count - 1, left = missing; index >= 0; index--) {
    const at = table.bodyStart + 8 + index * 8;
    const samples = view.getUint32(at);
    units += Math.max(0, samples - left) * view.getUint32(at + 4);
    left = Math.max(0, left - samples);
  }
  return units;
};

/** By track id, over all fragments. */
const fragmentUnits = (bytes: Uint8Array, view: DataView, whole: Range): Map<number, { units: number; frames: number }> => {
  const defaults = new Map(
    findBoxes(bytes, whole, "moov", "mvex", "trex").map((box) => [
      view.getUint32(box.bodyStart + 4),
      view.getUint32(box.bodyStart + 12),
    ]),
  );
  const counted = new Map<number, { units: number; frames: number }>();
  for (const fragment of findBoxes(bytes, whole, "moof", "traf")) {
    const [head] = findBoxes(bytes, fragment, "tfhd");
    if (!head) continue;
    const id = view.getUint32(head.bodyStart + 4);
    const sampleUnits = headDefault(view, head) ?? defaults.get(id) ?? 0;
    for (const run of boxesIn(bytes, fragment.bodyStart, fragment.end)) {
      if (run.type !== "trun") continue;
      const { units, frames } = counted.get(id) ?? { units: 0, frames: 0 };
      counted.set(id, { units: units + runUnits(view, run, sampleUnits), frames: frames + view.getUint32(run.bodyStart + 4) });
    }
  }
  return counted;
};

const flagsOf = (view: DataView, box: Mp4Box): number => view.getUint32(box.bodyStart) & 0xffffff;

const headDefault = (view: DataView, head: Mp4Box): number | undefined => {
  const flags = flagsOf(view, head);
  if (!(flags & 0x08)) return undefined;
  return view.getUint32(head.bodyStart + 8 + (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0));
};

const runUnits = (view: DataView, run: Mp4Box, sampleUnits: number): number => {
  const flags = flagsOf(view, run);
  const count = view.getUint32(run.bodyStart + 4);
  if (!(flags & 0x100)) return count * sampleUnits;
  const stride = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  let at = run.bodyStart + 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0);
  let units = 0;
  for (let index = 0; index < count && at + 4 <= run.end; index++, at += stride) units += view.getUint32(at);
  return units;
};
