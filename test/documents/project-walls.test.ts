/** Each place that reads documents holds projects apart by itself, whatever the one before it let through. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { listChunks } from "../../src/documents/content-store.ts";
import { listBatches } from "../../src/documents/index/read-store.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { ingested } from "./documents.ts";

const gateway = await gatewayOfFile();

test("chunks and their batches are read for their own project alone", async () => {
  const { db } = gateway.platform;
  const owner = await gateway.key({ project: "owner" });
  const stranger = await gateway.key({ project: "stranger" });
  const { id } = await ingested(gateway, owner, "note.md", "The vault opens at noon.");
  const chunks = db.all<{ id: number; number: number }>(
    "SELECT c.id, d.number FROM chunks c JOIN documents d ON d.number = c.document_number WHERE d.id = ?",
    id,
  );
  const ids = chunks.map((chunk) => chunk.id);
  expect(listChunks(db, owner.project.id, ids).map(({ content }) => content)).toEqual(["The vault opens at noon."]);
  expect(listChunks(db, stranger.project.id, ids)).toEqual([]);

  const database = new Database(db.path, { readonly: true });
  const read = (sql: string, ...params: any[]): any => database.query(sql).values(...params);
  const batches = (projectId: string) => listBatches(read, projectId, chunks[0]!.number, undefined).length;
  expect([batches(owner.project.id), batches(stranger.project.id)]).toEqual([1, 0]);
  database.close();
});
