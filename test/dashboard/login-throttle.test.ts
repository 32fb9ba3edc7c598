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

test("another address of the same IPv6 network is no fresh start, one of another network is", () => {
  const throttle = createLoginThrottle({ now: () => 0 });
  const network = ["2001:db8:0:7::1", "2001:db8:0:7::2", "2001:db8::7:a:b:c:d", "2001:db8:0:7:1:2:3:4", "2001:db8:0:7:ffff::"];
  for (const address of network) throttle.begin(address);
  expect(() => throttle.begin("2001:db8:0:7::99")).toThrow("Too many wrong passwords");
  for (const address of ["2001:db8:0:8::1", "::1", "fe80::1", "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"])
    throttle.begin(address);
  throttle.succeeded("2001:db8:0:7::5");
  throttle.begin("2001:db8:0:7::1");
});

test("nobody waits longer for a clock that is set back", () => {
  let now = 0;
  const throttle = createLoginThrottle({ now: () => now });
  for (let guess = 0; guess < 6; guess++) {
    throttle.begin("192.0.2.1");
    now += 1_000;
  }
  now -= 10_800_000;
  expect(() => throttle.begin("192.0.2.1")).toThrow("Try again in 2 s.");
  now += 2_000;
  throttle.begin("192.0.2.1");
});
