/** Which samples of an MP4's track are not in the file: one that was cut off still has all of them in its tables. */

import type { Mp4Box, SampleTables } from "./mp4-boxes.ts";

/**
 * The number of samples that end behind the end of the file. 0 if the tables do not say where samples are, or say it twice: a reader may
 * take another table than this one.
 */
export const missingSamples = (view: DataView, tables: SampleTables): number => {
  const offsets = [...tables.stco, ...tables.co64];
  const [chunks, runs, sizes] = [offsets, tables.stsc, tables.stsz].map((found) => (found.length === 1 ? found[0] : undefined));
  if (!chunks || !runs || !sizes) return 0;
  const isWide = tables.co64.length > 0;
  const offsetOf = (chunk: number): number =>
    isWide ? Number(view.getBigUint64(chunks.bodyStart + 8 + chunk * 8)) : view.getUint32(chunks.bodyStart + 8 + chunk * 4);
  const chunkCount = rowsOf(view, chunks, 8, isWide ? 8 : 4);
  const runCount = rowsOf(view, runs, 8, 12);
  const commonSize = view.getUint32(sizes.bodyStart + 4);
  const sampleCount = commonSize > 0 ? view.getUint32(sizes.bodyStart + 8) : rowsOf(view, sizes, 12, 4);
  let missing = 0;
  let sample = 0;
  for (let chunk = 0, run = 0; chunk < chunkCount && sample < sampleCount; chunk++) {
    while (run + 1 < runCount && view.getUint32(runs.bodyStart + 8 + (run + 1) * 12) <= chunk + 1) run++;
    const count = Math.min(view.getUint32(runs.bodyStart + 8 + run * 12 + 4), sampleCount - sample);
    let at = offsetOf(chunk);
    if (commonSize > 0) missing += count - Math.min(count, Math.max(0, Math.floor((view.byteLength - at) / commonSize)));
    else
      for (let index = sample; index < sample + count; index++) {
        at += view.getUint32(sizes.bodyStart + 12 + index * 4);
        if (at <= view.byteLength) continue;
        missing += sample + count - index;
        break;
      }
    sample += count;
  }
  return missing;
};

/** How many rows a table has; their number is told at the end of its head. */
const rowsOf = (view: DataView, { bodyStart, end }: Mp4Box, headBytes: number, rowBytes: number): number =>
  Math.min(view.getUint32(bodyStart + headBytes - 4), Math.floor((end - bodyStart - headBytes) / rowBytes));
