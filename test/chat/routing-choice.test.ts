/** What bends the router's choice in a live call: exploration, and policies that ask for the best. */

import { expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { upstreamStubOfFile } from "../support/upstream-stub.ts";
import { completion } from "../support/vendor-answers.ts";

const openai = upstreamStubOfFile();
openai.answer(completion("The Elbe flows through Dresden."));
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: `${openai.url}/v1` } });

const ASK = { messages: [{ role: "user", content: "Name a river in Germany." }] };
const post = async (key: TestKey, path: string, body: object): Promise<any> => {
  const response = await gateway.send(key, "POST", path, body);
  if (response.status >= 300) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};
const detailOf = async (key: TestKey, callId: string): Promise<any> =>
  (await gateway.send(key, "GET", `/v1/logs/${callId}`)).json();
const decisions = async (key: TestKey, count: number, body: object = ASK): Promise<any[]> => {
  const made = [];
  for (let i = 0; i < count; i++) {
    const { svc } = await post(key, "/v1/chat", body);
    made.push((await detailOf(key, svc.request_id)).routing);
  }
  return made;
};

test("exploring says so in reason and factors; explaining never explores", async () => {
  const key = await gateway.key({ project: "curious", mode: "live", settings: { exploration: 1 } });
  const planned = await post(key, "/v1/route", ASK);
  expect(planned.decision_factors.explored).toBeUndefined();
  // Which calls try a model is drawn by lot from their ids: asked until one did.
  let [explored] = await decisions(key, 1);
  while (!explored.decision_factors.explored) [explored] = await decisions(key, 1);
  expect(explored.routing_reason).toContain(`${explored.model_selected} is tried instead of`);
  expect(explored.model_selected).not.toBe(planned.model);
});

test("where only one model can answer, the reason does not call it the best", async () => {
  const key = await gateway.key({ project: "listening", mode: "live" });
  const recording = { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } };
  const { reason } = await post(key, "/v1/route", { messages: [{ role: "user", content: [recording] }] });
  expect(reason).toContain("gpt-audio-1.5 is the only choice for");
});

test("a video goes to a model that sees videos, and to nobody where there is none", async () => {
  const messages = [{ role: "user", content: [{ type: "video_url", video_url: { url: "https://example.com/elbe.mp4" } }] }];
  expect((await post(await gateway.key(), "/v1/route", { messages })).provider).toBe("google");
  const live = await gateway.key({ project: "watching", mode: "live" });
  const refused = await gateway.send(live, "POST", "/v1/route", { messages });
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: "no_capable_model" } }]);
});

test("nothing is tried under a routing policy, with a pinned model, in a conversation or in the sandbox", async () => {
  const settings = { exploration: 1 };
  const bound = await gateway.key({ project: "bound", mode: "live", settings });
  await gateway.policy(bound, "routing", { provider_block_list: ["google"] });
  const sandbox = await gateway.key({ project: "curious too", settings });
  const explored = (made: any[]) => made.filter(({ decision_factors }) => decision_factors.explored);
  for (const key of [bound, sandbox]) expect(explored(await decisions(key, 12))).toEqual([]);
  const key = await gateway.key({ project: "curious three", mode: "live", settings });
  const pinned = await decisions(key, 12, { ...ASK, model: "gpt-4o", allow_fallback: true });
  expect(new Set(pinned.map(({ model_selected }) => model_selected))).toEqual(new Set(["gpt-4o"]));
  const continued = {
    messages: [...ASK.messages, { role: "assistant", content: "The Elbe." }, { role: "user", content: "And another?" }],
  };
  // The first of them finds no model to stay with, and may still try one.
  const [begun, ...others] = await decisions(key, 13, continued);
  expect(explored(others)).toEqual([]);
  expect(new Set(others.map(({ decision_factors }) => decision_factors.sticky_model))).toEqual(new Set([begun.model_selected]));
  // The same words in another project, or in the sandbox, are another conversation.
  for (const [project, mode] of [
    ["curious four", "live"],
    ["curious three", "test"],
  ] as const) {
    const [elsewhere] = await decisions(await gateway.key({ project, mode, settings }), 1, continued);
    expect(elsewhere.decision_factors.sticky_model).toBeUndefined();
  }
});

test("a policy that asks for the best output gets the model of quality_cost 0", async () => {
  const key = await gateway.key({ project: "finest" });
  const finest = await post(key, "/v1/route", { ...ASK, quality_cost: 0 });
  const plain = await post(key, "/v1/route", ASK);
  expect(plain.model).not.toBe(finest.model);
  await post(key, "/v1/policies", { template: "quality-mode" });
  const asked = await post(key, "/v1/route", ASK);
  expect(asked.model).toBe(finest.model);
  expect(plain.decision_factors.quality_cost).toBe(0.5);
  // What stands beside the scores is what they were weighed with.
  expect(asked.decision_factors.quality_cost).toBe(0);
  expect(asked.policy_evaluation).toMatchObject({
    result: "allow",
    modifications: [{ type: "model_override", from: plain.model, to: finest.model }],
  });
});

test("measured times take the place of the catalog's guess", async () => {
  const key = await gateway.key({ project: "timed", mode: "live" });
  const before = await post(key, "/v1/route", ASK);
  for (let i = 0; i < 10; i++) await post(key, "/v1/chat", { ...ASK, model: before.model });
  const after = await post(key, "/v1/route", ASK);
  const latencyOf = ({ decision_factors }: any): number =>
    decision_factors.candidates.find(({ model }: any) => model === before.model).estimated_latency_ms;
  expect(latencyOf(after)).toBeLessThan(latencyOf(before));
  const { paces } = await (await gateway.send(key, "GET", "/v1/learning")).json();
  expect(paces).toMatchObject([{ model: before.model, calls: 10 }]);
});

test("a spent budget refuses calls, and still lets a decision be explained", async () => {
  const key = await gateway.key({ project: "spent", mode: "live", budgetUsd: 0.000001 });
  expect((await gateway.send(key, "POST", "/v1/chat", ASK)).status).toBe(429);
  expect((await post(key, "/v1/route", ASK)).model).toBeString();
});

test("a decision about a call with a schema is the one that the call would get", async () => {
  const key = await gateway.key({ project: "planned" });
  const bare = { ...ASK, max_cost_per_call: 0.000001 };
  const refusalOf = async (path: string, body: object) => (await gateway.send(key, "POST", path, body)).text();
  const schema = { type: "object", properties: { river: { type: "string" } }, required: ["river"] };
  const planned = await refusalOf("/v1/route", { ...bare, schema });
  expect(planned).toContain("cost_ceiling_unreachable");
  expect(planned).toBe(await refusalOf("/v1/chat", { ...bare, schema }));
  expect(planned).not.toBe(await refusalOf("/v1/route", bare));
  expect(await refusalOf("/v1/route", { ...ASK, schema_id: "nowhere" })).toContain('"param":"schema_id"');
});

test("a decision reads the documents that the call would, and what policies let through of its prompt", async () => {
  const key = await gateway.key({ project: "read" });
  const content = "The Elbe rises in the Giant Mountains and flows into the North Sea. ".repeat(600);
  const document = await post(key, "/v1/documents", { filename: "elbe.txt", content });
  await gateway.platform.background.idle();
  const body = { ...ASK, document_id: document.id };
  const planned = await post(key, "/v1/route", body);
  const { svc } = await post(key, "/v1/chat", body);
  expect([planned.model, planned.reason]).toEqual([svc.routing.first_choice, svc.routing.reason]);
  expect(svc.document_id).toBe(document.id);
  expect(planned.estimated_cost_usd).toBeGreaterThan(2 * (await post(key, "/v1/route", ASK)).estimated_cost_usd);
  const unknown = await gateway.send(key, "POST", "/v1/route", { ...ASK, document_id: "doc_unknown" });
  expect([unknown.status, ((await unknown.json()) as any).error.param]).toEqual([400, "document_id"]);

  const terms = (action: string) => ({ evaluate_input: true, blocked_terms: { terms: ["North Sea"], action } });
  const policy = await gateway.policy(key, "content", terms("redact"));
  const cleaned = await post(key, "/v1/route", body);
  const { svc: asked } = await post(key, "/v1/chat", body);
  expect([cleaned.reason, cleaned.content_evaluation.result]).toEqual([asked.routing.reason, "redact"]);
  expect((await gateway.send(key, "PATCH", `/v1/policies/${policy}`, { config: terms("block") })).status).toBe(200);
  expect(await post(key, "/v1/route", body)).toMatchObject({ model: null, content_evaluation: { result: "block" } });
});
