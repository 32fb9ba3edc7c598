/** What calls and words about them teach a running gateway: seen, kept over a restart, frozen, forgotten, each project and mode for itself. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Gateway, startGateway, type TestKey } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

const ASK = { messages: [{ role: "user", content: "Extract the invoice number: Invoice 2231, due 1 May, total 412.50 EUR." }] };

const chat = async (on: Gateway, key: TestKey, body: object = ASK): Promise<any> => {
  const response = await on.send(key, "POST", "/v1/chat", body);
  if (response.status !== 200) throw new Error(`chat answered ${response.status}: ${await response.text()}`);
  return response.json();
};
const learned = async (on: Gateway, key: TestKey): Promise<any> => (await on.send(key, "GET", "/v1/learning")).json();
const rate = (on: Gateway, key: TestKey, callId: string, score: number) =>
  on.send(key, "POST", `/v1/logs/${callId}/feedback`, { score });
const route = async (on: Gateway, key: TestKey, body: object = ASK): Promise<any> =>
  (await on.send(key, "POST", "/v1/route", body)).json();

test("bad words about a model's answers lower its strength until another is chosen", async () => {
  const key = await gateway.key({ project: "complaints" });
  const before = await route(gateway, key);
  for (let i = 0; i < 25; i++) {
    const { svc } = await chat(gateway, key, { ...ASK, model: before.model });
    expect((await rate(gateway, key, svc.request_id, 0)).status).toBe(200);
  }
  const { strengths } = await learned(gateway, key);
  const about = strengths.find(({ model }: { model: string }) => model === before.model);
  expect(about.task_type).toBe(before.task_type);
  expect(about.strength).toBeLessThan(about.catalog_strength - 0.2);
  expect(about.good).toBeLessThan(about.predicted);
  const after = await route(gateway, key);
  expect(after.model).not.toBe(before.model);
  const candidate = after.decision_factors.candidates.find(({ model }: { model: string }) => model === before.model);
  if (candidate !== undefined) expect(candidate.learned_from).toBeGreaterThan(20);
});

test("a later word replaces the earlier one", async () => {
  const key = await gateway.key({ project: "second thoughts" });
  const { svc } = await chat(gateway, key);
  await rate(gateway, key, svc.request_id, 0);
  const low = (await learned(gateway, key)).strengths[0];
  await rate(gateway, key, svc.request_id, 1);
  const high = (await learned(gateway, key)).strengths[0];
  expect(high.outcomes).toBeCloseTo(low.outcomes, 1);
  expect(high.good).toBeGreaterThan(low.good);
});

test("a later word takes back no more of an earlier one than still counts of it", async () => {
  const key = await gateway.key({ project: "slow second thoughts" });
  const pinned = { ...ASK, model: (await route(gateway, key)).model };
  const { svc } = await chat(gateway, key, pinned);
  await rate(gateway, key, svc.request_id, 0);
  gateway.clock.advance(30 * 86_400_000);
  for (let i = 0; i < 4; i++) await rate(gateway, key, (await chat(gateway, key, pinned)).svc.request_id, 0);
  const [low] = (await learned(gateway, key)).strengths;
  await rate(gateway, key, svc.request_id, 1);
  const [high] = (await learned(gateway, key)).strengths;
  // Half of the earlier three outcomes had faded.
  expect(high.outcomes).toBeCloseTo(low.outcomes + 1.5, 1);
  expect(high.good * high.outcomes).toBeCloseTo(low.good * low.outcomes + 3, 1);
});

test("an answer that the ceiling cut counts against nobody, one that broke off by itself against its model", async () => {
  const asked = (more: object) => ({
    messages: [{ role: "user", content: "Tell me of boats. [[sandbox:truncate:always]]" }],
    ...more,
  });
  const held = await gateway.key({ project: "held short" });
  const cut = await chat(gateway, held, asked({ max_cost_per_call: 0.00001 }));
  expect([cut.choices[0].finish_reason, cut.svc.validation_passed]).toEqual(["length", false]);
  expect((await learned(gateway, held)).strengths).toEqual([]);
  const free = await gateway.key({ project: "broken off" });
  await chat(gateway, free, asked({ model: cut.model }));
  expect((await learned(gateway, free)).strengths).toMatchObject([{ model: cut.model }]);
});

test("an answer that fails its checks counts against the model that gave it, a provider's failure against none", async () => {
  const key = await gateway.key({ project: "faults" });
  await chat(gateway, key, { messages: [{ role: "user", content: `${ASK.messages[0]!.content} [[sandbox:refuse]]` }] });
  const refused = (await learned(gateway, key)).strengths;
  expect(refused.some(({ good, predicted }: { good: number; predicted: number }) => good < predicted)).toBe(true);
  const other = await gateway.key({ project: "outages" });
  const down = { messages: [{ role: "user", content: "Hello [[sandbox:error-500:always]]" }] };
  expect((await gateway.send(other, "POST", "/v1/chat", down)).status).toBe(503);
  expect(await learned(gateway, other)).toMatchObject({ strengths: [], neighbourhoods: [] });
});

test("what one project or mode learns is no other's", async () => {
  const key = await gateway.key({ project: "apart" });
  await chat(gateway, key);
  const here = await learned(gateway, key);
  expect(here.strengths.length).toBeGreaterThan(0);
  // The sandbox's speed is no model's.
  expect(here.paces).toEqual([]);
  expect((await learned(gateway, await gateway.key({ project: "apart too" }))).strengths).toEqual([]);
  const live = await learned(gateway, await gateway.key({ project: "apart", mode: "live" }));
  expect(live).toMatchObject({ mode: "live", strengths: [], neighbourhoods: [] });
});

test("frozen, nothing is learned and nothing is tried", async () => {
  const shadow = { model: "gpt-4o-mini", sampleRate: 1 };
  const key = await gateway.key({ project: "frozen", settings: { learningFrozen: true, shadow } });
  const { svc } = await chat(gateway, key);
  await rate(gateway, key, svc.request_id, 0);
  await gateway.platform.background.idle();
  expect(await learned(gateway, key)).toMatchObject({ frozen: true, exploration: 0, strengths: [], neighbourhoods: [] });
});

test("reset forgets everything of that mode", async () => {
  const key = await gateway.key({ project: "reset" });
  await chat(gateway, key);
  await gateway.platform.learning.flush();
  const response = await gateway.send(key, "DELETE", "/v1/learning");
  expect(response.status).toBe(200);
  expect((await response.json()).deleted).toBeGreaterThan(0);
  expect(await learned(gateway, key)).toMatchObject({ strengths: [], paces: [], neighbourhoods: [] });
});

test("who may read what was learned may not forget it without the scope of policies", async () => {
  const reader = await gateway.key({ project: "reset", scopes: ["metrics"] });
  const ruler = await gateway.key({ project: "reset", scopes: ["policies"] });
  const status = async (key: TestKey, method: string) => (await gateway.send(key, method, "/v1/learning")).status;
  expect([await status(reader, "GET"), await status(reader, "DELETE")]).toEqual([200, 403]);
  expect([await status(ruler, "GET"), await status(ruler, "DELETE")]).toEqual([403, 200]);
});

test("prompts leave a place only where the log keeps them, and a forgotten user takes the places along", async () => {
  const quiet = await gateway.key({ project: "quiet", settings: { storeBodies: false } });
  await chat(gateway, quiet);
  const kept = await learned(gateway, quiet);
  expect(kept.strengths.length).toBeGreaterThan(0);
  expect(kept.neighbourhoods).toEqual([]);
  const key = await gateway.key({ project: "forgetful" });
  // What was asked of no chat model teaches nothing about them.
  const { svc } = await chat(gateway, key, { messages: [{ role: "user", content: "Draw a picture of a red fox in the snow." }] });
  expect([svc.media.type, (await learned(gateway, key)).neighbourhoods]).toEqual(["image", []]);
  await chat(gateway, key, { ...ASK, user_id: "u-1" });
  expect((await learned(gateway, key)).neighbourhoods.length).toBe(1);
  await gateway.send(key, "DELETE", "/v1/logs/user/u-1");
  const after = await learned(gateway, key);
  expect(after.neighbourhoods).toEqual([]);
  expect(after.strengths.length).toBeGreaterThan(0);
});

test("what was learned survives a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-learning-"));
  try {
    const before = await startGateway({ folder });
    const key = await before.key({ project: "kept" });
    for (let i = 0; i < 5; i++) await chat(before, key);
    const known = await learned(before, key);
    await before.stop();
    const after = await startGateway({ folder });
    try {
      const back = await learned(after, key);
      expect(back.strengths).toEqual(known.strengths);
      expect(back.neighbourhoods.map(({ calls }: { calls: number }) => calls)).toEqual([5]);
    } finally {
      await after.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what was learned is stored, whatever fails in the same commit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-learned-"));
  try {
    const before = await startGateway({ folder });
    const key = await before.key({ project: "in company" });
    await rate(before, key, (await chat(before, key)).svc.request_id, 0);
    const { db, learning } = before.platform;
    const fail = () => {
      throw new Error("no");
    };
    await Promise.allSettled([learning.flush(), db.write(fail)]);
    const { strengths } = await learned(before, key);
    await before.stop();
    const after = await startGateway({ folder });
    expect((await learned(after, key)).strengths).toEqual(strengths);
    await after.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a conversation stays with its model, and says so", async () => {
  const key = await gateway.key({ project: "conversation" });
  const turns = [{ role: "user", content: "Name a river in Germany." }];
  const free = await route(gateway, key, { messages: turns });
  const second = free.decision_factors.candidates[1].model;
  const answer = await chat(gateway, key, { messages: turns, model: second });
  const next = [...turns, { role: "assistant", content: answer.choices?.[0]?.message.content ?? "The Elbe." }, turns[0]!];
  const continued = await route(gateway, key, { messages: next });
  expect(continued.decision_factors.sticky_model).toBe(second);
  expect((await route(gateway, key, { messages: turns })).decision_factors.sticky_model).toBeUndefined();
});
