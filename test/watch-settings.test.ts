import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Gateway, startGateway } from "./support/gateway.ts";

const house = (model: string) =>
  `providers:\n  house:\n    base_url: http://127.0.0.1:9/v1\nmodels:\n  - id: ${model}\n    provider: house\n    upstream_model: m\n`;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: house("house-one") });
});
afterAll(() => gateway.stop());

/** Writes the file, and waits until the process log tells what came of it. */
const rewrite = async (text: string): Promise<"info" | "error"> => {
  const { log } = gateway.platform;
  const { info, error } = log;
  try {
    const { promise, resolve } = Promise.withResolvers<"info" | "error">();
    log.info = (message) => message === "Settings reloaded" && resolve("info");
    log.error = (message) => message.startsWith("The settings file") && resolve("error");
    await Bun.write(join(gateway.folder, "signalbox.yaml"), text);
    return await promise;
  } finally {
    Object.assign(log, { info, error });
  }
};
const knows = (model: string): boolean => gateway.platform.catalog.findChatModel(model) !== undefined;

test("a settings file that changes is read again; one with a mistake is reported and changes nothing", async () => {
  expect(await rewrite(house("house-two"))).toBe("info");
  expect([knows("house-one"), knows("house-two")]).toEqual([false, true]);
  for (const mistake of ["prot: 1\n", "search: [altavista]\n"]) {
    expect(await rewrite(mistake)).toBe("error");
    expect([knows("house-two"), gateway.platform.config.file.models?.length]).toEqual([true, 1]);
  }
  expect(await rewrite(house("house-three"))).toBe("info");
  expect([knows("house-two"), knows("house-three")]).toEqual([false, true]);
});
