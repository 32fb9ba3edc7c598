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
  /** Sends encoded frames (`data: …\n\n`). The promise resolves once there is room for more, and rejects with ReaderGone. */
  write(frames: string): Promise<void> | undefined;
  /** Ends the body after what was written. */
  end(): void;
  /** Call it if nobody will read on: frees what waits now, instead of after a minute without a reader. */
  abandon(): void;
};

export const createEventSink = (): EventSink => {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let pending = "";
  /**
   * Set while the reader has taken everything: the stream's pull is answered when the next frame comes, so a reader that keeps up costs no
   * promise.
   */
  let asked: (() => void) | undefined;
  let room: PromiseWithResolvers<void> | undefined;
  let state: "open" | "ending" | "gone" = "open";
  let lastSentAt = performance.now();

  const answer = (): void => {
    const resolve = asked;
    asked = undefined;
    resolve?.();
  };
  const enqueue = (frames: string): void => {
    controller.enqueue(ENCODER.encode(frames));
    lastSentAt = performance.now();
  };
  const feed = (frames: string): void => {
    enqueue(frames);
    if (controller.desiredSize! <= 0) answer();
  };
  const leave = (): void => {
    clearTimeout(timer);
    state = "gone";
    pending = "";
    room?.reject(new ReaderGone());
  };
  const cut = (why: string): void => {
    leave();
    controller.error(new ReaderGone(why));
  };
  const look = (): void => {
    const silentMs = performance.now() - lastSentAt;
    if (asked === undefined && silentMs >= STALLED_READER_MS) {
      cut("The client stopped reading.");
      return;
    }
    if (asked !== undefined && silentMs >= KEEP_ALIVE_MS) feed(KEEP_ALIVE);
    lookAfter(KEEP_ALIVE_MS - ((performance.now() - lastSentAt) % KEEP_ALIVE_MS));
  };
  const lookAfter = (ms: number): void => {
    timer = setTimeout(look, Math.ceil(ms));
    timer.unref();
  };
  let timer: Timer;
  lookAfter(KEEP_ALIVE_MS);

  const close = (): void => {
    clearTimeout(timer);
    controller.close();
    answer();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given as ReadableStreamDefaultController<Uint8Array>;
      },
      pull: () => {
        if (pending === "") {
          if (state === "ending") return close();
          return new Promise<void>((resolve) => {
            asked = resolve;
          });
        }
        enqueue(pending);
        pending = "";
        room?.resolve();
        room = undefined;
      },
      cancel: leave,
    },
    { highWaterMark: 1 },
  );

  return {
    body,
    write: (frames) => {
      if (state === "gone") return Promise.reject(new ReaderGone());
      if (asked !== undefined) {
        feed(frames);
        return undefined;
      }
      pending += frames;
      if (room === undefined) {
        room = Promise.withResolvers();
        // Whoever awaits the promise gets the error; if nobody does, it must not count as an unhandled rejection.
        room.promise.catch(() => undefined);
      }
      return room.promise;
    },
    end: () => {
      if (state !== "open") return;
      state = "ending";
      if (asked !== undefined) close();
    },
    abandon: () => {
      if (state === "open") cut("The client is gone.");
    },
  };
};
