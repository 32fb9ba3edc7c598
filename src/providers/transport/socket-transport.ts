/**
 * HTTP/1.1 over connections of our own. The runtime's `fetch` runs on a thread of its own, and waking that thread twice a call
 * costs more than the call; it reads on while nobody asks, says nothing between connect and head, and takes 256 calls at once.
 */

import { decompressed } from "./decompressed.ts";
import { createResponseParser } from "./response-parser.ts";
import { createSocketPool, originOf, type PooledSocket } from "./socket-pool.ts";
import { type Transport, type TransportAnswer, TransportError, type TransportRequest } from "./transport.ts";

/** Held for a reader that does not ask; beyond it the upstream is not read. */
const MOST_WAITING_BYTES = 64 * 1024;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Latin letters, blanks and tabs: no value can end its line. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const DEFAULT_HEADERS = { "user-agent": "Signalbox", accept: "*/*", "accept-encoding": "identity" };
/** What the message itself decides. */
const OURS = new Set(["host", "connection", "content-length", "transfer-encoding"]);

const headOf = (url: URL, { method, headers, once }: TransportRequest, contentLength: number | undefined): string => {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n`;
  const all: Record<string, string> = { ...DEFAULT_HEADERS };
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(all)) {
    if (OURS.has(name)) continue;
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw new TransportError("INVALID_HEADER");
    head += `${name}: ${value}\r\n`;
  }
  if (once) head += "Connection: close\r\n";
  if (contentLength !== undefined) head += `Content-Length: ${contentLength}\r\n`;
  return `${head}\r\n`;
};

/** The whole request as it is sent. */
const bytesOf = async (url: URL, request: TransportRequest): Promise<Buffer> => {
  const { body, method } = request;
  if (typeof body === "string") {
    const content = Buffer.from(body);
    return Buffer.concat([Buffer.from(headOf(url, request, content.length), "latin1"), content]);
  }
  if (body === undefined) return Buffer.from(headOf(url, request, method === "GET" ? undefined : 0), "latin1");
  if (body instanceof Uint8Array) return Buffer.concat([Buffer.from(headOf(url, request, body.length), "latin1"), body]);
  const form = new Response(body);
  // Read first: it is gone once the body is taken.
  const headers = { ...request.headers, "content-type": form.headers.get("content-type")! };
  const content = await form.bytes();
  return Buffer.concat([Buffer.from(headOf(url, { ...request, headers }, content.length), "latin1"), content]);
};

/** Sends `bytes` and reads one answer. `release` is told, once, whether the connection can serve another call. */
const exchange = (
  socket: PooledSocket,
  bytes: Buffer,
  signal: AbortSignal,
  release: (isReusable: boolean) => void,
): Promise<TransportAnswer> => {
  const head = Promise.withResolvers<TransportAnswer>();
  let unsent = bytes;
  let pieces: Uint8Array[] = [];
  let waitingBytes = 0;
  let asked: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  let state: "open" | "ended" | "failed" = "open";
  let failure: unknown;
  let hasAnswered = false;
  let mayKeepAlive = false;
  let isPaused = false;

  const leave = (isReusable: boolean): void => {
    signal.removeEventListener("abort", abort);
    release(isReusable);
  };
  const fail = (error: unknown): void => {
    if (state !== "open") return;
    state = "failed";
    failure = error;
    leave(false);
    head.reject(error);
    asked?.reject(error);
    asked = undefined;
  };
  const abort = (): void => fail(signal.reason);
  const takePieces = (): Uint8Array | undefined => {
    const taken = pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
    pieces = [];
    waitingBytes = 0;
    return taken;
  };
  /** What one read of the socket brought is handed on together. */
  const handOn = (): void => {
    if (asked !== undefined && (pieces.length > 0 || state === "ended")) {
      const { resolve } = asked;
      asked = undefined;
      resolve(takePieces());
    }
    if (state === "open" && !isPaused && waitingBytes > MOST_WAITING_BYTES) {
      isPaused = true;
      socket.pause();
    }
  };
  const read = (): Promise<Uint8Array | undefined> => {
    if (pieces.length > 0) {
      const taken = takePieces();
      if (isPaused) {
        isPaused = false;
        socket.resume();
      }
      return Promise.resolve(taken);
    }
    if (state === "ended") return Promise.resolve(undefined);
    if (state === "failed") return Promise.reject(failure);
    asked = Promise.withResolvers();
    return asked.promise;
  };
  const parser = createResponseParser({
    onHead(status, headers, keepAlive) {
      mayKeepAlive = keepAlive;
      head.resolve({ status, headers, read, close: () => fail(new TransportError("CUT", "closed")) });
    },
    onBody(piece) {
      pieces.push(piece);
      waitingBytes += piece.length;
    },
    onEnd: () => {
      state = "ended";
    },
  });
  const write = (): void => {
    if (unsent.length > 0) unsent = unsent.subarray(Math.max(0, socket.write(unsent)));
  };
  const finishIfEnded = (isOpen: boolean): void => {
    if (state === "ended") leave(isOpen && mayKeepAlive && unsent.length === 0);
  };

  socket.data.occupant = {
    onData(received) {
      if (state !== "open") return;
      hasAnswered = true;
      try {
        parser.push(received);
        finishIfEnded(true);
      } catch (error) {
        // An answer that is whole stands, whatever came after it; its connection is done with.
        finishIfEnded(false);
        handOn();
        fail(error);
      }
      handOn();
    },
    onDrain: write,
    onClose() {
      if (state !== "open") return;
      parser.finish();
      finishIfEnded(false);
      fail(new TransportError(hasAnswered ? "CUT" : "CLOSED_UNANSWERED"));
      handOn();
    },
  };
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  if (state === "open") write();
  return head.promise;
};

export const createSocketTransport = (): Transport => {
  const pool = createSocketPool();
  return async (request) => {
    const url = new URL(request.url);
    const origin = originOf(url);
    const bytes = await bytesOf(url, request);
    const socket =
      (request.once ? undefined : await pool.take(origin)) ?? (await pool.connect(url, request.connectMs, request.signal));
    const answer = await exchange(socket, bytes, request.signal, (isReusable) => {
      if (isReusable && !request.once) pool.keep(origin, socket);
      else {
        delete socket.data.occupant;
        socket.terminate();
      }
    });
    return decompressed(answer);
  };
};
