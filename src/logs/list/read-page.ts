/** Builds a page of the log as JSON in the reader's thread; the serving thread only passes it on. */

import type { Database as Connection } from "bun:sqlite";
import { callOfSeq } from "../read-store.ts";
import { type PageOrder, rankCalls, type Totals } from "../segments/rank-calls.ts";
import { toWireEntry } from "../to-wire.ts";
import type { LogEntry } from "../wire.ts";

/** Entries unpacked in one turn, and held at once, so that a page of ten thousand or of long calls blocks nobody else. */
export const ENTRIES_AT_ONCE = 100;
const CHARACTERS_AT_ONCE = 2_000_000;

/** Separated by commas; `read` is the number of calls read, deleted ones included, which are left out. */
export type Entries = { entries: string; read: number };
/** Includes the first entries of `seqs`. */
export type Page = Entries & Totals & { seqs: number[] };

/** Characters to keep of each prompt and answer; undefined for all. */
type Texts = { textLimit?: number | undefined };

export const readPage = (connection: Connection, { textLimit, ...order }: PageOrder & Texts): Page => {
  const ranked = rankCalls(connection, order);
  return { ...ranked, ...readEntries(connection, { projectId: order.filter.projectId, seqs: ranked.seqs, textLimit }) };
};

/** At least one entry, if there is one. */
export const readEntries = (
  connection: Connection,
  { projectId, seqs, textLimit }: Texts & { projectId: string; seqs: readonly number[] },
): Entries => {
  const entries: string[] = [];
  let characters = 0;
  let read = 0;
  while (read < Math.min(seqs.length, ENTRIES_AT_ONCE) && characters < CHARACTERS_AT_ONCE) {
    const call = callOfSeq(connection, seqs[read++]!, projectId);
    if (call === null) continue;
    const entry = JSON.stringify(shortened(toWireEntry(call), textLimit));
    characters += entry.length;
    entries.push(entry);
  }
  return { entries: entries.join(","), read };
};

const shortened = (entry: LogEntry, limit: number | undefined): LogEntry => {
  if (limit === undefined) return entry;
  const begin = (text: string | null) => text?.slice(0, limit).toWellFormed() ?? null;
  return {
    ...entry,
    prompt: { ...entry.prompt, text: begin(entry.prompt.text) },
    output: { ...entry.output, text: begin(entry.output.text) },
  };
};
