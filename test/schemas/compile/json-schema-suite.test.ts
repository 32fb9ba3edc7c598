/** Conformance: the required tests of the JSON-Schema-Test-Suite, both drafts. */
import { expect, test } from "bun:test";
import { runSuite, suiteIsThere } from "./run-suite.ts";

/** Thousands of schemas, on a machine that may be busy. */
const SLOW_MS = 60_000;

const here = suiteIsThere();
if (!here) console.log("JSON-Schema-Test-Suite is not here: its tests are skipped.");

test.skipIf(!here)(
  "every required test of draft-07 passes",
  () => {
    const count = runSuite("draft-07");
    expect(count.failures).toEqual([]);
    expect(count.total).toBeGreaterThanOrEqual(927);
  },
  SLOW_MS,
);

test.skipIf(!here)(
  "every required test of 2020-12 passes but the one that switches a vocabulary off",
  () => {
    const count = runSuite("2020-12");
    expect(count.failures.filter((name) => !name.startsWith("vocabulary.json"))).toEqual([]);
    expect(count.total - count.passed).toBeLessThanOrEqual(1);
    expect(count.total).toBeGreaterThanOrEqual(1299);
  },
  SLOW_MS,
);

test.skipIf(!here)(
  "formats are checked where asked for",
  () => {
    expect(runSuite("draft-07", "optional/format").passed).toBeGreaterThanOrEqual(675);
    expect(runSuite("2020-12", "optional/format").passed).toBeGreaterThanOrEqual(763);
  },
  SLOW_MS,
);
