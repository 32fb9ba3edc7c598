/** Settings that change while the server runs: what can be used is, what cannot changes nothing. */

import { expect, spyOn, test } from "bun:test";
import { renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { applySettings, reloadSettings, watchSettings } from "../src/watch-settings.ts";
import { startGateway } from "./support/gateway.ts";
import { gatewayOfFile } from "./support/gateway-of-file.ts";
import { sse, startUpstreamStub } from "./support/upstream-stub.ts";

const settingsWith = (model: string) =>
  `providers:\n  house:\n    base_url: http://127.0.0.1:9/v1\nmodels:\n  - id: ${model}\n    provider: house\n    upstream_model: large\n`;

const gateway = await gatewayOfFile({ settings: settingsWith("house-one") });

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
  const inUse = gateway.platform.config.file;
  for (const mistake of ["providers: [", settingsWith("house-nine").replace("provider: house", "provider: nobody")]) {
    await Bun.write(path, mistake);
    await reload();
    expect([houseModels(), gateway.platform.config.file]).toEqual([["house-two"], inUse]);
  }
  rmSync(path);
  await reload();
  expect(houseModels()).toEqual(["house-two"]);
  // A pipe would be waited for, and nobody answered meanwhile.
  symlinkSync("/dev/null", path);
  await reload();
  expect(houseModels()).toEqual(["house-two"]);
  rmSync(path);
  await Bun.write(path, settingsWith("house-three"));
  await reload();
  expect(houseModels()).toEqual(["house-three"]);
});

test("a file that takes the place of another of the same size and time is seen", async () => {
  const path = join(gateway.folder, "signalbox.yaml");
  const { config } = gateway.platform;
  const reloaded = async () => {
    const before = config.file;
    while (config.file === before) await Bun.sleep(10);
  };
  utimesSync(path, 1, 1);
  await reloaded();
  await Bun.write(`${path}.next`, (await Bun.file(path).text()).replace("house-three", "house-seven"));
  utimesSync(`${path}.next`, 1, 1);
  renameSync(`${path}.next`, path);
  while (houseModels()[0] !== "house-seven") await Bun.sleep(10);
}, 30_000);

test("a file is read once it is written to its end", async () => {
  const path = join(gateway.folder, "other.yaml");
  const timer = spyOn(globalThis, "setInterval").mockReturnValue({ unref: () => {} } as never);
  watchSettings({ ...gateway.platform, config: { ...gateway.platform.config, settingsPath: path } });
  const look = timer.mock.calls[0]![0] as () => Promise<void>;
  timer.mockRestore();
  const before = houseModels();
  const whole = settingsWith("house-whole");
  for (const written of ["", whole.slice(0, whole.indexOf("models:"))]) {
    await Bun.write(path, written);
    await look();
    expect(houseModels()).toEqual(before);
  }
  await Bun.write(path, whole);
  await look();
  await look();
  expect(houseModels()).toEqual(["house-whole"]);
});

test("a call that is under way when its model leaves the settings is answered and billed as it began", async () => {
  const upstream = startUpstreamStub();
  const priced = `providers:\n  yard:\n    base_url: ${upstream.url}/v1\nmodels:\n  - id: yard-one\n    provider: yard\n    input_usd_per_million: 1\n    output_usd_per_million: 2\n`;
  const yard = await startGateway({ settings: priced });
  const key = await yard.key({ mode: "live" });
  const write = async (text: string) => {
    await Bun.write(join(yard.folder, "signalbox.yaml"), text);
    await reloadSettings(yard.platform);
  };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const whole = { choices: [{ index: 0, message: { role: "assistant", content: "All clear." }, finish_reason: "stop" }], usage };
  const pieces = [{ choices: [{ index: 0, delta: { content: "All clear." }, finish_reason: "stop" }] }, { choices: [], usage }];
  for (const path of ["/v1/chat", "/v1/chat/stream"]) {
    await write(priced);
    upstream.answer(async (request) => {
      await write("models: []\n");
      return request.body.stream ? sse(pieces)(request) : Response.json(whole);
    });
    const response = await yard.send(key, "POST", path, { model: "yard-one", messages: [{ role: "user", content: "Signals?" }] });
    const text = await response.text();
    expect([path, response.status, text.includes("All clear."), text.includes('"error"')]).toEqual([path, 200, true, false]);
    const log = await yard.send(key, "GET", `/v1/logs/${response.headers.get("x-svc-request-id")}`);
    expect(((await log.json()) as any).execution.cost_usd).toBeCloseTo((10 * 1 + 5 * 2) / 1e6, 9);
  }
  await yard.stop();
  upstream.stop();
});

test("a provider that is called with another key or at another address is not resting any more; one that stays as it is rests on", async () => {
  const server = await startGateway({ environment: { OPENAI_API_KEY: "sk-old", GROQ_API_KEY: "gsk-same" } });
  const { providers } = server.platform;
  const failure = { ok: false, kind: "auth" } as const;
  for (let call = 0; call < 6; call++)
    for (const provider of ["openai", "groq"]) for (const model of ["a", "b"]) providers.health.record(provider, model, failure);
  providers.health.record("openai", "c", { ok: false, kind: "rate_limit", retryAfterMs: 50_000 });
  const mayCall = () => ["openai", "groq"].map((provider) => providers.health.availableAt(provider, "a") === 0);
  await applySettings(server.platform);
  expect(mayCall()).toEqual([false, false]);
  server.platform.config.environment["OPENAI_API_KEY"] = "sk-new";
  await applySettings(server.platform);
  expect(mayCall()).toEqual([true, false]);
  expect(["a", "b", "c"].map((model) => providers.health.state("openai", model))).toEqual(["healthy", "healthy", "healthy"]);
  await server.stop();
});
