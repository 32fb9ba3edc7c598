/** Budgets against a ledger that may refuse: what was not committed was not spent. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Gateway, startGateway } from "../support/gateway.ts";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

test("a call that could not be logged costs the key's budget nothing", async () => {
  const key = await gateway.key({ budgetUsd: 1 });
  const { db, budgets } = gateway.platform;
  const ask = () => gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: "Explain how signals work." }] });
  expect((await ask()).status).toBe(200);
  const spent = budgets.spent(key.id);
  expect(spent).toBeGreaterThan(0);

  let isFull = true;
  db.onCommit(() => {
    if (isFull) throw new Error("disk full");
  });
  const refused = await ask();
  expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([503, "service_unavailable"]);
  expect(budgets.spent(key.id)).toBe(spent);
  isFull = false;
  expect((await ask()).status).toBe(200);
  expect(budgets.spent(key.id)).toBe(2 * spent);
  expect(db.get<{ sum: number }>("SELECT sum(cost_nano_usd) AS sum FROM calls WHERE key_id = ?", key.id)!.sum).toBe(2 * spent);
});
