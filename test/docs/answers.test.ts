/** The page on answers names every field of a chat's `svc`, every type of error with its status, and every header of our own. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { STATUS_OF } from "../../src/api-error.ts";
import { Svc } from "../../src/chat/response/completion-schema.ts";
import { startGateway } from "../support/gateway.ts";

const page = readFileSync(join(import.meta.dir, "../../docs/answers.md"), "utf8");

test("every field of `svc` is in the first column of its table, and no other", () => {
  const table = page.slice(page.indexOf("| Field of a chat's `svc` |")).split("\n\n")[0]!;
  const columns = table
    .split("\n")
    .slice(2)
    .map((row) => row.split("|")[1]!);
  const named = columns.flatMap((column) => [...column.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  expect(named.toSorted()).toEqual(Object.keys(Svc.properties).toSorted());
});

test("every type of error is in the table with its status, and no other", () => {
  const rows = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, type]) => [type!, Number(status)]);
  expect(rows.toSorted()).toEqual(Object.entries(STATUS_OF).toSorted());
});

test("every header of our own is in a table, and no other", async () => {
  const gateway = await startGateway();
  try {
    const { components } = await (await fetch(`${gateway.url}/openapi.json`)).json();
    const described = Object.keys(components.headers).filter((name) => /^(?:X-|Retry-)/.test(name));
    const named = [...page.matchAll(/`((?:X|Retry)-[\w-]+)/g)].map(([, name]) => name!);
    const alsoSent = ["X-Request-Id", "Retry-After-Ms"];
    expect([...new Set(named)].toSorted()).toEqual([...described, ...alsoSent].toSorted());
  } finally {
    await gateway.stop();
  }
});
