/** The operator's password: what sets it, and that one way in closes with the other. */

import { expect, test } from "bun:test";
import {
  adminPasswordHash,
  createSetupToken,
  isAdminPassword,
  redeemSetupToken,
  setAdminPassword,
} from "../../src/accounts/operator.ts";
import { byCommand } from "../../src/history/author.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

test("a one-time link is good for nothing once a password was set by other means", async () => {
  const { db } = gateway.platform;
  const now = gateway.clock.now();
  expect(await isAdminPassword(db, undefined, "none was set")).toBe(false);
  const token = await createSetupToken(db, now);
  await setAdminPassword(db, byCommand(now), "the operator's own");
  expect(await redeemSetupToken(db, byCommand(now), token, "the stranger's own")).toBe(false);
  expect(await isAdminPassword(db, undefined, "the operator's own")).toBe(true);
});

test("where the environment names a password, the one that was stored opens nothing", async () => {
  const { db } = gateway.platform;
  await setAdminPassword(db, byCommand(gateway.clock.now()), "the one before it");
  expect(await isAdminPassword(db, "the environment's", "the one before it")).toBe(false);
  expect(await isAdminPassword(db, "the environment's", "the environment's")).toBe(true);
});

test("a password that was replaced while it was looked at replaces no other", async () => {
  const { db } = gateway.platform;
  const by = byCommand(gateway.clock.now());
  const known = adminPasswordHash(db);
  await setAdminPassword(db, by, "the one that was reset");
  expect(await setAdminPassword(db, by, "what a thief chose", (sql) => adminPasswordHash(sql) === known)).toBe(false);
  expect(await isAdminPassword(db, undefined, "the one that was reset")).toBe(true);
});
