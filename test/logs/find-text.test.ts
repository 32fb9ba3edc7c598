/** Searches of the log's texts take turns, because each keeps a reader busy for seconds. */

import { expect, test } from "bun:test";
import type { Db } from "../../src/database/database.ts";
import { createTextSearch } from "../../src/logs/list/find-text.ts";
import type { PageOrder } from "../../src/logs/segments/rank-calls.ts";

test("one search is under way at a time, and one whose caller has left reads no calls", async () => {
  const log: string[] = [];
  const ask = async (question: string, input: { filter?: PageOrder["filter"]; projectId?: string }) => {
    log.push(`${question} of ${input.filter?.projectId ?? input.projectId}`);
    await Promise.resolve();
    return question === "rankCalls" ? { seqs: [1, 2], total: 2 } : { containing: [{ seq: 2, costNanoUsd: 5 }], read: 2 };
  };
  const findText = createTextSearch({ ask } as unknown as Db);
  const find = (projectId: string, signal = new AbortController().signal) =>
    findText({ filter: { projectId } as PageOrder["filter"], sort: { by: "timestamp", order: "desc" } }, "kiln", signal);
  const found = await Promise.all([find("a"), find("a", AbortSignal.abort()), find("b")]);
  expect(found[0]).toEqual({ seqs: [2], costNanoUsd: 5, searched: 2, of: 2 });
  expect(log).toEqual(["rankCalls of a", "callsContaining of a", "rankCalls of a", "rankCalls of b", "callsContaining of b"]);
});
