import { expect, test } from "bun:test";
import { startGateway } from "../../support/gateway.ts";
import { json, startUpstreamStub } from "../../support/upstream-stub.ts";

const model = (id: string, usd: number) =>
  `  - { id: ${id}, provider: house, context_window: 8000, input_usd_per_million: ${usd}, output_usd_per_million: ${usd} }\n`;

test.each(["/v1/chat", "/v1/chat/stream"])(
  "on %s a fallback that the key's budget does not hold is not asked; one that it holds is",
  async (path) => {
    using upstream = startUpstreamStub();
    upstream.answer(json({ error: { message: "down" } }, 500));
    await using gateway = await startGateway({
      settings: `providers:\n  house:\n    base_url: ${upstream.url}/v1\nmodels:\n${model("cheap", 1)}${model("dear", 1_000)}`,
    });
    const asked = async (budgetUsd: number) => {
      upstream.seen.length = 0;
      const key = await gateway.key({ project: `of ${budgetUsd}`, mode: "live", budgetUsd });
      const body = {
        model: "cheap",
        allow_fallback: true,
        max_tokens: 50,
        messages: [{ role: "user", content: "Name a river." }],
      };
      await (await gateway.send(key, "POST", path, body)).text();
      return upstream.seen.map((request) => request.body.model);
    };
    expect(await asked(0.01)).toEqual(["cheap", "cheap"]);
    // Two failures in a row are no reason yet to leave a model alone.
    expect(await asked(10)).toEqual(["cheap", "cheap", "dear"]);
  },
);

test("what the attempts before have cost is spoken for when a fallback is asked", async () => {
  using upstream = startUpstreamStub();
  const message = { role: "assistant", content: "I'm sorry, but I can't help with that request." };
  const usage = { prompt_tokens: 0, completion_tokens: 1_000_000 };
  upstream.answer(json({ choices: [{ index: 0, message, finish_reason: "stop" }], usage }));
  await using gateway = await startGateway({
    settings: `providers:\n  house:\n    base_url: ${upstream.url}/v1\nmodels:\n${model("cheap", 1)}${model("dear", 1_000)}`,
  });
  const asked = async (budgetUsd: number) => {
    upstream.seen.length = 0;
    const key = await gateway.key({ project: `of ${budgetUsd}`, mode: "live", budgetUsd });
    const messages = [{ role: "user", content: "Name a river." }];
    await gateway.send(key, "POST", "/v1/chat", { model: "cheap", allow_fallback: true, max_tokens: 50, messages });
    return upstream.seen.map((request) => request.body.model);
  };
  // Two refusals at one dollar each: a hundredth of one is left, or one.
  expect(await asked(2.01)).toEqual(["cheap", "cheap"]);
  expect(await asked(3)).toEqual(["cheap", "cheap", "dear"]);
});

test("a fallback that the budget does not cover is passed over, not the end of the search", async () => {
  using upstream = startUpstreamStub();
  upstream.answer(json({ error: { message: "down" } }, 500));
  await using gateway = await startGateway({
    settings: `providers:\n  house:\n    base_url: ${upstream.url}/v1\nmodels:\n${model("cheap", 1)}${model("dear", 1_000)}${model("fair", 2)}`,
  });
  const key = await gateway.key({ mode: "live", budgetUsd: 0.01 });
  const messages = [{ role: "user", content: "Name a river." }];
  const body = { model: "cheap", allow_fallback: true, quality_cost: 0, max_tokens: 50, messages };
  const route = (await (await gateway.send(key, "POST", "/v1/route", body)).json()) as any;
  await (await gateway.send(key, "POST", "/v1/chat", body)).text();
  expect(route.fallbacks).toEqual(["dear", "fair"]);
  expect(upstream.seen.map((request) => request.body.model)).toEqual(["cheap", "cheap", "fair"]);
});
