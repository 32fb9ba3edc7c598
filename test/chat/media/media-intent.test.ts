/** A chat that asks for media (rule 6): when it is media that is meant, and what a refusal says in a chat's own fields. */

import { expect, test } from "bun:test";
import { mediaPrompt } from "../../../src/chat/media/media-prompt.ts";
import { startGateway } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { getJson } from "../../support/known-call.ts";
import { mediaStubOfFile, says, TINY_PNG } from "../../support/media-stub.ts";

const vendor = mediaStubOfFile();
const gateway = await gatewayOfFile({ environment: { GEMINI_API_KEY: "upstream", GEMINI_BASE_URL: vendor.url } });
const key = await gateway.key();

const DRAW = "Draw a picture of a red fox in the snow.";
/** The vendor draws from here on; what it is told to draw is added to the list. */
const drawings = (): string[] => {
  const given: string[] = [];
  const part = { inlineData: { mimeType: "image/png", data: TINY_PNG.toString("base64") } };
  vendor.answer({
    "POST /": ({ json }) => {
      given.push(json.contents[0].parts[0].text);
      return Response.json({ candidates: [{ content: { parts: [part] }, finishReason: "STOP" }] });
    },
  });
  return given;
};
const ask = async (content: string, more: object = {}) => {
  const response = await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content }], ...more });
  return { status: response.status, body: (await response.json()) as any };
};

test("who asks for JSON gets JSON, whatever it is about", async () => {
  expect((await ask(DRAW)).body.svc.media.type).toBe("image");
  expect((await ask(DRAW, { response_format: { type: "text" } })).body.svc.media.type).toBe("image");
  for (const response_format of [{ type: "json_object" }, { type: "json_schema", json_schema: { name: "fox" } }]) {
    const { body } = await ask(DRAW, { response_format });
    expect(body.svc.media).toBeUndefined();
    JSON.parse(body.choices[0].message.content);
  }
  await gateway.send(key, "POST", "/v1/schemas", { name: "Fox", slug: "fox", schema: { type: "object" } });
  expect((await ask(DRAW, { schema_id: "fox" })).body.svc.media).toBeUndefined();
  expect((await ask(DRAW, { document_id: "doc_of_nobody" })).body.error.param).toBe("document_id");
});

test("who may not spend on media gets text, and what a policy or the tier forbids is not made", async () => {
  const asked = { messages: [{ role: "user", content: DRAW }] };
  const textOnly = await gateway.key({ scopes: ["chat"] });
  const { svc } = (await (await gateway.send(textOnly, "POST", "/v1/chat", asked)).json()) as any;
  expect([svc.media, svc.model_selected.startsWith("image-")]).toEqual([undefined, false]);
  const strict = await gateway.key({ project: "strict" });
  const config = { provider_block_list: ["openai"], on_violation: "hard_block" };
  await gateway.policy(strict, "routing", config);
  const blocked = await gateway.send(strict, "POST", "/v1/chat", asked);
  expect([blocked.status, await blocked.json()]).toMatchObject([403, { code: "POLICY_BLOCKED" }]);
  const free = await gateway.key({ project: "free", tier: "free" });
  const refused = await gateway.send(free, "POST", "/v1/chat", { ...asked, session_id: "sketches" });
  expect([refused.status, await refused.json()]).toMatchObject([403, { error: { type: "insufficient_tier" } }]);
});

test.each([
  ['Say out loud: the word "Good morning" please', "Good morning"],
  ["Lies vor: «Guten Tag, meine Damen»", "Guten Tag, meine Damen"],
  ["Read this aloud: All aboard! ", "All aboard!"],
  [" Sing me a lullaby ", "Sing me a lullaby"],
])("of %p is spoken what is quoted, else what follows the colon, else all of it", (asked, spoken) => {
  expect(mediaPrompt("speech", asked)).toBe(spoken);
});

test("a picture's answer, too, names the session and what it left out", async () => {
  const { body } = await ask(DRAW, { session_id: "sketches", sparkle: 1 });
  expect(body.svc).toMatchObject({ media: { type: "image" }, session_id: "sketches", ignored_parameters: ["sparkle"] });
});

test("a refused prompt stood in the messages", async () => {
  const { status, body } = await ask(`${DRAW} [[sandbox:refuse]]`);
  expect([status, body.error]).toMatchObject([400, { type: "content_policy_violation", param: "messages" }]);
});

test("a model that somebody serves makes it, where nobody serves the default one", async () => {
  const part = { inlineData: { mimeType: "image/png", data: TINY_PNG.toString("base64") } };
  vendor.answer({ "POST /": says({ candidates: [{ content: { parts: [part] }, finishReason: "STOP" }] }) });
  const live = await gateway.key({ mode: "live" });
  const response = await gateway.send(live, "POST", "/v1/chat", { messages: [{ role: "user", content: DRAW }] });
  expect([response.status, ((await response.json()) as any).model]).toEqual([200, "image-e-3"]);
  const speech = await gateway.send(live, "POST", "/v1/chat", {
    messages: [{ role: "user", content: "Read this aloud: Good morning, dear passengers." }],
  });
  expect([speech.status, ((await speech.json()) as any).error.message]).toEqual([503, expect.stringContaining("OPENAI_API_KEY")]);
});

test("where the first model's upstreams fail, or rest, a picture comes from another vendor's model", async () => {
  await using two = await startGateway({
    environment: { OPENAI_API_KEY: "o", OPENAI_BASE_URL: vendor.url, GEMINI_API_KEY: "g", GEMINI_BASE_URL: vendor.url },
  });
  const part = { inlineData: { mimeType: "image/png", data: TINY_PNG.toString("base64") } };
  vendor.answer({
    "POST /images/generations": says({}, 500),
    "POST /v1beta": says({ candidates: [{ content: { parts: [part] }, finishReason: "STOP" }] }),
  });
  const live = await two.key({ mode: "live" });
  const draw = async (more: object = {}) => {
    const response = await two.send(live, "POST", "/v1/chat", { messages: [{ role: "user", content: DRAW }], ...more });
    return { status: response.status, fallback: response.headers.get("x-svc-fallback"), body: (await response.json()) as any };
  };
  const { status, fallback, body } = await draw();
  expect([status, fallback, body.model, body.svc.cost_usd]).toEqual([200, "true", "image-e-3", 0.04]);
  // It counts as the one picture that it is, in the minute too.
  const limited = await two.key({
    mode: "live",
    project: "limited",
    tier: "free",
    settings: { limits: { images: { perMinute: 1, perDay: 2 } } },
  });
  const drawn = async () => (await two.send(limited, "POST", "/v1/chat", { messages: [{ role: "user", content: DRAW }] })).status;
  expect([await drawn(), await drawn()]).toEqual([200, 429]);
  const row = (await (await two.send(live, "GET", `/v1/logs/${body.svc.request_id}`)).json()) as any;
  expect(row.execution.attempts.map(({ attempt_number, model }: any) => [attempt_number, model])).toEqual([
    [1, "image-a-3"],
    [2, "image-a-3"],
    [3, "image-e-3"],
  ]);
  // Another that the ceiling cannot pay is none.
  expect((await draw({ max_cost_per_call: 0.03 })).status).toBe(503);
  for (let call = 0; call < 3; call++) await draw();
  vendor.asks.length = 0;
  expect([(await draw()).fallback, vendor.asks.length]).toEqual(["true", 1]);
});

test("a policy leaves only upstreams that can be asked: another vendor's model is chosen, and is no fallback, or nobody is left", async () => {
  await using two = await startGateway({
    environment: { OPENAI_API_KEY: "o", OPENAI_BASE_URL: vendor.url, GEMINI_API_KEY: "g", GEMINI_BASE_URL: vendor.url },
  });
  drawings();
  const under = async (config: object) => {
    const live = await two.key({ mode: "live", project: crypto.randomUUID() });
    await two.policy(live, "routing", config);
    const asked = { messages: [{ role: "user", content: DRAW }] };
    const [answer, explained, made] = await Promise.all([
      two.send(live, "POST", "/v1/chat", asked),
      two.send(live, "POST", "/v1/route", asked),
      two.send(live, "POST", "/v1/images/generations", { prompt: "A fox.", model: "image-a-3" }),
    ]);
    const read = async (response: Response) => ({ status: response.status, body: (await response.json()) as any });
    return { answer: await read(answer), explained: await read(explained), made: await read(made) };
  };
  // Others than OpenAI serve image-a-3 as well, but nobody configured them.
  for (const config of [{ provider_block_list: ["openai"] }, { model_block_list: ["gpt-image-2"] }]) {
    const { answer, explained, made } = await under(config);
    expect(answer.body.svc).toMatchObject({
      model_selected: "image-e-3",
      fallback_used: false,
      routing: { first_choice: "image-e-3" },
    });
    const { modifications } = answer.body.svc.policy_evaluation;
    expect(modifications).toMatchObject([{ type: "model_override", from: "image-a-3", to: "image-e-3" }]);
    expect([explained.body.model, explained.body.policy_evaluation.modifications]).toEqual(["image-e-3", modifications]);
    expect([made.status, made.body.code]).toEqual([403, "POLICY_BLOCKED"]);
  }
  const nobody = await under({ provider_allow_list: ["replicate"] });
  expect([nobody.answer.status, nobody.answer.body.code]).toEqual([403, "POLICY_BLOCKED"]);
  expect([nobody.explained.body.model, nobody.made.status]).toEqual([null, 403]);
});

test("explaining a prompt for media names the model that would make it and its price", async () => {
  const response = await gateway.send(key, "POST", "/v1/route", { messages: [{ role: "user", content: DRAW }] });
  expect(await response.json()).toMatchObject({ media: "image", model: "image-a-3", estimated_cost_usd: 0.04 });
  const cheaper = await gateway.send(key, "POST", "/v1/route", {
    messages: [{ role: "user", content: DRAW }],
    max_cost_per_call: 0.03,
  });
  expect(await cheaper.json()).toMatchObject({ model: "image-a-2", cost_warning: { optimal_model: "image-a-3" } });
  const ample = { messages: [{ role: "user", content: DRAW }], max_cost_per_call: 0.04 };
  const enough = (await (await gateway.send(key, "POST", "/v1/route", ample)).json()) as any;
  expect([enough.model, enough.cost_warning]).toEqual(["image-a-3", undefined]);
});

test("speech that breaks off is a refusal, costs nothing, and is no attempt that succeeded", async () => {
  const { status, body } = await ask("Read this aloud: Good morning, dear passengers. [[sandbox:disconnect]]");
  expect([status, body.error.message]).toEqual([503, "The upstream broke off the audio."]);
  const { execution } = await getJson(gateway, key, `/v1/logs/${body.error.request_id}`);
  expect(execution).toMatchObject({ status: 503, cost_usd: 0, attempts: [{ success: false, failure: "truncated" }] });
});

test("speech says all of the text, or none of it; of a long brief a picture gets the first 4,000 characters, none of them halved", async () => {
  const spoken = "Good morning, dear passengers. ".repeat(140).slice(0, 4_096);
  const { body } = await ask(`Read this aloud: ${spoken}`);
  expect(body.svc.media).toMatchObject({ type: "speech", cost_usd: 0.06144 });
  for (const path of ["/v1/chat", "/v1/chat/stream", "/v1/route"]) {
    const messages = [{ role: "user", content: `Read this aloud: ${spoken}.` }];
    const refused = await gateway.send(key, "POST", path, { messages });
    expect([path, refused.status]).toEqual([path, 400]);
    const { error } = (await refused.json()) as any;
    expect(error).toMatchObject({ type: "invalid_request", param: "messages" });
    expect(error.message).toContain("at most 4096 characters; it has 4097");
  }

  const given = drawings();
  const live = await gateway.key({ mode: "live" });
  const brief = `${DRAW} ${"🦊".repeat(4_000)}`;
  await gateway.send(live, "POST", "/v1/chat", { messages: [{ role: "user", content: brief }] });
  expect(given).toEqual([[...brief].slice(0, 4_000).join("")]);
});

test("who asks for another one, or for one that differs, gets what was asked for before", async () => {
  const given = drawings();
  const live = await gateway.key({ mode: "live" });
  const draw = async (...said: string[]) => {
    const messages = said.flatMap((content, i) => [
      ...(i === 0 ? [] : [{ role: "assistant", content: "http://127.0.0.1/v1/files/file_1" }]),
      { role: "user", content },
    ]);
    expect((await gateway.send(live, "POST", "/v1/chat", { messages })).status).toBe(200);
    return given.splice(0);
  };
  expect(await draw("Who was Ada Lovelace?", DRAW)).toEqual([DRAW]);
  expect(await draw(DRAW, "Another one, please.")).toEqual([`${DRAW}\nAnother one, please.`]);
  const blue = "And now a blue one, please.";
  expect(await draw(DRAW, "Another one, please.", blue)).toEqual([`${DRAW}\nAnother one, please.\n${blue}`]);
  expect(await draw(DRAW, "Draw a picture of a green owl.")).toEqual(["Draw a picture of a green owl."]);
});

test("a policy that prefers cheaper models makes the cheapest picture, and says what it changed", async () => {
  const thrifty = await gateway.key({ project: "thrifty" });
  const config = { prefer_cheaper_models: true };
  await gateway.policy(thrifty, "routing", config);
  const response = await gateway.send(thrifty, "POST", "/v1/chat", { messages: [{ role: "user", content: DRAW }] });
  const { svc } = (await response.json()) as any;
  expect(svc).toMatchObject({
    model_selected: "image-a-2",
    media: { type: "image", model: "image-a-2" },
    policy_evaluation: { result: "allow", modifications: [{ type: "model_override", from: "image-a-3", to: "image-a-2" }] },
  });
});
