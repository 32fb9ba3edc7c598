/** The schema for editors is the one that the settings are checked against. */

import { expect, test } from "bun:test";
import { settingsSchema } from "../../src/config/settings-schema.ts";
import committed from "../../src/config/signalbox.schema.json" with { type: "json" };
import { startGateway } from "../support/gateway.ts";

test("the committed schema is the program's (`bun run release/configuration-reference.ts`)", () => {
  expect(committed as unknown).toEqual(settingsSchema());
});

test("a running gateway serves it", async () => {
  const gateway = await startGateway();
  const served = await (await gateway.send(null, "GET", "/config.schema.json")).json();
  await gateway.stop();
  expect(served).toEqual(committed);
});
