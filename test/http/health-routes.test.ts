/** `/readyz` says that a call could be written down, and is no way to make the disk busy. */

import { expect, test } from "bun:test";
import { startGateway } from "../support/gateway.ts";

test("/readyz is 503 where no row can be written, says so as an error, and is 200 again once one can", async () => {
  await using gateway = await startGateway();
  const { db } = gateway.platform;
  const ready = () => gateway.send(null, "GET", "/readyz");
  gateway.clock.stop();
  // What a full disk says to a write, and to nothing that only begins and commits.
  await db.write((sql) =>
    sql.run("CREATE TRIGGER full BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"),
  );
  const refused = await ready();
  expect([refused.status, refused.headers.get("retry-after"), ((await refused.json()) as any).error.message]).toEqual([
    503,
    "5",
    "The database cannot be written.",
  ]);
  expect((await gateway.send(null, "GET", "/healthz")).status).toBe(200);
  await db.write((sql) => sql.run("DROP TRIGGER full"));
  gateway.clock.advance(1_000);
  expect(await (await ready()).json()).toEqual({ status: "ready" });
  const written = () => db.get<{ at: number }>("SELECT updated_at AS at FROM settings WHERE name = 'readiness_probe'")!.at;
  const before = written();
  gateway.clock.advance(999);
  await ready();
  expect(written()).toBe(before);
});
