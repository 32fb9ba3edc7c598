/**
 * Sends Server-Sent Events: frames as they come, but never faster than they are read; keep-alives during silence; disconnects readers that
 * stall.
 */

const ENCODER = new TextEncoder();
const KEEP_ALIVE_MS = 15_000;
const STALLED_READER_MS = 60_000;
export const KEEP_ALIVE = ": keep-alive\n\n";

export const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/** The client disconnected, or has not read for a minute. */
export class ReaderGone extends Error {}

export type EventSink = {
  /** The body of the response: a pull stream, which knows how fast its reader is. */
  body: ReadableStream<Uint8Array>;
  controller: ReadableStreamDefaultController<Uint8Array>;
  pending: string;
  /**
   * Set while the reader has taken everything: the stream's pull is answered when the next frame comes, so a reader that keeps up costs no
   * promise.
   */
  asked: (() => void) | undefined;
  room: PromiseWithResolvers<void> | undefined;
  state: "open" | "ending" | "gone";
  lastSentAt: number;
  timer: Timer | undefined;
};

export const createEventSink = (): EventSink => {
  const sink: EventSink = {
    body: undefined!,
    controller: undefined!,
    pending: "",
    asked: undefined,
    room: undefined,
    state: "open",
    lastSentAt: performance.now(),
    timer: undefined,
  };
  sink.body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        sink.controller = controller as ReadableStreamDefaultController<Uint8Array>;
      },
      pull: () => pull(sink),
      cancel: () => leave(sink),
    },
    { highWaterMark: 1 },
  );
  lookAfter(sink, KEEP_ALIVE_MS);
  return sink;
};

/** Sends encoded frames (`data: …\n\n`). The promise resolves once there is room for more, and rejects with ReaderGone. */
export const writeFrames = (sink: EventSink, frames: string): Promise<void> | undefined => {
  if (sink.state === "gone") return Promise.reject(new ReaderGone());
  if (sink.asked !== undefined) {
    feed(sink, frames);
    return undefined;
  }
  sink.pending += frames;
  if (sink.room === undefined) {
    sink.room = Promise.withResolvers();
    // Whoever awaits the promise gets the error; if nobody does, it must not count as an unhandled rejection.
    sink.room.promise.catch(() => undefined);
  }
  return sink.room.promise;
};

/** Ends the body after what was written. */
export const endStream = (sink: EventSink): void => {
  if (sink.state !== "open") return;
  sink.state = "ending";
  if (sink.asked !== undefined) close(sink);
};

/** Call it if nobody will read on: frees what waits now, instead of after a minute without a reader. */
export const abandonStream = (sink: EventSink): void => {
  if (sink.state === "open") cut(sink, "The client is gone.");
};

const pull = (sink: EventSink): Promise<void> | undefined => {
  const { pending } = sink;
  if (pending === "") {
    if (sink.state !== "ending")
      return new Promise<void>((resolve) => {
        sink.asked = resolve;
      });
    close(sink);
    return undefined;
  }
  enqueue(sink, pending);
  sink.pending = "";
  sink.room?.resolve();
  sink.room = undefined;
  return undefined;
};

const feed = (sink: EventSink, frames: string): void => {
  enqueue(sink, frames);
  if (sink.controller.desiredSize! <= 0) answer(sink);
};

const enqueue = (sink: EventSink, frames: string): void => {
  sink.controller.enqueue(ENCODER.encode(frames));
  sink.lastSentAt = performance.now();
};

const answer = (sink: EventSink): void => {
  const resolve = sink.asked;
  sink.asked = undefined;
  resolve?.();
};

const close = (sink: EventSink): void => {
  clearTimeout(sink.timer);
  sink.controller.close();
  answer(sink);
};

const leave = (sink: EventSink): void => {
  clearTimeout(sink.timer);
  sink.state = "gone";
  sink.pending = "";
  sink.room?.reject(new ReaderGone());
};

const cut = (sink: EventSink, why: string): void => {
  leave(sink);
  sink.controller.error(new ReaderGone(why));
};

const lookAfter = (sink: EventSink, ms: number): void => {
  sink.timer = setTimeout(look, Math.ceil(ms), sink);
  sink.timer.unref();
};

const look = (sink: EventSink): void => {
  const silentMs = performance.now() - sink.lastSentAt;
  if (sink.asked === undefined && silentMs >= STALLED_READER_MS) {
    cut(sink, "The client stopped reading.");
    return;
  }
  if (sink.asked !== undefined && silentMs >= KEEP_ALIVE_MS) feed(sink, KEEP_ALIVE);
  lookAfter(sink, KEEP_ALIVE_MS - ((performance.now() - sink.lastSentAt) % KEEP_ALIVE_MS));
};
