/** A provider on loopback that answers as told: replays recordings, and misbehaves in every way providers do. */

import { afterAll, beforeEach } from "bun:test";

type SeenRequest = {
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
  /** The parsed JSON body, undefined where there was none. */
  body: any;
  /** Resolves when the caller goes away before the answer is complete. */
  gone: Promise<void>;
};

export type Answer = (request: SeenRequest) => Response | Promise<Response>;

export type UpstreamStub = {
  url: string;
  seen: SeenRequest[];
  /** Answers in turn; the last one repeats. */
  answer(...answers: Answer[]): void;
  /** `using` does so at the end of a test. */
  stop(): void;
} & Disposable;

export const startUpstreamStub = (): UpstreamStub => {
  const seen: SeenRequest[] = [];
  let answers: Answer[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { promise: gone, resolve } = Promise.withResolvers<void>();
      request.signal.addEventListener("abort", () => resolve(), { once: true });
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const record = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: text ? JSON.parse(text) : undefined,
        gone,
      };
      seen.push(record);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer ? answer(record) : new Response("the stub has no answer", { status: 599 });
    },
  });
  const stop = () => void server.stop(true);
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    answer: (...given) => {
      answers = given;
    },
    stop,
    [Symbol.dispose]: stop,
  };
};

/** One for the tests of the file that calls this: stopped after them, and each test finds `seen` empty. */
export const upstreamStubOfFile = (): UpstreamStub => {
  const stub = startUpstreamStub();
  afterAll(() => stub.stop());
  beforeEach(() => {
    stub.seen.length = 0;
  });
  return stub;
};

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(body, { status, headers });

export const text =
  (body: string, status: number, contentType: string, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(body, { status, headers: { "content-type": contentType, ...headers } });

export const neverAnswers: Answer = () => new Promise<Response>(() => {});

export type SseStyle = { lineEnd?: "\n" | "\r\n" | "\r"; eventNames?: boolean; comments?: boolean; done?: boolean };

/** Frames as the body of an event stream. Anthropic's carry an `event:` line equal to the JSON's type. */
export const sseBody = (
  frames: string[],
  { lineEnd = "\n", eventNames = false, comments = false, done = true }: SseStyle = {},
): string => {
  const events = frames.map((frame) => {
    const name = eventNames ? `event: ${JSON.parse(frame).type}${lineEnd}` : "";
    return `${comments ? `: keep-alive${lineEnd}${lineEnd}` : ""}${name}data: ${frame}${lineEnd}${lineEnd}`;
  });
  return events.join("") + (done ? `data: [DONE]${lineEnd}${lineEnd}` : "");
};

/** Cuts bytes where it hurts: at sizes that fall inside characters, line ends and field names. */
export const slice = (body: string, sizes: number[]): Uint8Array[] => {
  const bytes = new TextEncoder().encode(body);
  const slices: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    slices.push(bytes.slice(at, at + size));
    at += size;
  }
  return slices;
};

/** Sends the pieces one by one; then ends or stays silent. */
export const stream =
  (pieces: (Uint8Array | string)[], then: "end" | "hang" = "end", contentType = "text/event-stream"): Answer =>
  () => {
    const encoder = new TextEncoder();
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const piece = pieces[next++];
        if (piece !== undefined) return controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
        if (then === "end") return controller.close();
        await new Promise<void>(() => {});
      },
    });
    return new Response(body, { headers: { "content-type": contentType } });
  };

/** An answer that is given once `letGo` says so; `asked` resolves when somebody waits for it. */
export const heldAnswer = (answer: Answer): { answer: Answer; asked: Promise<void>; letGo(): void } => {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const given: Answer = async (request) => {
    asked.resolve();
    await held.promise;
    return answer(request);
  };
  return { answer: given, asked: asked.promise, letGo: held.resolve };
};

/** Streams that send `first` at once, and what is left when `letGo` tells all that are open to. */
export const heldStreams = (first: string, rest: string): { answer: Answer; letGo(): void } => {
  const encoder = new TextEncoder();
  let held = Promise.withResolvers<void>();
  return {
    answer: () => {
      const { promise } = held;
      let sent = false;
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (!sent) {
            sent = true;
            return controller.enqueue(encoder.encode(first));
          }
          await promise;
          controller.enqueue(encoder.encode(rest));
          controller.close();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    letGo: () => {
      held.resolve();
      held = Promise.withResolvers();
    },
  };
};

/** One that `hangs` stays open after its frames, without `[DONE]`. */
export const sse = (frames: (string | object)[], { hangs = false, ...style }: SseStyle & { hangs?: boolean } = {}): Answer => {
  const texts = frames.map((frame) => (typeof frame === "string" ? frame : JSON.stringify(frame)));
  return stream([sseBody(texts, hangs ? { ...style, done: false } : style)], hangs ? "hang" : "end");
};

/** A server that sends `head` to every request, and resets the connections when it is told to. */
export const startBreakingServer = (head: string): { url: string; break(): void; stop(): void } => {
  const sockets = new Set<Bun.Socket>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        sockets.add(socket);
        socket.write(head);
        socket.flush();
      },
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    break: () => {
      for (const socket of sockets) socket.terminate();
    },
    stop: () => server.stop(true),
  };
};
