/** A replay is given to whoever could have asked, says what is true now, and never crosses from the sandbox to the world. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Caller } from "../../src/accounts/authenticate.ts";
import { createBodyRoom } from "../../src/http/body-room.ts";
import { keepAnswer } from "../../src/http/idempotency/keep-answer.ts";
import { replayAnswer } from "../../src/http/idempotency/replay-answer.ts";
import { deleteSomeOldAnswers } from "../../src/http/idempotency/store.ts";
import { DAY_MS } from "../../src/lib/clock.ts";
import { startGateway, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { heldAnswer, heldStreams, json, upstreamStubOfFile } from "../support/upstream-stub.ts";
import { completion } from "../support/vendor-answers.ts";

const FROM_PROVIDER = completion("From the provider.");

const project = "replays";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1` } });
beforeAll(async () => {
  upstream.answer(FROM_PROVIDER);
});

const body = { messages: [{ role: "user", content: "Hello." }] };
const ask = (key: TestKey, idempotencyKey?: string, path = "/v1/chat", asked: object = body) =>
  gateway.send(key, "POST", path, asked, idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey });
const isReplay = (response: Response) => response.headers.get("x-svc-idempotent-replay") === "true";

/** Sends the head of a request whose body is announced and never sent; returns the answer. */
const announce = async (path: string, key: string, headers: Record<string, string>): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(gateway.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_, bytes) => resolve(bytes.toString()) },
  });
  const all = { host: "gateway", authorization: `Bearer ${key}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  sockets.push(socket);
  return promise;
};
const sockets: { end(): void }[] = [];
afterAll(() => {
  for (const socket of sockets) socket.end();
});

test("a key without the scope gets no stored answer, however the path is spelt", async () => {
  const owner = await gateway.key({ project, tier: "free" });
  const other = await gateway.key({ project, tier: "free", scopes: ["metrics"] });
  for (const path of ["/v1/chat", "/v1/chat/", "//v1/chat"]) {
    expect((await ask(owner, "scope", path)).status).toBe(200);
    expect(isReplay(await ask(owner, "scope", path))).toBe(true);
    const refused = await ask(other, "scope", path);
    expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([403, "permission_denied"]);
  }
});

test("a key for other models gets no stored answer; one for the same models does", async () => {
  const keyFor = (...models: string[]) => gateway.key({ project, mode: "live", terms: { models } });
  const pinned = { ...body, model: "gpt-4o" };
  const first = await ask(await keyFor("gpt-4o", "gpt-4o-mini"), "models", "/v1/chat", pinned);
  expect([first.status, isReplay(first)]).toEqual([200, false]);
  expect(isReplay(await ask(await keyFor("gpt-4o-mini", "gpt-4o"), "models", "/v1/chat", pinned))).toBe(true);
  const denied = await ask(await keyFor("gpt-4o-mini"), "models", "/v1/chat", pinned);
  expect([denied.status, isReplay(denied)]).toEqual([403, false]);
});

test("a compressed body is the same as its text, and its first request reads it unpacked", async () => {
  const key = await gateway.key({ project });
  const headers = {
    authorization: `Bearer ${key.text}`,
    "content-type": "application/json",
    "content-encoding": "zstd",
    "idempotency-key": "packed",
  };
  const packed = new Uint8Array(Bun.zstdCompressSync(JSON.stringify(body)));
  const first = await fetch(`${gateway.url}/v1/chat`, { method: "POST", headers, body: packed });
  expect([first.status, isReplay(first)]).toEqual([200, false]);
  expect(isReplay(await ask(key, "packed"))).toBe(true);
});

test("the limits are shown as they stand, and a replay does not count", async () => {
  const key = await gateway.key({ project: "limited", tier: "free" });
  const remaining = async (answer: Promise<Response>) => Number((await answer).headers.get("x-ratelimit-remaining"));
  expect(await remaining(ask(key, "limits"))).toBe(59);
  expect(await remaining(ask(key))).toBe(58);
  expect(await remaining(ask(key, "limits"))).toBe(58);
});

test("whatever is refused for its key shows the limits too; what the door refuses is refused as there", async () => {
  const key = await gateway.key({ project: "shown", tier: "free", mode: "live" });
  const remaining = ({ status, headers }: Response) => [status, headers.get("x-ratelimit-remaining")];
  const held = heldAnswer(FROM_PROVIDER);
  upstream.answer(held.answer);
  const first = ask(key, "shown");
  await held.asked;
  expect(remaining(await ask(key, "shown"))).toEqual([409, "59"]);
  held.letGo();
  expect(remaining(await first)).toEqual([200, "59"]);
  upstream.answer(FROM_PROVIDER);
  expect(remaining(await ask(key, "shown", "/v1/chat", { ...body, user: "another" }))).toEqual([422, "59"]);
  expect(remaining(await ask(key, "x".repeat(256)))).toEqual([400, "59"]);
  const unscoped = await gateway.key({ project: "shown", tier: "free", mode: "live", scopes: ["logs"] });
  expect(remaining(await ask(unscoped, "shown"))).toEqual([403, "59"]);
  expect(remaining(await ask(unscoped))).toEqual([403, "59"]);
});

test("what the sandbox answered is no answer to a live key", async () => {
  const sandbox = await gateway.key({ project });
  const live = await gateway.key({ project, mode: "live" });
  expect((await ask(sandbox, "modes")).status).toBe(200);
  const answer = await ask(live, "modes");
  expect(isReplay(answer)).toBe(false);
  expect(((await answer.json()) as any).choices[0].message.content).toBe("From the provider.");
  expect(isReplay(await ask(live, "modes"))).toBe(true);
});

test("a replay carries the id of the call that was answered, as its body does, under every name", async () => {
  const key = await gateway.key({ project });
  const messages = { model: "auto", max_tokens: 50, ...body };
  const first = await ask(key, "ids", "/v1/messages", messages);
  const { svc } = (await first.json()) as any;
  const { headers } = await ask(key, "ids", "/v1/messages", messages);
  for (const name of ["x-svc-request-id", "x-request-id", "request-id"])
    expect([name, headers.get(name)]).toEqual([name, svc.request_id]);
});

test("an answer that a content policy kept back was paid for: it is not made again", async () => {
  const key = await gateway.key({ project: "withheld", mode: "live" });
  const blocking = (term: string) => ({ blocked_terms: { enabled: true, terms: [term], action: "block" } });
  await gateway.policy(key, "content", blocking("provider"));
  for (const [path, asked] of [
    ["/v1/chat", body],
    ["/v1/chat/stream", body],
    ["/v1/messages", { model: "auto", max_tokens: 50, ...body }],
  ] as const) {
    const idempotencyKey = `withheld ${path}`;
    const first = await ask(key, idempotencyKey, path, asked);
    const paid = upstream.seen.length;
    expect(first.status).toBe(403);
    const again = await ask(key, idempotencyKey, path, asked);
    expect([again.status, isReplay(again), upstream.seen.length]).toEqual([403, true, paid]);
    expect(await again.json()).toMatchObject({ content_evaluation: { phase: "post_response" } });
  }

  // What was refused before a model was asked is not kept: the policy may be changed.
  await gateway.policy(key, "content", { evaluate_input: true, ...blocking("forbidden") });
  const asked = { messages: [{ role: "user", content: "A forbidden word." }] };
  expect((await ask(key, "refused", "/v1/chat", asked)).status).toBe(403);
  expect(isReplay(await ask(key, "refused", "/v1/chat", asked))).toBe(false);
});

test("a stream that a content policy ended is replayed to its error; one that broke off is asked for anew", async () => {
  const key = await gateway.key({ project: "ended" });
  await gateway.policy(key, "content", { blocked_terms: { enabled: true, terms: ["provider"], action: "block" } });
  const asked = (reply: string) => ({ messages: [{ role: "user", content: `[[sandbox:reply=${reply}]]` }] });
  const words = "Many words come before the one that ends it all, so that they have left. ".repeat(20);
  const first = await (await ask(key, "ended", "/v1/chat/stream", asked(`${words} provider`))).text();
  expect(first).toContain('"code":"CONTENT_BLOCKED"');
  const again = await ask(key, "ended", "/v1/chat/stream", asked(`${words} provider`));
  expect(isReplay(again)).toBe(true);
  expect(await again.text()).toBe(first);

  const broken = { messages: [{ role: "user", content: "Tell me about trains. [[sandbox:disconnect:always]]" }] };
  await (await ask(key, "broken", "/v1/chat/stream", broken)).text();
  expect(isReplay(await ask(key, "broken", "/v1/chat/stream", broken))).toBe(false);
});

test("a stream that ended because no answer fitted its schema was paid for: it is replayed to its error, however long that is", async () => {
  const { outcomes, pass } = outcomesOf();
  const errors = Array.from({ length: 200 }, (_, i) => ({ path: `/rows/${i}`, message: "must have the property name" }));
  const unfit = { type: "schema_validation_failed", message: "No model gave an answer that fits the schema.", errors };
  const failed = { type: "service_unavailable", message: `It broke off. ${"Really. ".repeat(1_000)}` };
  const quoted = { choices: [{ delta: { content: 'data: {"error":{"type":"service_unavailable"}}' } }] };
  for (const last of [{ error: unfit }, { error: failed }, quoted])
    await (await pass(new Response(`: keep-alive\n\ndata: {"choices":[]}\n\ndata: ${JSON.stringify(last)}\n\n`, STREAM))).text();
  expect(outcomes).toEqual(["kept", "freed", "kept"]);
});

test("a stored answer is kept for a day", async () => {
  const key = await gateway.key({ project: "kept" });
  await (await ask(key, "day")).json();
  gateway.clock.advance(86_000_000);
  expect(isReplay(await ask(key, "day"))).toBe(true);
  gateway.clock.advance(500_000);
  expect(isReplay(await ask(key, "day"))).toBe(false);
});

test("what a limit refused is answered under the same key once there is room", async () => {
  const key = await gateway.key({ project: "hasty", tier: "free" });
  gateway.clock.stop();
  await Promise.all(Array.from({ length: 60 }, async () => (await ask(key)).json()));
  const refused = await ask(key, "hasty");
  expect([refused.status, ((await refused.json()) as any).error.type]).toEqual([429, "rate_limit_exceeded"]);
  gateway.clock.advance(60_001);
  const answered = await ask(key, "hasty");
  expect([answered.status, isReplay(answered)]).toEqual([200, false]);
});

test("a request that ran for longer than any may is not in the way, and its late answer replaces no other", async () => {
  const key = await gateway.key({ project: "late", mode: "live" });
  const textOf = async (answer: Response) => ((await answer.json()) as any).choices[0].message.content;
  const { answer, asked, letGo } = heldAnswer(completion("The late one."));
  upstream.answer(answer, completion("The one in time."));
  const late = ask(key, "late");
  await asked;
  gateway.clock.advance(14 * 60_000);
  expect((await ask(key, "late")).status).toBe(409);
  gateway.clock.advance(2 * 60_000);
  expect(await textOf(await ask(key, "late"))).toBe("The one in time.");
  letGo();
  expect(await textOf(await late)).toBe("The late one.");
  const again = await ask(key, "late");
  expect([isReplay(again), await textOf(again)]).toEqual([true, "The one in time."]);
});

test("a late refusal frees no key that is another's by then", async () => {
  const key = await gateway.key({ project: "late refusal", mode: "live" });
  const { answer, asked, letGo } = heldAnswer(json({ error: { message: "malformed" } }, 400));
  upstream.answer(answer, FROM_PROVIDER);
  const late = ask(key, "late refusal");
  await asked;
  gateway.clock.advance(16 * 60_000);
  await (await ask(key, "late refusal")).json();
  letGo();
  expect((await late).status).toBe(400);
  expect(isReplay(await ask(key, "late refusal"))).toBe(true);
});

test("a call under a key is logged with its caller's address, under the id that its headers carry", async () => {
  const key = await gateway.key({ project: "addressed" });
  const answer = await ask(key, "addressed");
  const log = (await (await gateway.send(key, "GET", `/v1/logs/${answer.headers.get("x-svc-request-id")}`)).json()) as any;
  expect(log.metadata.request_ip).toBe("127.0.0.1");
});

test("the same form sent anew has another boundary, and is the same request", async () => {
  const key = await gateway.key({ project: "forms" });
  const upload = (content: string) => {
    const form = new FormData();
    form.set("file", new File([content], "note.txt"));
    return gateway.send(key, "POST", "/v1/documents", form, { "idempotency-key": "form" });
  };
  const first = await upload("One note.");
  const again = await upload("One note.");
  expect([first.ok, isReplay(again), await again.text()]).toEqual([true, true, await first.text()]);
  expect((await upload("Another note.")).status).toBe(422);
});

test("only a form has a boundary: in another body its letters count", async () => {
  const key = await gateway.key({ project: "no forms" });
  const asking = (question: string) =>
    gateway.send(key, "POST", "/v1/chat", JSON.stringify({ messages: [{ role: "user", content: question }] }), {
      "idempotency-key": "no form",
      "content-type": "application/json; boundary=Q",
    });
  expect((await asking("Question")).status).toBe(200);
  expect((await asking("boundaryuestion")).status).toBe(422);
});

test("a call that may last for hours keeps its key for as long", async () => {
  await using patient = await startGateway({
    environment: {
      OPENAI_API_KEY: "sk-upstream",
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      SIGNALBOX_TIMEOUT_TOTAL_MS: "7200000",
      SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "7200000",
    },
  });
  const key = await patient.key({ mode: "live" });
  const send = () => patient.send(key, "POST", "/v1/chat", { ...body, model: "gpt-4o" }, { "idempotency-key": "hours" });
  const { answer, asked, letGo } = heldAnswer(FROM_PROVIDER);
  upstream.answer(answer);
  const first = send();
  await asked;
  patient.clock.advance(100 * 60_000);
  const second = await send();
  expect([second.status, ((await second.json()) as any).error.type]).toEqual([409, "idempotency_in_progress"]);
  letGo();
  expect((await first).status).toBe(200);
  expect(isReplay(await send())).toBe(true);
  upstream.answer(FROM_PROVIDER);
});

test("where the disk fails, what was answered stands, and the key is free for the next try", async () => {
  const key = await gateway.key({ project: "disk", mode: "live" });
  const { db } = gateway.platform;
  const { write, commit } = db;
  const full = () => Promise.reject(Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }));
  const failing = (what: Partial<typeof db>) =>
    upstream.answer(async (request) => {
      Object.assign(db, what);
      return FROM_PROVIDER(request);
    }, FROM_PROVIDER);
  const answerOf = async (name: string) => {
    const answer = await ask(key, name);
    const { error, choices } = (await answer.json()) as any;
    Object.assign(db, { write, commit });
    return [answer.status, isReplay(answer), error?.type ?? choices[0].message.content];
  };
  const answered = [200, false, "From the provider."];

  failing({ write: full });
  expect(await answerOf("not kept")).toEqual(answered);
  expect(await answerOf("not kept")).toEqual(answered);
  failing({ write: full, commit: full });
  expect(await answerOf("not logged")).toEqual([503, false, "service_unavailable"]);
  expect(await answerOf("not logged")).toEqual(answered);
  Object.assign(db, { write: full });
  expect(await answerOf("not begun")).toEqual([503, false, "service_unavailable"]);
  expect(await answerOf("not begun")).toEqual(answered);
});

test("a stream that its caller did not wait for is made anew", async () => {
  const key = await gateway.key({ project: "impatient", mode: "live" });
  const frame = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const { answer, letGo } = heldStreams(frame({ content: "Once" }, null), `${frame({}, "stop")}data: [DONE]\n\n`);
  upstream.answer(answer);
  const leaving = new AbortController();
  const streamed = (signal: AbortSignal) =>
    fetch(`${gateway.url}/v1/chat/stream`, {
      method: "POST",
      signal,
      headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json", "idempotency-key": "left" },
      body: JSON.stringify(body),
    });
  await (await streamed(leaving.signal)).body!.getReader().read();
  leaving.abort();
  let again: Response;
  do again = await streamed(new AbortController().signal);
  while (again.status === 409);
  letGo();
  expect([again.status, isReplay(again)]).toEqual([200, false]);
  expect(await again.text()).toEndWith("data: [DONE]\n\n");
  upstream.answer(FROM_PROVIDER);
});

/** What becomes of answers: kept for their key, or the key freed. */
const outcomesOf = () => {
  const outcomes: string[] = [];
  const note = (outcome: string) => async () => void outcomes.push(outcome);
  return { outcomes, pass: (answer: Response) => keepAnswer(answer, note("kept"), note("freed")) };
};
const STREAM = { headers: { "content-type": "text/event-stream; charset=utf-8" } };

test("a whole answer is kept for a caller who has left, so that nothing is made twice; a stream is not", async () => {
  const { outcomes, pass } = outcomesOf();
  await (await pass(Response.json({ id: "vid_1" }, { status: 202 }))).body!.cancel();
  expect((await pass(new Response(null, { status: 204 }))).body).toBeNull();
  await (await pass(new Response("data: a\n\n", STREAM))).body!.cancel();
  await pass(Response.json({ error: { message: "The caller hung up." } }, { status: 499 }));
  expect(outcomes).toEqual(["kept", "kept", "freed", "freed"]);
});

test("an answer whose source cannot be cancelled frees its key", async () => {
  const { outcomes, pass } = outcomesOf();
  const source = new ReadableStream({ cancel: () => Promise.reject(new Error("the source is broken")) });
  const answer = await pass(new Response(source, STREAM));
  await answer.body!.cancel().catch(() => {});
  expect(outcomes).toEqual(["freed"]);
});

test.each([[{}], [STREAM]])("an answer too large to be kept frees its key: %o", async (form) => {
  const { outcomes, pass } = outcomesOf();
  for (const bytes of [32 * 1024 * 1024, 32 * 1024 * 1024 + 1]) {
    const answer = await pass(new Response(new Uint8Array(bytes), form));
    expect((await answer.bytes()).length).toBe(bytes);
  }
  expect(outcomes).toEqual(["kept", "freed"]);
});

test("large answers are replayed whole; no more of them than a bound is held for readers that do not read", async () => {
  const key = await gateway.key({ project: "large", mode: "live" });
  const content = "Many trains were late. ".repeat(50_000);
  upstream.answer(completion(content));
  const textOf = async (answer: Response) => ((await answer.json()) as any).choices[0].message.content;
  expect(await textOf(await ask(key, "large"))).toBe(content);
  const replayed = await ask(key, "large");
  expect([isReplay(replayed), await textOf(replayed)]).toEqual([true, content]);
  upstream.answer(FROM_PROVIDER);

  const replaysThatWait = (mostWaitMs: number) => {
    const bodyRoom = createBodyRoom(() => {}, { mostBytes: 5 * content.length, mostWaitMs });
    return () =>
      replayAnswer(
        { ...gateway.platform, bodyRoom },
        {
          request: new Request("http://localhost/v1/chat", { method: "POST" }),
          caller: { project: key.project, mode: "live" } as Caller,
          place: { projectId: key.project.id, route: "POST /v1/chat", key: "large" },
          answer: { status: 200, headers: [], bodyBytes: content.length },
          fresh: {},
        },
      );
  };
  const replay = replaysThatWait(1);
  const [first, second, third] = [await replay(), await replay(), await replay()];
  await expect(replay()).rejects.toThrow("no room");
  await first.body!.cancel();
  const fourth = await replay();
  await expect(replay()).rejects.toThrow("no room");
  for (const answer of [second, third, fourth]) expect(await textOf(answer)).toBe(content);

  const patient = replaysThatWait(60_000);
  const held = [await patient(), await patient(), await patient()];
  const waiting = patient();
  while (await deleteSomeOldAnswers(gateway.platform.db, gateway.clock.now() + 2 * DAY_MS));
  for (const answer of held) await answer.body!.cancel();
  await expect(waiting).rejects.toThrow("just expired");
});

test("a replay gives back the room of its request before it waits for its own", async () => {
  const key = await gateway.key({ project: "room" });
  gateway.platform.bodyRoom = createBodyRoom(() => {}, { mostBytes: 100 * 1024, mostWaitMs: 1 });
  const text = "many trains were late. ".repeat(4_000).trim();
  const echo = { messages: [{ role: "user", content: `[[sandbox:reply=${text}]]` }] };
  expect((await ask(key, "echo", "/v1/chat", echo)).status).toBe(200);
  const replayed = await ask(key, "echo", "/v1/chat", echo);
  expect([isReplay(replayed), ((await replayed.json()) as any).choices[0].message.content]).toEqual([true, text]);
});

test("what the door would refuse is refused before its body is read", async () => {
  const poor = await gateway.key({ project: "poor", tier: "free", scopes: ["chat", "documents"] });
  const statusOf = async (path: string, key: string, name = "unread"): Promise<string> => {
    const headers = { "idempotency-key": name, "content-type": "application/json", "content-length": "900000" };
    return (await announce(path, key, headers)).split(" ")[1]!;
  };
  expect(await statusOf("/v1/schemas", poor.text)).toBe("403");
  expect(await statusOf("/v1/documents/query", poor.text)).toBe("403");
  expect(await statusOf("/v1/nowhere", poor.text)).toBe("404");
  for (let call = 0; call < 60; call++) await ask(poor);
  expect(await statusOf("/v1/chat", poor.text)).toBe("429");

  const patient = await gateway.key({ project: "patient", tier: "free" });
  // All but the last are waited for: only the one beyond the limit is answered.
  const bodies = Array.from({ length: 61 }, (_, index) => statusOf("/v1/chat", patient.text, `unread ${index}`));
  expect(await Promise.race(bodies)).toBe("429");
});

test("a body larger than its route takes is refused unread, with the error of the route", async () => {
  const key = await gateway.key({ project: "oversize" });
  const headers = {
    "idempotency-key": "oversize",
    "content-type": "multipart/form-data; boundary=x",
    "content-length": "99000000",
  };
  for (const [path, param] of [
    ["/v1/documents", "file"],
    ["/v1/audio/transcriptions", "file"],
    ["/v1/audio/translations", "file"],
    ["/v1/images/edits", "image"],
  ] as const) {
    const answer = await announce(path, key.text, headers);
    expect(answer).toStartWith("HTTP/1.1 400");
    expect(answer).toContain(`"param":"${param}"`);
  }
  for (const [path, bytes] of [
    ["/v1/chat", 99_000_000],
    ["/v1/messages", 21_000_000],
    ["/v1/images/generations", 1_100_000],
  ] as const) {
    const json = { ...headers, "content-type": "application/json", "content-length": String(bytes) };
    expect(await announce(path, key.text, json)).toStartWith("HTTP/1.1 413");
  }
});
