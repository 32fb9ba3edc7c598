import { expect, test } from "bun:test";
import { createLoginThrottle } from "../../src/dashboard/sessions/login-throttle.ts";

test("who guesses from ever new addresses fills no memory, and finds no way around the wait", () => {
  let now = 0;
  const throttle = createLoginThrottle({ now: () => now });
  for (let address = 0; address < 10_000; address++) throttle.begin(`address ${address}`, null);
  expect(() => throttle.begin("one more", null)).toThrow("Too many wrong passwords. Try again in 1 s.");
  throttle.begin("address 7", null);
  now = 15 * 60_000;
  throttle.begin("one more", null);
}, 120_000);

test("another address of the same IPv6 network is no fresh start, one of another network is", () => {
  const throttle = createLoginThrottle({ now: () => 0 });
  const network = ["2001:db8:0:7::1", "2001:db8:0:7::2", "2001:db8::7:a:b:c:d", "2001:db8:0:7:1:2:3:4", "2001:db8:0:7:ffff::"];
  for (const address of network) throttle.begin(address, null);
  expect(() => throttle.begin("2001:db8:0:7::99", null)).toThrow("Too many wrong passwords");
  for (const address of ["2001:db8:0:8::1", "::1", "fe80::1", "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"])
    throttle.begin(address, null);
  throttle.succeeded("2001:db8:0:7::5", null);
  throttle.begin("2001:db8:0:7::1", null);
});

test("nobody waits longer for a clock that is set back", () => {
  let now = 0;
  const throttle = createLoginThrottle({ now: () => now });
  for (let guess = 0; guess < 6; guess++) {
    throttle.begin("192.0.2.1", null);
    now += 1_000;
  }
  now -= 10_800_000;
  expect(() => throttle.begin("192.0.2.1", null)).toThrow("Try again in 2 s.");
  now += 2_000;
  throttle.begin("192.0.2.1", null);
});

test("whoever signs in is forgiven what was tried under that name, and not what was tried under others", () => {
  let now = 0;
  const throttle = createLoginThrottle({ now: () => now });
  const guess = (name: string | null) => throttle.begin("192.0.2.1", name);
  const signIn = (name: string) => {
    guess(name);
    throttle.succeeded("192.0.2.1", name.toUpperCase());
  };
  for (let round = 0; round < 5; round++) {
    guess(null);
    if (round < 4) for (let time = 0; time < 3; time++) signIn("ann");
  }
  expect(() => guess("ann")).toThrow("Try again in 1 s.");
  now += 1_000;
  signIn("ann");
  expect(() => guess(null)).toThrow("Try again in 1 s.");
  const another = createLoginThrottle({ now: () => now });
  for (let round = 0; round < 30; round++) {
    for (let time = 0; time < 4; time++) another.begin("192.0.2.1", "ann");
    another.succeeded("192.0.2.1", "ann");
  }
});
