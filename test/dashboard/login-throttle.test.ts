import { expect, test } from "bun:test";
import { createLoginThrottle } from "../../src/dashboard/sessions/login-throttle.ts";

test("who guesses from ever new addresses fills no memory, and finds no way around the wait", () => {
  let now = 0;
  const throttle = createLoginThrottle({ now: () => now });
  for (let address = 0; address < 10_000; address++) throttle.begin(`address ${address}`);
  expect(() => throttle.begin("one more")).toThrow("Too many wrong passwords");
  throttle.begin("address 7");
  now = 15 * 60_000;
  throttle.begin("one more");
}, 120_000);
