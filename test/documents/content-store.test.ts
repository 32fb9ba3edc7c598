import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Db } from "../../src/database/database.ts";
import schema from "../../src/database/migrations/0003-documents.sql" with { type: "text" };
import { listChunks } from "../../src/documents/content-store.ts";

test("the chunks of a search's hits are looked up one by one, never by reading a project's chunks", async () => {
  const connection = new Connection(":memory:");
  connection.run(schema);
  const plans: string[][] = [];
  const all = (text: string, ...params: (string | number)[]) => {
    const steps = connection.query(`EXPLAIN QUERY PLAN ${text}`).all(...params) as { detail: string }[];
    plans.push(steps.map(({ detail }) => detail));
    return connection.query(text).all(...params);
  };
  expect(listChunks({ all } as unknown as Db, "p", [1, 2, 3])).toEqual([]);
  const [wanted, ...lookups] = plans[0]!;
  expect(wanted).toStartWith("SCAN wanted");
  expect(lookups).toHaveLength(2);
  for (const lookup of lookups) expect(lookup).toEndWith("USING INTEGER PRIMARY KEY (rowid=?)");
});
