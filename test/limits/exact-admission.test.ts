/** Limits are exact under concurrency: of many calls at one moment, as many are let in as the table says, on every group. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { CASES, hammer } from "./hammer-groups.ts";

const CALLS = 200;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

for (const limited of CASES) {
  test(`${limited.group}: ${CALLS} at once, ${limited.admits} let in`, async () => {
    const calls = limited.group === "transcription" ? 40 : CALLS;
    expect(await hammer(gateway, limited, calls)).toEqual({
      admitted: limited.admits,
      refused: calls - limited.admits,
      other: [],
      hints: true,
    });
  }, 30_000);
}

test("places of streams are free again once they have ended", async () => {
  const streams = CASES.find(({ group }) => group === "streams")!;
  for (let round = 0; round < 2; round++) expect((await hammer(gateway, streams, 30)).admitted).toBe(streams.admits);
  expect(gateway.platform.limits.occupiedByAll("streams")).toBe(0);
}, 30_000);
