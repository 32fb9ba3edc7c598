import { expect, test } from "bun:test";
import { DEFAULTS, type Timeouts } from "../../../src/config/defaults.ts";
import type { ChatEvent } from "../../../src/providers/provider.ts";
import { UpstreamError } from "../../../src/providers/upstream-error.ts";
import { askFor, collect, contextWith, eachEvent, listsOf, providerFor } from "../../support/chat-provider.ts";
import {
  json,
  neverAnswers,
  sse,
  sseBody,
  startBreakingServer,
  startUpstreamStub,
  stream,
  text,
  upstreamStubOfFile,
} from "../../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const chunk = (content: string): string => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });
const answer = {
  choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};

const failureOf = async (work: Promise<unknown>): Promise<UpstreamError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
};
const chat = (timeouts: Partial<Timeouts> = {}) =>
  providerFor("openai", stub.url, { timeouts: { ...DEFAULTS.timeouts, ...timeouts } }).chat!("m", askFor("hi"), contextWith());
const streamed = (timeouts: Partial<Timeouts> = {}) =>
  collect(
    listsOf((take) =>
      providerFor("openai", stub.url, { timeouts: { ...DEFAULTS.timeouts, ...timeouts } }).streamChat!(
        "m",
        askFor("hi"),
        contextWith(),
        take,
      ),
    ),
  );

test("a redirect is refused, and the key is never shown to where it points", async () => {
  const other = startUpstreamStub();
  other.answer(json(answer));
  for (const status of [301, 302, 303, 307, 308]) {
    // Whatever comes along with it.
    const body = JSON.stringify({ content: [{ type: "text", text: "hi" }], stop_reason: "end_turn", usage: {} });
    stub.answer(() => new Response(body, { status, headers: { location: `${other.url}/v1/messages` } }));
    const error = await failureOf(providerFor("anthropic", stub.url).chat!("m", askFor("hi"), contextWith()));
    expect(error.kind).toBe("server");
  }
  expect(stub.seen[0]!.headers.get("x-api-key")).toBe("key-one");
  expect(other.seen).toEqual([]);
  other.stop();
});

test("a web page with status 200 is a failure, not an answer", async () => {
  stub.answer(text("<html>login</html>", 200, "text/html; charset=utf-8"));
  expect((await failureOf(chat())).kind).toBe("server");
  expect((await failureOf(streamed())).kind).toBe("server");
});

test("an answer that is no JSON is a failure", async () => {
  stub.answer(text("{", 200, "application/json"));
  const { kind, details } = await failureOf(chat());
  expect([kind, details.accepted]).toEqual(["server", true]);
});

test("an answer nested beyond all reason is a failure, whole and in a stream", async () => {
  const message = `{"content":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
  stub.answer(text(`{"choices":[{"message":${message},"finish_reason":"stop"}]}`, 200, "application/json"));
  expect((await failureOf(chat())).kind).toBe("server");
  stub.answer(sse([`{"choices":[{"delta":${message},"finish_reason":"stop"}]}`, "[DONE]"]));
  expect((await failureOf(streamed())).kind).toBe("server");
});

test("messages carry neither key nor address nor the provider's own words; the operator's detail carries the words without the key", async () => {
  const said = `Incorrect API key provided: sk-abcdef123456. Visit ${stub.url}/keys`;
  stub.answer(json({ error: { message: said, type: "invalid_request_error", code: "invalid_api_key" } }, 401));
  const error = await failureOf(chat());
  expect(error.kind).toBe("auth");
  for (const secret of ["key-one", stub.url, "Incorrect", "sk-abcdef"]) expect(error.message).not.toContain(secret);
  expect(error.details.upstreamMessage).toContain("Incorrect API key provided: [key]");
  expect(error.details.upstreamMessage).not.toContain("127.0.0.1");
});

test("a key of any form that the provider repeats is kept out of the operator's detail", async () => {
  const key = "4f0c19d2ab77e6";
  stub.answer(json({ error: { message: `Unknown key ${key}.` } }, 401));
  const provider = providerFor("openai", stub.url, { keys: [{ id: "k", key, weight: 1 }] });
  const error = await failureOf(provider.chat!("m", askFor("hi"), contextWith()));
  expect(error.details.upstreamMessage).toBe("Unknown key [key].");
});

test("an unreachable provider is a network failure that says nothing of the address", async () => {
  const provider = providerFor("openai", "http://127.0.0.1:1/v1");
  const error = await failureOf(provider.chat!("m", askFor("hi"), contextWith()));
  expect(error.kind).toBe("network");
  expect(error.message).not.toContain("127.0.0.1");
});

test("a whole answer that does not come within the total is a time-out, and the upstream is let go", async () => {
  stub.answer(neverAnswers);
  expect((await failureOf(chat({ totalMs: 30 }))).kind).toBe("timeout");
  await stub.seen[0]!.gone;
});

test("headers that do not come within the first-byte time are a time-out, streamed or whole", async () => {
  stub.answer(neverAnswers);
  expect((await failureOf(streamed({ firstByteMs: 30 }))).kind).toBe("timeout");
  expect((await failureOf(chat({ firstByteMs: 30 }))).kind).toBe("timeout");
});

test("a model may have a time of its own until its first content", async () => {
  const provider = (generalMs: number, firstByteMs: number) =>
    providerFor("openai", stub.url, { timeouts: { ...DEFAULTS.timeouts, firstByteMs: generalMs } }, { firstByteMs });
  stub.answer(neverAnswers);
  expect(
    (await failureOf(collect(listsOf((take) => provider(60_000, 30).streamChat!("m", askFor("hi"), contextWith(), take))))).kind,
  ).toBe("timeout");
  expect((await failureOf(provider(60_000, 30).chat!("m", askFor("hi"), contextWith()))).kind).toBe("timeout");
  // Slower than what holds for the others.
  const held = Promise.withResolvers<Response>();
  stub.answer(() => held.promise);
  const patient = collect(listsOf((take) => provider(1, 60_000).streamChat!("m", askFor("hi"), contextWith(), take)));
  setTimeout(
    async () =>
      held.resolve(
        await sse([chunk("ok"), JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })])({} as never),
      ),
    30,
  );
  expect((await patient).text).toBe("ok");
});

test("a host that answers slowly outlives the connect time, one that takes no connections does not", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  stub.answer(() => promise);
  const slow = chat({ connectMs: 500 });
  setTimeout(() => resolve(Response.json(answer)), 700);
  expect((await slow).text).toBe("ok");

  // Takes the connection and never says who it is: the certificate belongs to connecting.
  const mute = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const provider = providerFor("openai", `https://127.0.0.1:${mute.port}`, { timeouts: { ...DEFAULTS.timeouts, connectMs: 30 } });
  const error = await failureOf(provider.chat!("m", askFor("hi"), contextWith()));
  expect([error.kind, error.details.upstreamMessage]).toEqual(["network", "ETIMEDOUT"]);
  mute.stop(true);
});

test("keep-alives do not put off the deadline of the first content", async () => {
  const encoder = new TextEncoder();
  stub.answer((request) => {
    let open = true;
    void request.gone.then(() => {
      open = false;
    });
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await Bun.sleep(5);
        if (open) controller.enqueue(encoder.encode(": keep-alive\n\n"));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  for (const ask of [streamed, chat]) {
    stub.seen.length = 0;
    expect((await failureOf(ask({ firstByteMs: 60, idleMs: 10_000 }))).kind).toBe("timeout");
    await stub.seen[0]!.gone;
  }
});

test("a whole answer that falls silent in its middle is a time-out", async () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n";
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.write(`${head}{"choices":`) },
  });
  const provider = providerFor("openai", `http://127.0.0.1:${server.port}`, { timeouts: { ...DEFAULTS.timeouts, idleMs: 30 } });
  expect((await failureOf(provider.chat!("m", askFor("hi"), contextWith()))).kind).toBe("timeout");
  server.stop(true);
});

test("silence after the first content is a time-out of its own", async () => {
  stub.answer(stream([sseBody([chunk("a")], { done: false })], "hang"));
  expect((await failureOf(streamed({ idleMs: 30 }))).kind).toBe("timeout");
  await stub.seen[0]!.gone;
});

test("what is left of the call bounds an attempt, however long one alone might take", async () => {
  stub.answer(neverAnswers);
  const provider = providerFor("openai", stub.url);
  expect((await failureOf(provider.chat!("m", askFor("hi"), { ...contextWith(), remainingMs: 30 }))).kind).toBe("timeout");
});

test("a consumer that takes its time is not the upstream's silence", async () => {
  const frames = [chunk("a"), JSON.stringify({ choices: [{ index: 0, delta: { content: "b" }, finish_reason: "stop" }] })];
  stub.answer(stream([sseBody([frames[0]!], { done: false }), sseBody([frames[1]!])]));
  const provider = providerFor("openai", stub.url, { timeouts: { ...DEFAULTS.timeouts, idleMs: 400 } });
  let text = "";
  for await (const event of eachEvent(listsOf((take) => provider.streamChat!("m", askFor("hi"), contextWith(), take)))) {
    // Longer than the idle time, which is what is put to the test.
    if (text === "") await Bun.sleep(600);
    if (event.type === "text") text += event.text;
  }
  expect(text).toBe("ab");
});

test("a caller that hangs up in mid-stream closes the upstream's socket at once", async () => {
  stub.answer(stream([sseBody([chunk("a")], { done: false })], "hang"));
  const caller = new AbortController();
  const events = listsOf((take) =>
    providerFor("openai", stub.url).streamChat!("m", askFor("hi"), contextWith(caller.signal), take),
  );
  expect((await events.next()).value as ChatEvent[]).toEqual([{ type: "text", text: "a" }]);
  const next = events.next();
  caller.abort(new Error("hung up"));
  await expect(next).rejects.toThrow("hung up");
  await stub.seen[0]!.gone;
});

test("a consumer that stops reading closes the upstream's socket", async () => {
  stub.answer(stream([sseBody([chunk("a"), chunk("b")], { done: false })], "hang"));
  for await (const event of eachEvent(
    listsOf((take) => providerFor("openai", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)),
  )) {
    expect(event.type).toBe("text");
    break;
  }
  await stub.seen[0]!.gone;
});

test.each<[string, () => Promise<boolean>]>([
  [
    "throws",
    () => {
      throw new TypeError("reader's own");
    },
  ],
  ["fails later", () => Promise.reject(new TypeError("reader's own"))],
])("a consumer that %s has its own error back, not one of the upstream's, and the upstream is let go", async (_, take) => {
  stub.answer(stream([sseBody([chunk("a")], { done: false })], "hang"));
  const over = providerFor("openai", stub.url).streamChat!("m", askFor("hi"), contextWith(), take);
  await expect(over).rejects.toThrow("reader's own");
  await stub.seen[0]!.gone;
});

test("a consumer that has enough of a slow answer is asked no more", async () => {
  stub.answer(stream([sseBody([chunk("a"), chunk("b")], { done: false })], "hang"));
  let asked = 0;
  await providerFor("openai", stub.url).streamChat!("m", askFor("hi"), contextWith(), async () => {
    asked += 1;
    return false;
  });
  expect(asked).toBe(1);
  await stub.seen[0]!.gone;
});

test("a caller that hangs up before the answer aborts the upstream, and hears its own reason", async () => {
  const caller = new AbortController();
  stub.answer(() => {
    caller.abort(new Error("hung up"));
    return new Promise<Response>(() => {});
  });
  await expect(providerFor("openai", stub.url).chat!("m", askFor("hi"), contextWith(caller.signal))).rejects.toThrow("hung up");
  await stub.seen[0]!.gone;
});

test("the call's own deadline, when it aborts, is a time-out", async () => {
  stub.answer(neverAnswers);
  expect(
    (await failureOf(providerFor("openai", stub.url).chat!("m", askFor("hi"), contextWith(AbortSignal.timeout(20))))).kind,
  ).toBe("timeout");
});

const usageFrame = JSON.stringify({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } });

test("a stream that ends without its end is truncated, was accepted, and keeps the usage it reported", async () => {
  stub.answer(stream([sseBody([chunk("a"), usageFrame], { done: false })]));
  const { kind, details } = await failureOf(streamed());
  expect([kind, details.accepted, details.usage?.input, details.usage?.output]).toEqual(["truncated", true, 5, 2]);
});

test("a connection that breaks in mid-stream is the same failure", async () => {
  const body = sseBody([chunk("a"), usageFrame], { done: false });
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  const server = startBreakingServer(`${head}${body.length.toString(16)}\r\n${body}\r\n`);
  const events = eachEvent(
    listsOf((take) => providerFor("openai", server.url).streamChat!("m", askFor("hi"), contextWith(), take)),
  );
  const rest = async () => {
    // Broken only once what came before has been read: a reset may overtake what still lies in the socket.
    for await (const event of events) if (event.type === "usage") server.break();
  };
  const { kind, details } = await failureOf(rest());
  expect([kind, details.accepted, details.usage?.input, details.usage?.output]).toEqual(["truncated", true, 5, 2]);
  server.stop();
});

test("a frame that breaks off in the middle is a cut stream", async () => {
  stub.answer(stream([sseBody([chunk("a")], { done: false }), 'data: {"choices":[{"del']));
  expect((await failureOf(streamed())).kind).toBe("truncated");
});

test("an error frame without its closing blank line still says what it is", async () => {
  stub.answer(stream([sseBody([chunk("a")], { done: false }), 'data: {"error":{"code":503,"message":"busy"}}']));
  expect((await failureOf(streamed())).kind).toBe("overloaded");
});

test("an upstream that gives its finish reason and then neither ends nor hangs up has answered", async () => {
  const last = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  stub.answer(stream([sseBody([chunk("a"), last], { done: false })], "hang"));
  const all = await streamed({ idleMs: 30 });
  expect([all.text, all.finishReason]).toEqual(["a", "stop"]);
});

test("a broken socket is never sent over twice unseen; embeddings, which have no retry of their own, are sent once more", async () => {
  let requests = 0;
  const body = JSON.stringify(answer);
  let served = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, data) {
        if (!data.toString("latin1").startsWith("POST")) return;
        requests++;
        // The second request meets a socket that dies under it.
        if (requests === 2) socket.terminate();
        else socket.write(served);
      },
    },
  });
  const provider = providerFor("openai", `http://127.0.0.1:${server.port}`);
  expect((await provider.chat!("m", askFor("hi"), contextWith())).text).toBe("ok");
  expect((await failureOf(provider.chat!("m", askFor("hi"), contextWith()))).kind).toBe("network");
  expect(requests).toBe(2);

  requests = 1;
  const vector = JSON.stringify({ data: [{ index: 0, embedding: [1] }] });
  served = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${vector.length}\r\n\r\n${vector}`;
  expect((await provider.embed!("e", ["hi"], undefined, contextWith())).vectors[0]).toEqual([1]);
  expect(requests).toBe(3);
  server.stop(true);
});

test("an error body of any size is read only as far as it is needed", async () => {
  stub.answer(() => new Response("x".repeat(5_000_000), { status: 500, headers: { "content-type": "text/plain" } }));
  const error = await failureOf(chat());
  expect(error.kind).toBe("server");
  expect(error.details.upstreamMessage!.length).toBeLessThanOrEqual(500);
});

test("waiting hints are read from every header that carries one, and x-should-retry beats the kind", async () => {
  const limited = { error: { message: "slow down" } };
  stub.answer(json(limited, 429, { "retry-after": "7" }));
  expect((await failureOf(chat())).details.retryAfterMs).toBe(7000);
  stub.answer(json(limited, 429, { "retry-after-ms": "1500", "retry-after": "7" }));
  expect((await failureOf(chat())).details.retryAfterMs).toBe(1500);
  stub.answer(json(limited, 429, { "retry-after": new Date(Date.now() + 40_000).toUTCString() }));
  expect((await failureOf(chat())).details.retryAfterMs).toBeWithin(20_000, 60_000);
  stub.answer(json(limited, 503, { "x-should-retry": "false" }));
  expect((await failureOf(chat())).retryable).toBe(false);
});

test("a server that answers a stream request in one piece is understood", async () => {
  for (const type of ["application/json", "Application/JSON; charset=utf-8"]) {
    stub.answer(text(JSON.stringify(answer), 200, type));
    const all = await streamed();
    expect([all.text, all.finishReason, all.usage?.input]).toEqual(["ok", "stop", 3]);
  }
});

test("a server that streams although nobody asked it to is understood, and a stream that breaks off is a failure", async () => {
  stub.answer(sse([chunk("o"), chunk("k"), { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }]));
  const { text, finishReason, usageSource } = await chat();
  expect([text, finishReason, usageSource]).toEqual(["ok", "stop", "none"]);
  stub.answer(sse([chunk("o")], { done: false }));
  expect((await failureOf(chat())).kind).toBe("truncated");
  const endless = chunk("x".repeat(1_000_000));
  stub.answer(stream(Array.from({ length: 40 }, () => sseBody([endless], { done: false }))));
  expect((await failureOf(chat())).kind).toBe("server");
});

test("a whole answer that comes as a stream ends at the caller's stop sequence; what was used until then is not all", async () => {
  stub.answer(sse([{ ...answer, choices: [] }, chunk("one EN"), chunk("D two")], { hangs: true }));
  const asked = { ...askFor("hi"), stop: ["END"] };
  const { text, stopSequence, usageSource } = await providerFor("openai", stub.url).chat!("m", asked, contextWith());
  expect([text, stopSequence, usageSource]).toEqual(["one ", "END", "none"]);
  await stub.seen[0]!.gone;
});

test("the trace context is passed on", async () => {
  stub.answer(sse([chunk("a"), { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }]));
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await collect(
    listsOf((take) => providerFor("openai", stub.url).streamChat!("m", askFor("hi"), { ...contextWith(), traceparent }, take)),
  );
  expect(stub.seen[0]!.headers.get("traceparent")).toBe(traceparent);
});
