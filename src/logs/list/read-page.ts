/** Builds a page of the log as JSON in the reader's thread; the serving thread only passes it on. */

import type { Database as Connection } from "bun:sqlite";
import { readSome } from "../read-store.ts";
import { type PageOrder, rankCalls, type Totals } from "../segments/rank-calls.ts";
import { toWireEntry } from "../to-wire.ts";
import type { LogEntry } from "../wire.ts";

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

/** As many as one turn reads. */
export const readEntries = (
  connection: Connection,
  { textLimit, ...calls }: Texts & { projectId: string; seqs: readonly number[] },
): Entries => {
  const entries: string[] = [];
  const read = readSome(connection, calls, (call) => {
    entries.push(JSON.stringify(shortened(toWireEntry(call), textLimit)));
  });
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
