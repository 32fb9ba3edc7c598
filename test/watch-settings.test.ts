/** Settings that change while the server runs: what can be used is, what cannot changes nothing. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { reloadSettings } from "../src/watch-settings.ts";
import { type Gateway, startGateway } from "./support/gateway.ts";

const settingsWith = (model: string) =>
  `providers:\n  house:\n    base_url: http://127.0.0.1:9/v1\nmodels:\n  - id: ${model}\n    provider: house\n    upstream_model: large\n`;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: settingsWith("house-one") });
});
afterAll(() => gateway.stop());

const houseModels = () =>
  gateway.platform.catalog
    .chatModels()
    .filter(({ provider }) => provider === "house")
    .map(({ id }) => id);

test("a file that was changed counts, one with a mistake or none at all leaves things as they were", async () => {
  const path = join(gateway.folder, "signalbox.yaml");
  const reload = () => reloadSettings(gateway.platform);
  expect(houseModels()).toEqual(["house-one"]);
  await Bun.write(path, settingsWith("house-two"));
  await reload();
  expect(houseModels()).toEqual(["house-two"]);
  await Bun.write(path, "providers: [");
  await reload();
  expect(houseModels()).toEqual(["house-two"]);
  rmSync(path);
  await reload();
  expect(houseModels()).toEqual(["house-two"]);
  await Bun.write(path, settingsWith("house-three"));
  await reload();
  expect(houseModels()).toEqual(["house-three"]);
});
