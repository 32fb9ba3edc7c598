/** Conformance: the required tests of the JSON-Schema-Test-Suite, both drafts. */
import { expect, test } from "bun:test";
import { runSuite, suiteIsThere } from "./run-suite.ts";

/** Thousands of schemas, on a machine that may be busy. */
const SLOW_MS = 60_000;

const here = suiteIsThere();
if (!here) console.log("JSON-Schema-Test-Suite is not here: its tests are skipped.");

test.skipIf(!here).each([
  ["draft-07", 904],
  ["2020-12", 1250],
] as const)(
  "every required test of %s passes",
  (draft, least) => {
    const count = runSuite(draft);
    expect(count.failures).toEqual([]);
    expect(count.total).toBeGreaterThanOrEqual(least);
  },
  SLOW_MS,
);
