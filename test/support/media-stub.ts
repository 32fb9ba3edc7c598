/** Media vendors on loopback: answers by method and path in their documented formats, keeps what was asked, and misbehaves as told. */

import { afterAll } from "bun:test";
import { DEFAULTS } from "../../src/config/defaults.ts";
import type { CallContext } from "../../src/providers/provider.ts";
import { createSocketTransport } from "../../src/providers/transport/socket-transport.ts";
import { UpstreamError } from "../../src/providers/upstream-error.ts";

type MediaAsk = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  json: any;
  form: FormData | undefined;
};
export type MediaHandler = (ask: MediaAsk) => Response | Promise<Response>;
type MediaStub = {
  url: string;
  asks: MediaAsk[];
  /** Keys like `POST /v1/tasks`; the longest that begins the path wins. Replaces what was there. */
  answer(handlers: Record<string, MediaHandler>): void;
  stop(): void;
};

export const startMediaStub = (): MediaStub => {
  const asks: MediaAsk[] = [];
  let handlers: Record<string, MediaHandler> = {};
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request) => {
      const url = new URL(request.url);
      const type = request.headers.get("content-type") ?? "";
      const ask: MediaAsk = {
        method: request.method,
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        json: type.startsWith("application/json") ? await request.json() : undefined,
        form: type.startsWith("multipart/") ? ((await request.formData()) as FormData) : undefined,
      };
      asks.push(ask);
      const line = `${ask.method} ${ask.path}`;
      const name = Object.keys(handlers)
        .filter((key) => line.startsWith(key))
        .sort((a, b) => b.length - a.length)[0];
      return name === undefined ? new Response("the stub has no answer", { status: 599 }) : handlers[name]!(ask);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asks,
    answer: (given) => {
      handlers = given;
      asks.length = 0;
    },
    stop: () => void server.stop(true),
  };
};

/** For all tests of a file. */
export const mediaStubOfFile = (): MediaStub => {
  const stub = startMediaStub();
  afterAll(() => stub.stop());
  return stub;
};

export const says =
  (body: unknown, status = 200, headers: Record<string, string> = {}): MediaHandler =>
  () =>
    Response.json(body, { status, headers });

/** Gives the answers one after the other; the last one repeats. */
export const inTurn = (...answers: MediaHandler[]): MediaHandler => {
  let next = 0;
  return (ask) => answers[Math.min(next++, answers.length - 1)]!(ask);
};

/** A body that never ends. */
export const endless =
  (contentType: string): MediaHandler =>
  () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) }), {
      headers: { "content-type": contentType },
    });

export const contextFor = (changes: Partial<CallContext> = {}): CallContext => ({
  signal: new AbortController().signal,
  remainingMs: 20_000,
  requestId: "call_test",
  attempt: 1,
  ...changes,
});

export const endpointAt = (url: string) => ({
  name: "Vendor",
  baseUrl: url,
  key: "secret",
  transport: createSocketTransport(),
  timeouts: DEFAULTS.timeouts,
  pollMs: 1,
});

/** A body of that type. */
export const sends = (body: BodyInit, contentType: string) => (): Response =>
  new Response(body, { headers: { "content-type": contentType } });

/** The UpstreamError that the work must end in. */
export const failureOf = async (work: Promise<unknown>): Promise<UpstreamError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UpstreamError)) throw new Error(`expected an UpstreamError, got ${String(error)}`);
  return error;
};

/** The smallest PNG that opens: one grey pixel. */
export const TINY_PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABc3UBGAAAAABJRU5ErkJggg==",
  "base64",
);
