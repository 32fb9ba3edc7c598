/** How often a provider that fails is asked again, over all calls together. */

import { expect, test } from "bun:test";
import { createRetryBudget } from "../../../src/providers/health/retry-budget.ts";

const setUp = () => {
  const clock = { at: 1_000_000, now: () => clock.at };
  const budget = createRetryBudget(clock);
  /** How many of so many wishes are granted. */
  const taken = (wishes: number, provider = "p") =>
    Array.from({ length: wishes }, () => budget.take(provider)).filter(Boolean).length;
  return { clock, budget, taken };
};

test("of a thousand attempts that all fail at one moment, a fifth is retried, and the few that are saved up", () => {
  const { budget, taken } = setUp();
  let granted = 0;
  for (let attempt = 0; attempt < 1_000; attempt++) {
    budget.earn("p");
    granted += taken(1);
  }
  expect(granted).toBeWithin(200, 211);
});

test("a provider that is asked now and then may always be asked again", () => {
  const { clock, budget, taken } = setUp();
  for (let attempt = 0; attempt < 100; attempt++) {
    budget.earn("p");
    expect(taken(1)).toBe(1);
    clock.at += 1_000;
  }
});

test("what is saved up has a bound, and each provider has its own", () => {
  const { clock, budget, taken } = setUp();
  expect(taken(50)).toBe(10);
  expect(taken(1, "other")).toBe(1);
  for (let attempt = 0; attempt < 1_000; attempt++) budget.earn("p");
  clock.at += 3_600_000;
  expect(taken(50)).toBe(10);
  expect(taken(1)).toBe(0);
});
