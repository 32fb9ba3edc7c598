/** A page of the log as JSON, in the reader's thread: the serving one only passes it on. */

import type { Database as Connection } from "bun:sqlite";
import { callOfSeq } from "./search-store.ts";
import { type PageOrder, rankCalls } from "./segments/rank-calls.ts";
import { toWireEntry } from "./to-wire.ts";

/** So many are unpacked in one turn: a page of ten thousand is in no other's way. */
export const ENTRIES_AT_ONCE = 100;

/** `entries`: those of the first `ENTRIES_AT_ONCE` of `seqs`. */
export type Page = { total: number; seqs: number[]; entries: string };

export const readPage = (connection: Connection, order: PageOrder): Page => {
  const { total, seqs } = rankCalls(connection, order);
  return { total, seqs, entries: readEntries(connection, seqs.slice(0, ENTRIES_AT_ONCE)) };
};

/** Separated by commas; a call that was deleted since is left out. */
export const readEntries = (connection: Connection, seqs: readonly number[]): string =>
  seqs
    .map((seq) => callOfSeq(connection, seq))
    .filter((call) => call !== null)
    .map((call) => JSON.stringify(toWireEntry(call)))
    .join(",");
