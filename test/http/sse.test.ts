import { heapStats } from "bun:jsc";
import { expect, jest, test } from "bun:test";
import {
  abandonStream,
  createEventSink,
  endStream,
  KEEP_ALIVE,
  ReaderGone,
  SSE_HEADERS,
  writeFrames,
} from "../../src/http/sse.ts";

const serve = (body: ReadableStream<Uint8Array>) =>
  Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(body, { headers: SSE_HEADERS }) });

test("the headers of a stream that is late leave at once with a comment, before its first frame", async () => {
  const sink = createEventSink();
  writeFrames(sink, KEEP_ALIVE);
  const server = serve(sink.body);
  const response = await fetch(server.url);
  writeFrames(sink, "data: [DONE]\n\n");
  endStream(sink);
  expect(await response.text()).toBe(": keep-alive\n\ndata: [DONE]\n\n");
  await server.stop(true);
});

test("frames arrive in the order they were written, however they were taken", async () => {
  const sink = createEventSink();
  const server = serve(sink.body);
  const response = fetch(server.url).then((answer) => answer.text());
  for (let i = 0; i < 500; i++) await writeFrames(sink, `data: ${i}\n\n`);
  writeFrames(sink, "data: last\n\n");
  endStream(sink);
  expect(await response).toBe(`${Array.from({ length: 500 }, (_, i) => `data: ${i}\n\n`).join("")}data: last\n\n`);
  await server.stop(true);
});

test("a writer waits until the reader has taken what was written before", async () => {
  const sink = createEventSink();
  const reader = sink.body.getReader();
  const taken: string[] = [];
  const writing = (async () => {
    for (const frame of ["a", "b", "c", "d", "e", "f"]) {
      await writeFrames(sink, frame);
      taken.push(frame);
    }
  })();
  await Bun.sleep(0);
  expect(taken.length).toBeLessThan(3);
  let text = "";
  while (text.length < 6) text += new TextDecoder().decode((await reader.read()).value);
  await writing;
  expect(text).toBe("abcdef");
});

test("a writer hears that its reader has gone, while it waits and ever after", async () => {
  const sink = createEventSink();
  const reader = sink.body.getReader();
  writeFrames(sink, "a");
  writeFrames(sink, "b");
  const waiting = writeFrames(sink, "c");
  const gone = Promise.resolve(waiting).catch((error) => error);
  await reader.cancel();
  expect(await gone).toBeInstanceOf(ReaderGone);
  expect(await Promise.resolve(writeFrames(sink, "d")).catch((error) => error)).toBeInstanceOf(ReaderGone);
});

test("silence of 15 s is broken by a keep-alive, whenever it began, and again 15 s later", async () => {
  jest.useFakeTimers();
  try {
    const sink = createEventSink();
    const reader = sink.body.getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    jest.advanceTimersByTime(400);
    writeFrames(sink, "data: 1\n\n");
    expect(await read()).toBe("data: 1\n\n");
    for (let round = 0; round < 3; round++) {
      const next = read();
      await Promise.resolve();
      jest.advanceTimersByTime(16_000);
      writeFrames(sink, "data: too late\n\n");
      expect(await next).toBe(KEEP_ALIVE);
      expect(await read()).toBe("data: too late\n\n");
    }
    await reader.cancel();
  } finally {
    jest.useRealTimers();
  }
});

test("a stream that nobody will read lets go at once: its writer hears of it, and no timer keeps it", async () => {
  const timers = () => {
    Bun.gc(true);
    return heapStats().objectTypeCounts["Timeout"] ?? 0;
  };
  const before = timers();
  const waiting = Array.from({ length: 50 }, () => {
    const sink = createEventSink();
    writeFrames(sink, "a");
    writeFrames(sink, "b");
    const room = Promise.resolve(writeFrames(sink, "c")).catch((error) => error);
    abandonStream(sink);
    return room;
  });
  for (const room of waiting) expect(await room).toBeInstanceOf(ReaderGone);
  expect(timers() - before).toBeLessThan(10);
});

test("a reader that takes nothing for a minute is given up, and its writer hears of it", async () => {
  jest.useFakeTimers();
  try {
    const sink = createEventSink();
    const reader = sink.body.getReader();
    await writeFrames(sink, "a");
    let heard: unknown;
    const waiting = Promise.resolve(writeFrames(sink, "b")).catch((error) => {
      heard = error;
    });
    jest.advanceTimersByTime(59_000);
    await Promise.resolve();
    expect(heard).toBeUndefined();
    jest.advanceTimersByTime(16_000);
    await waiting;
    expect(heard).toBeInstanceOf(ReaderGone);
    await expect(reader.closed).rejects.toBeInstanceOf(ReaderGone);
  } finally {
    jest.useRealTimers();
  }
});
