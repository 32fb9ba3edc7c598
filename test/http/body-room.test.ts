/** Large bodies wait for one another, so that those of one project take a bounded part of memory. */

import { expect, test } from "bun:test";
import type { Project } from "../../src/accounts/project.ts";
import type { ApiError } from "../../src/api-error.ts";
import { createBodyRoom, makeRoom } from "../../src/http/body-room.ts";
import { readBody } from "../../src/http/read-body.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const KB = 1024;

const callerOf = (id: string) => ({ project: { id } as Project, mode: "live" as const });

const roomOf = (mostWaitMs: number, onFreed: (freed: number, held: number) => void = () => {}, mostWaiting = 10) => {
  const room = createBodyRoom(onFreed, { mostBytes: 200 * KB, mostWaitMs, mostWaiting });
  return (owner: string, signal?: AbortSignal) => {
    const request = new Request("http://localhost/", { method: "POST", signal: signal ?? null });
    const free = room(request, callerOf(owner));
    return { take: (bytes: number) => makeRoom(request, bytes), free };
  };
};

test("a body waits, in the order asked, until those before it are done with; small ones and other owners' do not", async () => {
  const freed: number[][] = [];
  const begin = roomOf(60_000, (...sizes) => void freed.push(sizes));
  const entered: string[] = [];
  const [first, second, third, fourth] = ["first", "second", "third", "fourth"].map((name) => {
    const { take, free } = begin("one");
    return { free, take: (bytes: number) => take(bytes).then(() => void entered.push(name)) };
  });
  await first!.take(150 * KB);
  const waiting = [second!.take(100 * KB), third!.take(100 * KB), fourth!.take(70 * KB)];
  await begin("one").take(60 * KB);
  await begin("other").take(150 * KB);
  expect(entered).toEqual(["first"]);
  first!.free();
  await Promise.all(waiting.slice(0, 2));
  expect(entered).toEqual(["first", "second", "third"]);
  await second!.take(80 * KB);
  second!.free();
  second!.free();
  await waiting[2];
  expect(freed).toEqual([
    [150 * KB, 150 * KB],
    [20 * KB, 330 * KB],
    [80 * KB, 250 * KB],
  ]);
});

test("a body larger than the room is read alone; one that waited too long is refused, and the next has its turn", async () => {
  const begin = roomOf(1);
  const alone = begin("one");
  await alone.take(900 * KB);
  const refusal = await begin("one")
    .take(100 * KB)
    .catch((error: ApiError) => error);
  expect((refusal as ApiError).status).toBe(503);
  alone.free();
  await begin("one").take(100 * KB);
});

test("what fits is not held up by a larger body that waits; the last quarter is for bodies of up to 1 MiB", async () => {
  const room = createBodyRoom(() => {}, { mostBytes: 8_192 * KB });
  const begin = () => {
    const request = new Request("http://localhost/", { method: "POST" });
    const free = room(request, callerOf("one"));
    return { take: (bytes: number) => makeRoom(request, bytes), free };
  };
  const first = begin();
  await first.take(4_096 * KB);
  const larger = begin().take(4_000 * KB);
  const others = [begin(), begin(), begin()];
  await others[0]!.take(2_048 * KB);
  const large = begin().take(1_025 * KB);
  await others[1]!.take(1_024 * KB);
  await others[2]!.take(1_024 * KB);
  expect(Bun.peek.status(larger)).toBe("pending");
  expect(Bun.peek.status(large)).toBe("pending");
  first.free();
  await large;
  expect(Bun.peek.status(larger)).toBe("pending");
  for (const { free } of others) free();
  await larger;
});

test("when as many wait as may, the next is refused at once", async () => {
  const begin = roomOf(60_000, undefined, 2);
  const first = begin("one");
  await first.take(150 * KB);
  const waiting = [begin("one").take(70 * KB), begin("one").take(70 * KB)];
  await expect(begin("one").take(70 * KB)).rejects.toThrow("no room");
  first.free();
  await Promise.all(waiting);
});

test("a caller who leaves while a body waits takes no place of those who wait", async () => {
  const begin = roomOf(60_000, undefined, 1);
  const caller = new AbortController();
  const [first, leaving, next] = [begin("one"), begin("one", caller.signal), begin("one")];
  await first.take(200 * KB);
  const left = leaving.take(100 * KB);
  caller.abort();
  await expect(left).rejects.toMatchObject({ type: "service_unavailable" });
  const waiting = next.take(100 * KB);
  first.free();
  await waiting;
});

test("a request that was given up while its body waited holds nothing when its turn comes", async () => {
  const begin = roomOf(60_000);
  const [first, second] = [begin("one"), begin("one")];
  await first.take(150 * KB);
  await second.take(50 * KB);
  const waiting = second.take(150 * KB);
  second.free();
  first.free();
  await waiting;
  await begin("one").take(200 * KB);
});

test("a body of unknown length makes room as it comes: many small ones at once need none", async () => {
  gateway.platform.bodyRoom = createBodyRoom(() => {}, { mostBytes: 250 * KB, mostWaitMs: 1, mostWaiting: 1 });
  const key = await gateway.key({ project: "chunked" });
  const chunked = (characters: number) =>
    new ReadableStream({
      start(controller) {
        const body = JSON.stringify({ messages: [{ role: "user", content: "hello".padEnd(characters) }] });
        for (let at = 0; at < body.length; at += 10 * KB) controller.enqueue(Buffer.from(body.slice(at, at + 10 * KB)));
        controller.close();
      },
    });
  const statusOf = async (characters: number) =>
    (await gateway.send(key, "POST", "/v1/chat", chunked(characters), { "content-type": "application/json" })).status;
  expect(await Promise.all(Array.from({ length: 20 }, () => statusOf(20 * KB)))).toEqual(Array(20).fill(200));
  expect(await statusOf(100 * KB)).toBe(200);
  expect(await statusOf(100 * KB)).toBe(200);
});

test("bodies of unknown length that come at the same time never hold parts of the room that none of them can finish in", async () => {
  const [mostBytes, pieceBytes] = [6 * 1024 * KB, 64 * KB];
  const room = createBodyRoom(() => {}, { mostBytes });
  const sizes = Array.from({ length: 3 }, async () => {
    let left = mostBytes / 2 / pieceBytes;
    const body = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(pieceBytes)) : controller.close()),
    });
    const request = new Request("http://localhost/", { method: "POST", body });
    const free = room(request, callerOf("one"));
    const { length } = await readBody(request, mostBytes / 2);
    free();
    return length;
  });
  expect(await Promise.all(sizes)).toEqual(Array(3).fill(mostBytes / 2));
});

test("whatever becomes of a request, its body gives its room back when the answer begins", async () => {
  gateway.platform.bodyRoom = createBodyRoom(() => {}, { mostBytes: 150 * KB, mostWaitMs: 1 });
  const key = await gateway.key({ project: "room" });
  const reader = await gateway.key({ project: "room", scopes: ["logs"] });
  const said = (text: string) => ({ messages: [{ role: "user", content: text.padEnd(100 * KB) }] });
  const statusOf = async (...[who, path, body, headers]: Parameters<typeof ask>) => (await ask(who, path, body, headers)).status;
  const ask = (who: typeof key, path: string, body: object, headers: Record<string, string> = {}) =>
    gateway.send(who, "POST", path, body, headers);
  const once = { "idempotency-key": "large" };
  expect(await statusOf(key, "/v1/chat", said("hello"))).toBe(200);
  expect(await statusOf(key, "/v1/chat", said("hello"), once)).toBe(200);
  expect(await statusOf(key, "/v1/chat", said("hello"), once)).toBe(200);
  expect(await statusOf(key, "/v1/chat", said("another"), once)).toBe(422);
  expect(await statusOf(key, "/v1/audio/transcriptions", said("no form"))).toBe(415);
  expect(await statusOf(key, "/v1/route", { prompts: said("no messages") })).toBe(400);
  expect(await statusOf(reader, "/v1/chat", said("no scope"))).toBe(403);
  const streamed = await ask(key, "/v1/chat/stream", said("hello"));
  expect(await statusOf(key, "/v1/chat", said("hello"))).toBe(200);
  expect(await streamed.text()).toEndWith("data: [DONE]\n\n");
});

test.each([
  ["of known length", `content-length: ${100 * KB}`, ""],
  ["of unknown length", "transfer-encoding: chunked", `${(100 * KB).toString(16)}\r\n${" ".repeat(100 * KB)}\r\n`],
])("uploads %s that stall hold up those of their project alone, and only until they end", async (_, length, begun) => {
  gateway.platform.bodyRoom = createBodyRoom(() => {}, { mostBytes: 150 * KB, mostWaitMs: 1 });
  const [stalling, other] = [await gateway.key({ project: "stalling" }), await gateway.key({ project: "other" })];
  const large = { messages: [{ role: "user", content: "hello".padEnd(100 * KB) }] };
  const statusOf = async (key: typeof other, body: object) => (await gateway.send(key, "POST", "/v1/chat", body)).status;
  const { hostname, port } = new URL(gateway.url);
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data: () => {} } });
  const head = ["host: gateway", `authorization: Bearer ${stalling.text}`, "content-type: application/json", length];
  socket.write(`POST /v1/chat HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${begun}`);
  while ((await statusOf(stalling, large)) !== 503);
  expect(await statusOf(stalling, { messages: [{ role: "user", content: "hello" }] })).toBe(200);
  expect(await statusOf(other, large)).toBe(200);
  socket.end();
  while ((await statusOf(stalling, large)) !== 200);
});
