/**
 * Adds up the token vectors of a text. If their file can be read row by row, a row is read when a text first has its token: a gateway meets
 * only a small part of the vocabulary, and what is not read takes no memory.
 */

import { closeSync, openSync, readSync } from "node:fs";
import { DIMENSIONS } from "./dimensions.ts";
import { createKernel, type Kernel } from "./kernel.ts";

export type TokenTable = {
  /**
   * The vectors of the first `count` tokens, each times its scale, added up in their order: good until the next call. Throws where the
   * file has been cut meanwhile.
   */
  sum(ids: Int32Array, count: number): Float32Array;
  close(): void;
};

type TableOptions = {
  /** One for each token. */
  scales: Float32Array;
  /** Most ids of one text. */
  mostIds: number;
};

/** Memory in which rows are added up. The kernel addresses rows by their number in here, which need not be their token's. */
type Room = { kernel: Kernel; ids: Int32Array; sum: Float32Array; scales: Float32Array; rows: Int8Array };

const roomFor = (rowCount: number, mostIds: number): Room => {
  // Each array may begin up to 16 bytes after the one before.
  const kernel = createKernel((mostIds + DIMENSIONS + rowCount) * 4 + rowCount * DIMENSIONS + 4 * 16);
  const floats = (count: number) => new Float32Array(kernel.buffer, kernel.take(count * 4), count);
  return {
    kernel,
    ids: new Int32Array(kernel.buffer, kernel.take(mostIds * 4), mostIds),
    sum: floats(DIMENSIONS),
    scales: floats(rowCount),
    rows: new Int8Array(kernel.buffer, kernel.take(rowCount * DIMENSIONS), rowCount * DIMENSIONS),
  };
};

const sumOf = ({ kernel, ids, sum, scales, rows }: Room, count: number): Float32Array => {
  kernel.pool(rows.byteOffset, scales.byteOffset, ids.byteOffset, ids.byteOffset + count * 4, sum.byteOffset);
  return sum;
};

/** All rows, written by `fill`. */
export const loadTokenTable = async (
  { scales, mostIds }: TableOptions,
  fill: (rows: Int8Array) => Promise<void>,
): Promise<TokenTable> => {
  const room = roomFor(scales.length, mostIds);
  room.scales.set(scales);
  await fill(room.rows);
  return {
    sum: (ids, count) => {
      room.ids.set(ids.subarray(0, count));
      return sumOf(room, count);
    },
    close: () => undefined,
  };
};

/**
 * Rows that there is room for at first. The runtime counts a kernel's memory twice as heap, used or not, and collects garbage that much
 * later, so the room grows with the rows.
 */
const FIRST_ROWS = 4_096;

/** Reads the rows of the file, which begin at `offset`, as they are needed. Undefined if single rows cannot be read. */
export const openTokenTable = (
  path: string,
  offset: number,
  { scales, mostIds }: TableOptions,
  firstRows = FIRST_ROWS,
): TokenTable | undefined => {
  const file = openFile(path) ?? openEmbedded(path);
  if (file === undefined) return undefined;
  let room = roomFor(firstRows, mostIds);
  let met = 0;
  /** For each token the number of its row in the room, counted from one. */
  const places = new Uint16Array(scales.length);
  const grow = (): void => {
    const larger = roomFor(Math.min(room.scales.length * 2, scales.length), mostIds);
    larger.ids.set(room.ids);
    larger.scales.set(room.scales);
    larger.rows.set(room.rows);
    room = larger;
  };
  const meet = (id: number): number => {
    if (met === room.scales.length) grow();
    const row = room.rows.subarray(met * DIMENSIONS, (met + 1) * DIMENSIONS);
    if (!file.read(row, offset + id * DIMENSIONS)) throw new Error(`${path} was changed while it is in use`);
    room.scales[met] = scales[id]!;
    met += 1;
    places[id] = met;
    return met;
  };
  return {
    sum: (ids, count) => {
      for (let i = 0; i < count; i++) {
        const place = places[ids[i]!]! || meet(ids[i]!);
        room.ids[i] = place - 1;
      }
      return sumOf(room, count);
    },
    close: file.close,
  };
};

/** A file that is read synchronously, a row at a time. */
type RowFile = {
  /** False if the file does not have that many bytes there. */
  read(into: Int8Array, at: number): boolean;
  close(): void;
};

const openFile = (path: string): RowFile | undefined => {
  try {
    const file = openSync(path, "r");
    return {
      read: (into, at) => readSync(file, into, 0, into.length, at) === into.length,
      close: () => closeSync(file),
    };
  } catch {
    return undefined;
  }
};

/** Data inside the executable is in memory, so the runtime's promise of a slice resolves at once. */
const openEmbedded = (path: string): RowFile | undefined => {
  const file = Bun.file(path);
  const pieceAt = (at: number, length: number) => Bun.peek(file.slice(at, at + length).arrayBuffer());
  const first = pieceAt(0, 1);
  if (first instanceof Promise) {
    first.catch(() => undefined);
    return undefined;
  }
  return {
    read: (into, at) => {
      const piece = pieceAt(at, into.length);
      if (piece instanceof Promise || piece.byteLength < into.length) return false;
      into.set(new Int8Array(piece));
      return true;
    },
    close: () => undefined,
  };
};
