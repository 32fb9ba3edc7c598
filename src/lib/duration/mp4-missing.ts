/** Which samples of an MP4's track are not in the file: one that was cut off still has all of them in its tables. */

import { rowsOf, type SampleTables } from "./mp4-boxes.ts";

/**
 * The number of samples that end behind the end of the file. 0 if the tables do not say where samples are, or say it twice: a reader may
 * take another table than this one.
 */
export const missingSamples = (file: Buffer, tables: SampleTables): number => {
  const offsets = [...tables.stco, ...tables.co64];
  const [chunks, runs, sizes] = [offsets, tables.stsc, tables.stsz].map((found) => (found.length === 1 ? found[0] : undefined));
  if (!chunks || !runs || !sizes) return 0;
  const isWide = tables.co64.length > 0;
  const offsetOf = (chunk: number): number =>
    isWide ? Number(file.readBigUInt64BE(chunks.bodyStart + 8 + chunk * 8)) : file.readUInt32BE(chunks.bodyStart + 8 + chunk * 4);
  const chunkCount = rowsOf(file, chunks, 8, isWide ? 8 : 4);
  const runCount = rowsOf(file, runs, 8, 12);
  const commonSize = file.readUInt32BE(sizes.bodyStart + 4);
  const sampleCount = commonSize > 0 ? file.readUInt32BE(sizes.bodyStart + 8) : rowsOf(file, sizes, 12, 4);
  let missing = 0;
  let sample = 0;
  for (let chunk = 0, run = 0; chunk < chunkCount && sample < sampleCount; chunk++) {
    while (run + 1 < runCount && file.readUInt32BE(runs.bodyStart + 8 + (run + 1) * 12) <= chunk + 1) run++;
    const count = Math.min(file.readUInt32BE(runs.bodyStart + 8 + run * 12 + 4), sampleCount - sample);
    let at = offsetOf(chunk);
    if (commonSize > 0) missing += count - Math.min(count, Math.max(0, Math.floor((file.length - at) / commonSize)));
    else
      for (let index = sample; index < sample + count; index++) {
        at += file.readUInt32BE(sizes.bodyStart + 12 + index * 4);
        if (at <= file.length) continue;
        missing += sample + count - index;
        break;
      }
    sample += count;
  }
  return missing;
};
