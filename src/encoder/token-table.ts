/**
 * Rows of the encoder's token table that are read from its file when a text first has their token: a gateway meets a small part of the
 * vocabulary, and what is never read takes no memory.
 */

import { closeSync, openSync, readSync } from "node:fs";
import { DIMENSIONS } from "./dimensions.ts";

/** 4 KB: what a system reads at once anyway. */
const ROWS_TOGETHER = 16;
const BLOCK_BYTES = ROWS_TOGETHER * DIMENSIONS;

export type TokenTable = {
  /** To be called before rows are used: reads those of the first `count` tokens that are not there. Throws where the file has been cut meanwhile. */
  need(ids: Int32Array, count: number): void;
  close(): void;
};

/** `rows` is filled with the bytes of the file from `offset` on. Undefined where the file cannot be held open: it lies inside the executable. */
export const openTokenTable = (path: string, rows: Int8Array, offset: number): TokenTable | undefined => {
  const file = tryOpen(path);
  if (file === undefined) return undefined;
  const isRead = new Uint8Array(Math.ceil(rows.length / BLOCK_BYTES));
  const read = (block: number): void => {
    const at = block * BLOCK_BYTES;
    const wanted = Math.min(BLOCK_BYTES, rows.length - at);
    if (readSync(file, rows, at, wanted, offset + at) < wanted) throw new Error(`${path} was changed while it is in use`);
    isRead[block] = 1;
  };
  return {
    need: (ids, count) => {
      for (let i = 0; i < count; i++) {
        const block = Math.trunc(ids[i]! / ROWS_TOGETHER);
        if (isRead[block] === 0) read(block);
      }
    },
    close: () => closeSync(file),
  };
};

const tryOpen = (path: string): number | undefined => {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
};
