/** SQLite gives the row number of a deleted call to the next call, of whichever project: nobody may see or delete that one instead. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createExportCursor } from "../../src/logs/export/export-cursor.ts";
import { callsOfUser, deleteCalls } from "../../src/logs/forget/forget-store.ts";
import { allCalls } from "../../src/logs/list/filter.ts";
import type { callsContaining } from "../../src/logs/list/find-text.ts";
import type { readEntries } from "../../src/logs/list/read-page.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, record } from "../support/known-call.ts";

const gateway = await gatewayOfFile();
const { db } = gateway.platform;
const seqsOf = (projectId: string): number[] =>
  db.all<{ seq: number }>("SELECT seq FROM calls WHERE project_id = ? ORDER BY seq", projectId).map(({ seq }) => seq);

test("who still reads or deletes calls that were deleted meanwhile does not reach those of another project", async () => {
  const [mine, others] = [await gateway.key({ project: "mine" }), await gateway.key({ project: "others" })];
  const projectId = mine.project.id;
  const startedAtMs = gateway.clock.now() - 1_000;
  // More text than an export reads at once.
  const long = "a".repeat(1_100_000);
  await record(gateway, mine, ...Array.from({ length: 3 }, () => ({ userId: "ann", promptText: long, startedAtMs })));
  const seqs = seqsOf(projectId);
  const found = callsOfUser(db, projectId, "ann", 10);
  using connection = new Database(db.path, { readonly: true });
  const filter = allCalls({ projectId, mode: "test" });
  const next = createExportCursor(connection, { filter, order: "asc", format: "jsonl" });
  expect(new TextDecoder().decode(next())).toContain("aaa");

  expect((await deleteCalls(db, found)).deleted).toBe(3);
  await record(gateway, others, ...Array.from({ length: 3 }, () => ({ promptText: "private", startedAtMs })));
  expect(seqsOf(others.project.id)).toEqual(seqs);

  expect(await db.ask<typeof readEntries>("readEntries", { projectId, seqs })).toEqual({ entries: "", read: 3 });
  const searched = await db.ask<typeof callsContaining>("callsContaining", { projectId, seqs, text: "private" });
  expect(searched.containing).toEqual([]);
  expect(new TextDecoder().decode(next())).toBe("");
  expect((await deleteCalls(db, found)).deleted).toBe(0);
  expect((await getJson(gateway, others, "/v1/logs")).total).toBe(3);
});
