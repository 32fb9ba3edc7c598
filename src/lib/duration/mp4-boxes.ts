/** The nested boxes of MP4 and its kin (ISO 14496-12): found by path, bounds checked, nothing copied. */

type Range = { bodyStart: number; end: number };
export type Mp4Box = Range & { type: string; start: number };

/** As many as there are where each frame of sound is a fragment of its own; more make a file that was made to be slow. */
const MOST_BOXES = 250_000;

/** Boxes within a range; a broken one ends the list, one that claims to reach too far is cut. */
export function* boxesIn(file: Buffer, { bodyStart, end }: Range): Generator<Mp4Box> {
  let at = bodyStart;
  for (let count = 0; at + 8 <= end && count < MOST_BOXES; count++) {
    let size = file.readUInt32BE(at);
    let headBytes = 8;
    if (size === 1 && at + 16 <= end) {
      size = Number(file.readBigUInt64BE(at + 8));
      headBytes = 16;
    } else if (size === 0) size = end - at;
    if (size < headBytes) return;
    const boxEnd = Math.min(end, at + size);
    yield { type: file.toString("latin1", at + 4, at + 8), start: at, bodyStart: at + headBytes, end: boxEnd };
    at += size;
  }
}

/** All boxes at a path in a file: `boxesAt(file, "moov", "trak")`. */
export const boxesAt = (file: Buffer, ...path: string[]): Mp4Box[] =>
  boxesBelow(file, { bodyStart: 0, end: file.length }, ...path);

/** The same below a box. */
export const boxesBelow = (file: Buffer, within: Range, ...path: string[]): Mp4Box[] => {
  const [type, ...rest] = path;
  const found: Mp4Box[] = [];
  for (const box of boxesIn(file, within)) {
    if (box.type !== type) continue;
    if (rest.length === 0) found.push(box);
    else found.push(...boxesBelow(file, box, ...rest));
  }
  return found;
};

export type SampleTables = Record<"stts" | "stsd" | "stsz" | "stsc" | "stco" | "co64", Mp4Box[]>;

/** A track's tables by their type, read in one pass: a file made to be slow has hundreds of thousands of other boxes beside them. */
export const sampleTables = (file: Buffer, track: Mp4Box): SampleTables => {
  const tables: SampleTables = { stts: [], stsd: [], stsz: [], stsc: [], stco: [], co64: [] };
  // No object inherits a member of four letters.
  for (const within of boxesBelow(file, track, "mdia", "minf", "stbl"))
    for (const box of boxesIn(file, within)) tables[box.type as keyof SampleTables]?.push(box);
  return tables;
};

/** How many rows a table has; their number is told at the end of its head. */
export const rowsOf = (file: Buffer, { bodyStart, end }: Mp4Box, headBytes: number, rowBytes: number): number =>
  Math.min(file.readUInt32BE(bodyStart + headBytes - 4), Math.floor((end - bodyStart - headBytes) / rowBytes));
