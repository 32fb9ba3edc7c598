/** Responses that are fetched, listed and deleted after they were given, with OpenAI's official SDK. The log is all that is kept of them. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import OpenAI from "openai";
import { accumulateResponse } from "openai/lib/responses/ResponseAccumulator";
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { byCommand } from "../../../src/history/author.ts";
import { callIdOf } from "../../../src/lib/ids.ts";
import { deleteTexts } from "../../../src/logs/forget/delete-texts.ts";
import { pack, unpack } from "../../../src/logs/store.ts";
import type { TestKey } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { knownAttempt, record } from "../../support/known-call.ts";
import { refusalOf } from "../../support/openai-refusal.ts";
import { json, sse, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1`, SIGNALBOX_COOLDOWN_MS: "1" },
});
const clientOf = ({ text }: TestKey) => new OpenAI({ apiKey: text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const key = await gateway.key();
const client = clientOf(key);
const says = (text: string) => `[[sandbox:reply=${text}]]`;
const model = "auto";
/** Not in the SDK's types. */
const isStored = (response: object) => (response as { store: boolean }).store;
const picture = { type: "input_image" as const, image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "auto" as const };

const whyNot = async (work: PromiseLike<unknown>) => {
  const { status, message } = await refusalOf(work);
  return [status, message];
};
/** A call's details as they are stored, prompt and answer among them. */
const packedOf = (id: string): Buffer => {
  const sql = "SELECT data FROM calls JOIN call_details ON call_seq = seq WHERE id = ?";
  return Buffer.from(gateway.platform.db.get<{ data: Uint8Array }>(sql, callIdOf(id))!.data);
};
/** The database and its write-ahead log. */
const onDisk = (): Buffer => {
  const { path } = gateway.platform.db;
  return Buffer.concat([path, `${path}-wal`].map((file) => readFileSync(file)));
};
const cannot = (why: string) => [404, `404 The response cannot be fetched: ${why}`];
const NOT_FOUND = [404, "404 The response was not found."];

test("a response is fetched as it was given, streamed or not", async () => {
  const asked = {
    ...{ model, input: says("Clear."), instructions: "Be brief.", metadata: { team: "signals" }, user: "ann" },
    ...{ temperature: 0.3, top_p: 0.9, max_output_tokens: 90, reasoning: { effort: "low" as const } },
  };
  const whole = await client.responses.create(asked);
  expect(isStored(whole)).toBe(true);
  expect({ ...(await client.responses.retrieve(whole.id)), _request_id: "" }).toEqual({ ...whole, _request_id: "" });
  const streamed = await client.responses.stream(asked).finalResponse();
  const { output_text, output, usage, temperature } = await client.responses.retrieve(streamed.id);
  expect(streamed).toMatchObject({ output, usage, temperature } as never);
  expect(output_text).toBe("Clear.");
});

test("tools are told with it, and calls in the form of their tools", async () => {
  const live = clientOf(await gateway.key({ mode: "live" }));
  const calls = [
    { id: "c1", type: "function", function: { name: "crm__find", arguments: '{"name":"Ann"}' } },
    { id: "c2", type: "function", function: { name: "note", arguments: '{"input":"Ann called."}' } },
  ];
  upstream.answer(
    json({ choices: [{ index: 0, message: { role: "assistant", tool_calls: calls }, finish_reason: "tool_calls" }] }),
  );
  const find = { type: "function" as const, name: "find", strict: false, parameters: { type: "object", properties: {} } };
  const tools = [
    { type: "namespace", name: "crm", description: "", tools: [find] },
    { type: "custom", name: "note" },
  ] as never;
  const first = await live.responses.create({ model: "gpt-4o", input: "Find Ann.", tools });
  expect(first.output.map(({ type }) => type)).toEqual(["function_call", "custom_tool_call"]);
  expect({ ...(await live.responses.retrieve(first.id)), _request_id: "" }).toEqual({ ...first, _request_id: "" });

  upstream.answer(json({ choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }] }));
  const results = [
    { type: "function_call_output" as const, call_id: "c1", output: "Ann Lee" },
    { type: "custom_tool_call_output" as const, call_id: "c2", output: [{ type: "input_text" as const, text: "noted" }] },
  ];
  const second = await live.responses.create({ model: "gpt-4o", input: results, previous_response_id: first.id, tools });
  const { data } = await live.responses.inputItems.list(second.id, { order: "asc" });
  expect(data).toMatchObject([
    { type: "message", role: "user", content: [{ type: "input_text", text: "Find Ann." }] },
    { type: "function_call", call_id: "c1", name: "find", namespace: "crm", arguments: '{"name":"Ann"}' },
    { type: "custom_tool_call", call_id: "c2", name: "note", input: "Ann called." },
    { type: "function_call_output", call_id: "c1", output: "Ann Lee" },
    { type: "custom_tool_call_output", call_id: "c2", output: "noted" },
  ]);
  expect(new Set(data.map(({ id }) => id)).size).toBe(5);
});

test("a call alone is one item of the input, and its result may have several parts", async () => {
  const tools = [{ type: "function" as const, name: "find", parameters: null, strict: null }];
  const input = [
    { type: "message", role: "user", content: [{ type: "input_text", text: says("Found.") }] },
    { type: "function_call", call_id: "c1", name: "find", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: [{ type: "input_text", text: "Ann" }, picture] },
  ];
  const { id } = await client.responses.create({ model, input: input as never, tools });
  const { data } = await client.responses.inputItems.list(id, { order: "asc" });
  expect(data).toMatchObject([input[0], input[1], { call_id: "c1", output: [{ type: "input_text", text: "Ann" }, {}] }] as never);
});

test("a refusal stays one, and an answer that was cut says so", async () => {
  const live = clientOf(await gateway.key({ mode: "live" }));
  const format = { type: "json_schema" as const, name: "x", schema: { type: "object", properties: {} } };
  upstream.answer(
    json({ choices: [{ index: 0, message: { role: "assistant", content: null, refusal: "No." }, finish_reason: "stop" }] }),
  );
  const refused = await live.responses.create({ model: "gpt-4o", input: "How?", text: { format } });
  expect(refused.output).toMatchObject([{ content: [{ type: "refusal", refusal: "No." }] }]);
  expect((await live.responses.retrieve(refused.id)).output).toEqual(refused.output);

  const chunk = (delta: object, finish: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
  upstream.answer(sse([chunk({ content: "One, two" }), chunk({}, "length")]));
  const cut = await live.responses.stream({ model: "gpt-4o", input: "Count.", max_output_tokens: 20 }).finalResponse();
  const { status, incomplete_details, output, completed_at } = await live.responses.retrieve(cut.id);
  expect([status, incomplete_details, completed_at]).toEqual(["incomplete", { reason: "max_output_tokens" }, null] as never);
  expect(cut.output).toMatchObject(output as never);
});

test("of several attempts it tells the tokens of the one that gave the answer", async () => {
  const live = clientOf(await gateway.key({ mode: "live" }));
  const usageOf = (output: number) => ({ prompt_tokens: 9, completion_tokens: output, total_tokens: 9 + output });
  const cut = (output: number) =>
    json({ choices: [{ index: 0, message: { content: "```js\nlet a" }, finish_reason: "stop" }], usage: usageOf(output) });
  upstream.answer(cut(11), cut(22));
  const whole = await live.responses.create({ model: "gpt-4o", input: "Write a loop." });
  expect([upstream.seen.length, whole.usage!.output_tokens]).toEqual([2, 11]);
  expect((await live.responses.retrieve(whole.id)).usage).toEqual(whole.usage);

  const told = { choices: [{ index: 0, delta: { content: "Done." }, finish_reason: "stop" }], usage: usageOf(33) };
  upstream.answer(json({}, 500), sse([told]));
  const streamed = await live.responses.stream({ model: "gpt-4o", input: "Write a loop." }).finalResponse();
  expect([upstream.seen.length, streamed.usage!.output_tokens]).toEqual([4, 33]);
  expect((await live.responses.retrieve(streamed.id)).usage).toEqual(streamed.usage);
});

test("as a stream it is told in the same events, from any of them on", async () => {
  const input = says("All lines are clear.");
  const created: ResponseStreamEvent[] = [];
  for await (const event of await client.responses.create({ model, input, stream: true })) created.push(event);
  const { id } = (created[0] as { response: OpenAI.Responses.Response }).response;
  const replayed: ResponseStreamEvent[] = [];
  for await (const event of await client.responses.retrieve(id, { stream: true })) replayed.push(event);
  let pieces: OpenAI.Responses.Response | undefined;
  for (const event of replayed) pieces = accumulateResponse(event, pieces);
  expect(pieces!.output).toEqual((created.at(-1) as { response: OpenAI.Responses.Response }).response.output);
  expect(replayed.map(({ sequence_number }) => sequence_number)).toEqual(replayed.map((_, index) => index));
  expect(replayed.at(-1)).toMatchObject({ type: "response.completed", response: { id, store: true } });

  const rest: ResponseStreamEvent[] = [];
  for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: 3 })) rest.push(event);
  expect(rest).toEqual(replayed.slice(4));
  const raw = await gateway.send(key, "GET", `/v1/responses/${id}?stream=true`);
  expect(raw.headers.get("content-type")).toStartWith("text/event-stream");
  const at = async (query: string) => (await gateway.read(key, `/v1/responses/${id}?${query}`)).error.param;
  expect([await at("stream=yes"), await at("stream=true&starting_after=-1")]).toEqual(["stream", "starting_after"]);
});

test("its input is listed with what went before, page by page, in both orders, but without its own instructions", async () => {
  const first = await client.responses.create({ model, instructions: "Be kind.", input: says("One.") });
  const asked = { model, instructions: "Be brief.", previous_response_id: first.id };
  const input = [
    { role: "developer" as const, content: "In English." },
    { role: "user" as const, content: [{ type: "input_text" as const, text: says("Two.") }, picture] },
  ];
  const second = await client.responses.create({ ...asked, input });
  expect((await client.responses.retrieve(second.id)).previous_response_id).toBe(first.id);
  const items = [];
  for await (const item of client.responses.inputItems.list(second.id, { order: "asc", limit: 2 })) items.push(item);
  expect(items).toMatchObject([
    { type: "message", role: "user", content: [{ type: "input_text", text: says("One.") }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "One." }] },
    { type: "message", role: "system", content: [{ type: "input_text", text: "In English." }] },
    // The log has no pictures.
    { role: "user", content: [{ text: says("Two.") }, { type: "input_image", image_url: null, file_id: null }] },
  ]);
  const last = await client.responses.inputItems.list(second.id, { limit: 1 });
  expect([last.data, last.has_more]).toEqual([[items.at(-1)!], true]);
  expect((await client.responses.inputItems.list(second.id, { after: items[1]!.id! })).data).toEqual([items[0]!]);
  const at = async (query: string) => (await gateway.read(key, `/v1/responses/${second.id}/input_items?${query}`)).error.param;
  expect([await at("limit=0"), await at("limit=101"), await at("order=up"), await at("after=in_1")]).toEqual([
    ...["limit", "limit", "order", "after"],
  ]);
});

test("with `store: false` it is neither fetched nor deleted nor gone on from, but it is in the owner's log", async () => {
  const input = says("Unseen.");
  const unstored = await client.responses.create({ model, input, store: false });
  expect(isStored(unstored)).toBe(false);
  const { id, output } = unstored;
  const reason = cannot("it was made with `store: false`.");
  expect(await whyNot(client.responses.retrieve(id))).toEqual(reason);
  expect(await whyNot(client.responses.inputItems.list(id))).toEqual(reason);
  expect(await whyNot(client.responses.delete(id))).toEqual(reason);
  const goOn = refusalOf(client.responses.create({ model, input, previous_response_id: id }));
  expect(await goOn).toMatchObject({ status: 400, param: "previous_response_id" });
  const named = [{ type: "item_reference" as const, id: output[0]!.id! }];
  expect(await refusalOf(client.responses.create({ model, input: named }))).toMatchObject({ status: 400, param: "input.0.id" });
  expect((await gateway.read(key, `/v1/logs/${id}`)).output.text).toBe("Unseen.");
  expect(await refusalOf(client.responses.create({ model, input, store: "no" } as never))).toMatchObject({ param: "store" });
});

test("what is deleted leaves the log with its words, and what it cost stays", async () => {
  const secret = "Zanzibar meridian";
  const tool = { type: "function" as const, name: "look", description: secret, parameters: null, strict: null };
  const headers = { "Idempotency-Key": "deleted-1" };
  const asked = { model, instructions: secret, input: says(secret), tools: [tool], metadata: { team: "signals" } };
  const { id, output } = await client.responses.create(asked, { headers });
  const before = await gateway.read(key, `/v1/logs/${id}`);
  expect(before.output.text).toBe(secret);
  const packed = packedOf(id);
  expect([JSON.stringify(unpack(packed)).includes("Zanzibar"), onDisk().includes(packed)]).toEqual([true, true]);

  expect(await client.responses.delete(id)).toMatchObject({ id, object: "response", deleted: true } as never);

  const after = await gateway.read(key, `/v1/logs/${id}`);
  expect([after.prompt.text, after.prompt.messages, after.output.text]).toEqual([null, null, null]);
  expect(JSON.stringify([after, unpack(packedOf(id))])).not.toContain("Zanzibar");
  expect(onDisk().includes(packed)).toBe(false);
  expect([after.execution, after.metadata, after.prompt.length]).toEqual([
    before.execution,
    before.metadata,
    before.prompt.length,
  ]);
  expect(after.execution.cost_usd).toBeGreaterThan(0);
  expect((await gateway.read(key, "/v1/logs?search=Zanzibar")).total).toBe(0);
  using file = new Database(gateway.platform.db.path, { readonly: true });
  expect(file.query("SELECT 1 FROM idempotency_keys WHERE idempotency_key = 'deleted-1'").get()).toBeNull();

  const reason = cannot("it was deleted.");
  expect(await whyNot(client.responses.retrieve(id))).toEqual(reason);
  expect(await whyNot(client.responses.delete(id))).toEqual(reason);
  const input = says("Two.");
  expect(await refusalOf(client.responses.create({ model, input, previous_response_id: id }))).toMatchObject({ status: 400 });
  const named = [{ type: "item_reference" as const, id: output[0]!.id! }];
  expect(await refusalOf(client.responses.create({ model, input: named }))).toMatchObject({ status: 400, param: "input.0.id" });
});

test("a deletion that was interrupted can be repeated", async () => {
  const { db } = gateway.platform;
  const { id } = await client.responses.create({ model, input: says("Twice.") }, { headers: { "Idempotency-Key": "twice" } });
  const stored = () => db.get("SELECT 1 FROM idempotency_keys WHERE idempotency_key = 'twice'") !== undefined;
  await db.write((sql) =>
    sql.run("CREATE TRIGGER kept BEFORE DELETE ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'interrupted'); END"),
  );
  expect((await refusalOf(client.responses.delete(id))).status).toBe(500);
  await db.write((sql) => sql.run("DROP TRIGGER kept"));
  expect(stored()).toBe(true);
  expect(await client.responses.delete(id)).toMatchObject({ id, deleted: true } as never);
  expect(stored()).toBe(false);
});

test("what is deleted of a response from before prompt and answer were stored with the details, is deleted too", async () => {
  const input = says("Older.");
  const { id } = await client.responses.create({ model, input });
  const { prompt, output, ...details } = unpack<Record<string, unknown>>(packedOf(id));
  const { db } = gateway.platform;
  await db.write((sql) => {
    const seq = sql.get<{ seq: number }>("SELECT seq FROM calls WHERE id = ?", callIdOf(id))!.seq;
    const { messages } = prompt as { messages: unknown };
    sql.insert("call_bodies", { call_seq: seq, prompt: pack({ text: input, messages }), output: pack(output) });
    sql.run("UPDATE call_details SET data = ? WHERE call_seq = ?", pack(details), seq);
  });
  expect((await client.responses.retrieve(id)).output_text).toBe("Older.");
  await client.responses.delete(id);
  const { prompt: asked, output: said } = await gateway.read(key, `/v1/logs/${id}`);
  expect([asked.text, said.text, db.get("SELECT 1 FROM call_bodies") ?? null]).toEqual([null, null, null]);
});

test("what a provider said of a failed attempt goes with the words of the call, because it may quote them", async () => {
  const failed = { success: false, failure: "bad_request", failureMessage: "Invalid word: Zanzibar" };
  const [call] = await record(gateway, key, {
    ...{ id: `call_${"e".repeat(32)}`, route: "/v1/responses", messages: [{ role: "user", content: "Zanzibar" }] },
    attempts: [knownAttempt(failed), knownAttempt({ number: 2, purpose: "fallback" })],
  });
  const attempts = async () => (await gateway.read(key, `/v1/logs/${call!.id}`)).execution.attempts;
  const [before, second] = await attempts();
  expect(before.failure_message).toBe("Invalid word: Zanzibar");
  await client.responses.delete(call!.id.replace("call_", "resp_"));
  expect(await attempts()).toEqual([{ ...before, failure_message: null }, second]);
});

test("where prompts are redacted or not stored, the descriptions of tools are not in the file either", async () => {
  const tools = [{ type: "function" as const, name: "look", description: "Zanzibar", parameters: null, strict: null }];
  const masked = await gateway.key({ project: "masking" });
  await gateway.policy(masked, "content", { redact_logs: true, pii_detection: { enabled: true, types: ["email"] } });
  for (const other of [masked, await gateway.key({ project: "storing nothing", settings: { storeBodies: false } })]) {
    const { id } = await clientOf(other).responses.create({ model, input: says("Yes."), tools });
    expect(JSON.stringify(unpack(packedOf(id)))).not.toContain("Zanzibar");
  }
});

test("the secrets of tools that run at OpenAI are neither told again nor stored", async () => {
  const credentials = { authorization: "Zanzibar", headers: { "x-api-key": "Zanzibar" } };
  const maps = { type: "mcp", server_label: "maps", server_url: "https://maps.example", require_approval: "never" };
  const hosts = { type: "allowlist", allowed_domains: ["maps.example"] };
  const inNetwork = (network_policy: object) => ({ type: "container_auto", network_policy });
  const known = { ...hosts, domain_secrets: [{ domain: "maps.example", name: "KEY", value: "Zanzibar" }] };
  const own = { type: "function", name: "ask", strict: false, parameters: { type: "object", properties: { headers: {} } } };
  const search = { type: "tool_search", execution: "client", parameters: own.parameters };
  const group = { type: "namespace", name: "maps", description: "Asks maps.", tools: [{ ...own, name: "find" }] };
  const toldTools = [
    ...[maps, own, search, group, { type: "shell", environment: inNetwork(hosts) }],
    { type: "code_interpreter", container: inNetwork(hosts) },
  ];
  const tools = [
    ...[{ ...maps, ...credentials }, own, search, group, { type: "shell", environment: inNetwork(known) }],
    { type: "code_interpreter", container: inNetwork(known) },
  ] as never;
  const given = await client.responses.create({ model, input: says("Yes."), tools });
  expect([given.tools, (await client.responses.retrieve(given.id)).tools]).toEqual([toldTools, toldTools] as never);
  const told = await gateway.send(key, "POST", "/v1/responses", { input: says("Yes."), tools, stream: true });
  expect(await told.text()).not.toContain("Zanzibar");
  expect(JSON.stringify(unpack(packedOf(given.id)))).not.toContain("Zanzibar");
});

test("a deleted answer is not given again by the response cache", async () => {
  const cached = await gateway.key({ project: "cached", settings: { cache: { ttlS: 3_600 } } });
  const ask = async () => {
    const response = await gateway.send(cached, "POST", "/v1/responses", { input: says("Once.") });
    return {
      hit: response.headers.get("x-svc-cache"),
      ...((await response.json()) as OpenAI.Responses.Response & { usage: object }),
    };
  };
  const first = await ask();
  const again = await ask();
  expect([first.hit, again.hit]).toEqual(["miss", "hit"]);
  const { id, usage } = again;
  expect(usage.output_tokens).toBeGreaterThan(0);
  expect(await clientOf(cached).responses.retrieve(id)).toMatchObject({ id, output_text: "Once.", usage } as never);
  expect(await clientOf(cached).responses.delete(first.id)).toBeDefined();
  expect((await ask()).hit).toBe("miss");
});

test("a 404 says why the log has it not: failed, redacted, never stored", async () => {
  const failed = await gateway.send(key, "POST", "/v1/responses", { input: "[[sandbox:error-500:always]]" });
  const { request_id: failedId } = ((await failed.json()) as any).error;
  expect(await whyNot(client.responses.retrieve(failedId))).toEqual(cannot("its call failed."));

  const masked = await gateway.key({ project: "masked" });
  await gateway.policy(masked, "content", { redact_logs: true, pii_detection: { enabled: true, types: ["email"] } });
  const redacted = await clientOf(masked).responses.create({ model, input: says("Yes.") });
  expect(isStored(redacted)).toBe(false);
  const why = cannot("a content policy redacts what is stored.");
  expect(await whyNot(clientOf(masked).responses.retrieve(redacted.id))).toEqual(why);

  const silent = await gateway.key({ project: "silent", settings: { storeBodies: false } });
  const unstored = await clientOf(silent).responses.create({ model, input: says("Yes.") });
  expect(isStored(unstored)).toBe(false);
  const whyUnstored = cannot("this project stores no prompts and answers.");
  expect(await whyNot(clientOf(silent).responses.retrieve(unstored.id))).toEqual(whyUnstored);
});

test("others do not find it: another project, the other mode, another API, a key without the scope", async () => {
  const { id } = await client.responses.create({ model, input: says("Mine.") });
  const [strange, live] = [await gateway.key({ project: "strangers" }), await gateway.key({ mode: "live" })];
  for (const other of [strange, live])
    for (const call of [clientOf(other).responses.retrieve(id), clientOf(other).responses.delete(id)])
      expect(await whyNot(call)).toEqual(NOT_FOUND);
  expect(await whyNot(clientOf(live).responses.inputItems.list(id))).toEqual(NOT_FOUND);
  await deleteTexts(gateway.platform, byCommand(gateway.clock.now()), strange.project.id, callIdOf(id));
  expect((await client.responses.retrieve(id)).output_text).toBe("Mine.");
  for (const unknown of ["resp_1", `resp_${"a".repeat(32)}`])
    expect(await whyNot(client.responses.retrieve(unknown))).toEqual(NOT_FOUND);
  const { id: chat } = await client.chat.completions.create({
    model,
    store: true,
    messages: [{ role: "user", content: says("Chat.") }],
  });
  expect(await whyNot(client.responses.retrieve(chat))).toEqual(NOT_FOUND);
  const narrow = await gateway.key({ scopes: ["logs", "media"] });
  expect((await refusalOf(clientOf(narrow).responses.retrieve(id))).status).toBe(403);
  const asking = await gateway.key({ scopes: ["chat"] });
  expect((await refusalOf(clientOf(asking).responses.delete(id))).status).toBe(403);
  expect((await refusalOf(clientOf(asking).chat.completions.delete(chat))).status).toBe(403);
  expect((await clientOf(asking).responses.retrieve(id)).id).toBe(id);
});

test("reading and deleting count as requests of the log", async () => {
  const free = await gateway.key({ project: "free", tier: "free" });
  const { id } = await clientOf(free).responses.create({ model, input: says("Counted.") });
  const response = await gateway.send(free, "GET", `/v1/responses/${id}`);
  expect(response.headers.get("x-ratelimit-limit")).toBe("30");
  expect(response.headers.get("x-ratelimit-remaining")).toBe("29");
});

test("pictures in an answer are told without their bytes, and a summary stays the item that it was", async () => {
  const [drawn] = await record(gateway, key, {
    ...{ id: `call_${"d".repeat(32)}`, route: "/v1/responses", outputText: "A signal.", pictures: [3] },
    messages: [{ role: "user", content: "Draw." }],
  });
  const { output } = await client.responses.retrieve(drawn!.id.replace("call_", "resp_"));
  expect(output).toMatchObject([
    { type: "message", content: [{ text: "A signal." }] },
    { type: "image_generation_call", result: "" },
  ]);
  const compacted = await client.responses.compact({ model, input: [{ role: "user", content: says("The gist.") }] } as never);
  expect((await client.responses.retrieve(compacted.id)).output).toEqual(compacted.output as never);
});
