/** Limits are exact under concurrency: of many calls at one moment, as many are let in as the table says, on every group. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { CASES, type Hammering, hammer, startHammering } from "./hammer-groups.ts";

const CALLS = 200;
let hammering: Hammering;
beforeAll(async () => {
  hammering = await startHammering();
});
afterAll(() => hammering.stop());

for (const limited of CASES) {
  test(`${limited.group}: ${CALLS} at once, ${limited.admits} let in`, async () => {
    const calls = limited.group === "transcription" ? 40 : CALLS;
    expect(await hammer(hammering, limited, calls)).toEqual({
      admitted: limited.admits,
      refused: calls - limited.admits,
      other: [],
      hints: true,
    });
  }, 30_000);
}

test("places of streams are free again once they have ended", async () => {
  const streams = CASES.find(({ group }) => group === "streams")!;
  for (let round = 0; round < 2; round++) expect((await hammer(hammering, streams, 30)).admitted).toBe(streams.admits);
  expect(hammering.gateway.platform.limits.occupiedByAll("streams")).toBe(0);
}, 30_000);
