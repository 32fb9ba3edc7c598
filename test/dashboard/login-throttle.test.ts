import { expect, test } from "bun:test";
import type { ApiError } from "../../src/api-error.ts";
import { createLoginThrottle } from "../../src/dashboard/sessions/login-throttle.ts";

const setUp = () => {
  const clock = { at: 1_000_000, now: () => clock.at };
  const throttle = createLoginThrottle(clock);
  /** Seconds to wait, 0 where the password is looked at. */
  const attempt = (ip = "192.0.2.1"): number => {
    try {
      throttle.begin(ip);
      return 0;
    } catch (error) {
      return (error as ApiError).options.retryAfterSeconds!;
    }
  };
  return { clock, throttle, attempt };
};

test("five tries are free, each further one waits twice as long, up to a minute", () => {
  const { clock, attempt } = setUp();
  for (let tries = 0; tries < 5; tries++) expect(attempt()).toBe(0);
  const waits: number[] = [];
  for (let tries = 0; tries < 9; tries++) {
    const wait = attempt();
    waits.push(wait);
    clock.at += wait * 1_000 - 1;
    expect(attempt()).toBe(1);
    clock.at += 1;
    expect(attempt()).toBe(0);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test("the right password and a quarter of an hour wipe the slate, another address has its own", () => {
  const { clock, throttle, attempt } = setUp();
  for (let tries = 0; tries < 5; tries++) attempt();
  expect([attempt(), attempt("192.0.2.2")]).toEqual([1, 0]);
  throttle.succeeded("192.0.2.1");
  for (let tries = 0; tries < 5; tries++) expect(attempt()).toBe(0);
  clock.at += 15 * 60_000;
  for (let tries = 0; tries < 5; tries++) expect(attempt()).toBe(0);
});

test("where too many addresses try at once, new ones wait too", () => {
  const { attempt } = setUp();
  for (let host = 0; host < 10_000; host++) attempt(`2001:db8::${host.toString(16)}`);
  expect([attempt("192.0.2.1"), attempt("2001:db8::1")]).toEqual([1, 0]);
});
