/** `/readyz` speaks for the jobs too: started, not stopped, and able to begin. */

import { expect, test } from "bun:test";
import { createBackground } from "../../src/background/background.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

const readiness = async () => {
  const response = await fetch(`${gateway.url}/readyz`);
  const body = (await response.json()) as any;
  return [response.status, body.status ?? body.error];
};

test("jobs that cannot be claimed do not run, until they can", async () => {
  const { db, log } = gateway.platform;
  let isBroken = true;
  const get: typeof db.get = (...asked) => {
    if (isBroken) throw new Error("disk I/O error");
    return db.get(...asked);
  };
  const background = createBackground({ ...db, get }, gateway.clock, log);
  background.handle("nothing", { maxAttempts: 1, run: async () => {}, exhausted: async () => {} });
  expect(background.isAtWork()).toBe(false);
  await background.start();
  await background.idle();
  expect(background.isAtWork()).toBe(false);
  isBroken = false;
  background.wake();
  await background.idle();
  expect(background.isAtWork()).toBe(true);
  await background.stop();
  expect(background.isAtWork()).toBe(false);
});

test("/readyz is 503 where no jobs run", async () => {
  expect(await readiness()).toEqual([200, "ready"]);
  await gateway.platform.background.stop();
  expect(await readiness()).toEqual([
    503,
    {
      type: "service_unavailable",
      message: "The background jobs are not running.",
      retry_after: 5,
      request_id: expect.any(String),
    },
  ]);
});
