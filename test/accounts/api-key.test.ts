/** API keys: which are taken, until when, and how they end. */

import { expect, test } from "bun:test";
import { isWellFormedKey, newApiKeyText } from "../../src/accounts/api-key.ts";
import { revokeKey } from "../../src/accounts/store.ts";
import { byCommand } from "../../src/history/author.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

const statusFor = async (text: string): Promise<number> => (await gateway.send(text, "GET", "/v1/models")).status;

test("a key with a wrong letter is none, and is refused without a look-up", () => {
  const key = newApiKeyText("test");
  expect(isWellFormedKey(key)).toBe(true);
  for (const at of [9, 20, key.length - 1])
    expect(isWellFormedKey(`${key.slice(0, at)}${key[at] === "a" ? "b" : "a"}${key.slice(at + 1)}`)).toBe(false);
});

test("a key is valid until the moment in which it expires", async () => {
  const now = gateway.clock.now();
  gateway.clock.stop(now);
  const { text } = await gateway.key({ expiresAtMs: now + 1_000 });
  gateway.clock.advance(999);
  expect(await statusFor(text)).toBe(200);
  gateway.clock.advance(1);
  expect(await statusFor(text)).toBe(401);
});

test("a key is revoked once: later tries change nothing", async () => {
  const { db, accounts } = gateway.platform;
  const { id, text } = await gateway.key();
  expect(await statusFor(text)).toBe(200);
  expect([await revokeKey(db, byCommand(1_000), id), await revokeKey(db, byCommand(2_000), id)]).toEqual([true, false]);
  accounts.forget();
  expect(await statusFor(text)).toBe(401);
  expect(db.get<{ at: number }>("SELECT revoked_at AS at FROM api_keys WHERE id = ?", id)).toEqual({ at: 1_000 });
});
