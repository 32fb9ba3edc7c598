/**
 * Finds the calls whose prompt, answer or metadata contains a text. They are stored compressed, so calls are unpacked and read one by one; in
 * turns, so that the reader's thread answers others in between.
 */

import type { Database as Connection } from "bun:sqlite";
import type { Db } from "../../database/database.ts";
import { createTurns } from "../../lib/take-turns.ts";
import { CALLS_A_TURN, readSome } from "../read-store.ts";
import type { PageOrder, rankCalls } from "../segments/rank-calls.ts";
import { unpackCall } from "../store.ts";

/** Searching so many takes the reader's thread one to three seconds. */
const MOST_SEARCHED = 50_000;

/** `seqs` are in the requested order. Only the first `searched` calls were searched, of all that match the filter. */
export type Found = { seqs: number[]; costNanoUsd: number; searched: number; of: number };

/** Ends early, with what was found, once the signal is aborted. */
export type FindText = (order: Pick<PageOrder, "filter" | "sort">, text: string, signal: AbortSignal) => Promise<Found>;

/** One text is searched for at a time, so that the readers stay free for others; the projects take turns. */
export const createTextSearch = (db: Db): FindText => {
  const inTurn = createTurns();
  return (order, text, signal) => inTurn(order.filter.projectId, () => search(db, order, text, signal));
};

const search = async (db: Db, { filter, sort }: Parameters<FindText>[0], text: string, signal: AbortSignal): Promise<Found> => {
  const order: PageOrder = { filter, sort, limit: MOST_SEARCHED, offset: 0, withCost: false };
  const { seqs, total } = await db.ask<typeof rankCalls>("rankCalls", order);
  const found: Found = { seqs: [], costNanoUsd: 0, searched: 0, of: total };
  while (found.searched < seqs.length && !signal.aborted) {
    const next = seqs.slice(found.searched, found.searched + CALLS_A_TURN);
    const { containing, read } = await db.ask<typeof callsContaining>("callsContaining", {
      projectId: filter.projectId,
      seqs: next,
      text,
    });
    found.searched += read;
    for (const { seq, costNanoUsd } of containing) {
      found.seqs.push(seq);
      found.costNanoUsd += costNanoUsd;
    }
  }
  return found;
};

type Containing = { containing: { seq: number; costNanoUsd: number }[]; read: number };

/** Reads as many as one turn does; `read` is their number. */
export const callsContaining = (
  connection: Connection,
  { text, ...calls }: { projectId: string; seqs: readonly number[]; text: string },
): Containing => {
  const matches = textMatcher(text);
  const containing: Containing["containing"] = [];
  const read = readSome(connection, calls, (call) => {
    const { prompt, output, details } = unpackCall(call);
    if (matches(prompt?.text, output?.text, details.custom)) containing.push({ seq: call.seq, costNanoUsd: call.cost_nano_usd });
  });
  return { containing, read };
};

type Stored<Of> = Of | null | undefined;

/** Whether a prompt, an answer or a value of the caller's metadata contains `text`, in upper or lower case. What is not stored contains nothing. */
export const textMatcher = (text: string) => {
  const wanted = folded(text);
  const contains = (one: Stored<string>): boolean => one != null && folded(one).includes(wanted);
  return (prompt: Stored<string>, output: Stored<string>, custom: Stored<Record<string, string>>): boolean =>
    contains(prompt) || contains(output) || (custom != null && Object.values(custom).some(contains));
};

/**
 * In one case and one spelling of accents. Lower case alone would write the last Σ of a word otherwise than the same letter within one, so
 * that the beginning of a Greek word was not found in it.
 */
const folded = (text: string): string => text.toLowerCase().toUpperCase().normalize("NFC");
