/** The page on metrics names every series that `/metrics` serves, and no other. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startGateway } from "../support/gateway.ts";

test("every series is in the table, and every one in the table is served", async () => {
  const gateway = await startGateway();
  try {
    const served = await (await fetch(`${gateway.url}/metrics`)).text();
    const names = [...served.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
    const page = readFileSync(join(import.meta.dir, "../../docs/logs-and-metrics.md"), "utf8");
    const table = page.slice(page.indexOf("| Series |")).split("\n\n")[0]!;
    const named = [...table.matchAll(/`((?:signalbox|process)_\w+)`/g)].map(([, name]) => name!);
    expect(named.toSorted()).toEqual(names.toSorted());
  } finally {
    await gateway.stop();
  }
});
