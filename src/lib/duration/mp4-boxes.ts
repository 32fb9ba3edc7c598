/** The nested boxes of MP4 and its kin (ISO 14496-12): found by path, bounds checked, nothing copied. */

export type Mp4Box = { type: string; start: number; bodyStart: number; end: number };

/** As many as there are where each frame of sound is a fragment of its own; more make a file that was made to be slow. */
const MOST_BOXES = 250_000;

/** Boxes between two offsets; a broken one ends the list, one that claims to reach too far is cut. */
export function* boxesIn(bytes: Uint8Array, start: number, end: number): Generator<Mp4Box> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  for (let count = 0; at + 8 <= end && count < MOST_BOXES; count++) {
    let size = view.getUint32(at);
    let headBytes = 8;
    if (size === 1 && at + 16 <= end) {
      size = Number(view.getBigUint64(at + 8));
      headBytes = 16;
    } else if (size === 0) size = end - at;
    if (size < headBytes) return;
    const boxEnd = Math.min(end, at + size);
    yield { type: fourCharacters(bytes, at + 4), start: at, bodyStart: at + headBytes, end: boxEnd };
    at += size;
  }
}

export const fourCharacters = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!);

/** All boxes at a path below a range: `findBoxes(bytes, whole, "moov", "trak")`. */
export const findBoxes = (bytes: Uint8Array, within: { bodyStart: number; end: number }, ...path: string[]): Mp4Box[] => {
  const [type, ...rest] = path;
  const found: Mp4Box[] = [];
  for (const box of boxesIn(bytes, within.bodyStart, within.end)) {
    if (box.type !== type) continue;
    if (rest.length === 0) found.push(box);
    else found.push(...findBoxes(bytes, box, ...rest));
  }
  return found;
};

export type SampleTables = Record<"stts" | "stsd" | "stsz" | "stsc" | "stco" | "co64", Mp4Box[]>;

/** A track's tables by their type, read in one pass: a file made to be slow has hundreds of thousands of other boxes beside them. */
export const sampleTables = (bytes: Uint8Array, track: Mp4Box): SampleTables => {
  const tables: SampleTables = { stts: [], stsd: [], stsz: [], stsc: [], stco: [], co64: [] };
  // No object inherits a member of four letters.
  for (const { bodyStart, end } of findBoxes(bytes, track, "mdia", "minf", "stbl"))
    for (const box of boxesIn(bytes, bodyStart, end)) tables[box.type as keyof SampleTables]?.push(box);
  return tables;
};
