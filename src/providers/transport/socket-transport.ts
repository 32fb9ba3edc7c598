/**
 * HTTP/1.1 over our own connections. The runtime's `fetch` runs on a separate thread, and waking that thread twice costs more than the call
 * itself; it also keeps reading when nobody asks, reports nothing between connect and head, and runs at most 256 calls at once.
 */

import { createBodyQueue, endBody, failBody, flowBody, flushPieces, pushPiece } from "./body-queue.ts";
import { decompressed } from "./decompressed.ts";
import { createPassingBytes } from "./passing-bytes.ts";
import { createResponseParser, finishResponse, parseResponse } from "./response-parser.ts";
import { createSocketPool, originOf, type PooledSocket } from "./socket-pool.ts";
import {
  HEADER_NAME,
  HEADER_VALUE,
  type Transport,
  type TransportAnswer,
  TransportError,
  type TransportRequest,
} from "./transport.ts";
import { createWaitingBytes, type WaitingBytes } from "./waiting-bytes.ts";

const DEFAULT_HEADERS = { "user-agent": "Signalbox", accept: "*/*", "accept-encoding": "identity" };
/** Headers that the message itself determines. */
const OURS = new Set(["host", "connection", "content-length", "transfer-encoding"]);
const NOTHING = Buffer.alloc(0);

/** Basic authentication from a name and password in the URL (a server behind a proxy); an explicit header overrides it. */
const signInOf = ({ username, password }: URL): { authorization?: string } => {
  if (username === "" && password === "") return {};
  return { authorization: `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}` };
};
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The head of a request, up to what its body adds. */
const headOf = (url: URL, { method, headers, once }: TransportRequest): string => {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n`;
  const all: Record<string, string> = { ...DEFAULT_HEADERS, ...signInOf(url) };
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(all)) {
    if (OURS.has(name)) continue;
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw new TransportError("INVALID_HEADER");
    head += `${name}: ${value}\r\n`;
  }
  return once ? `${head}Connection: close\r\n` : head;
};

/** The bytes of the whole request. */
const bytesOf = async (url: URL, request: TransportRequest): Promise<Buffer> => {
  const { body, method, headers } = request;
  if (body instanceof FormData) {
    const form = new Response(body);
    // Read first, because it is lost once the body is taken.
    const type = form.headers.get("content-type")!;
    return bytesOf(url, { ...request, headers: { ...headers, "content-type": type }, body: await form.bytes() });
  }
  const length = typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);
  const isBare = body === undefined && method === "GET";
  const head = `${headOf(url, request)}${isBare ? "" : `Content-Length: ${length}\r\n`}\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.write(head, "latin1");
  if (typeof body === "string") bytes.write(body, head.length);
  else if (body !== undefined) bytes.set(body, head.length);
  return bytes;
};

/** State shared by all connections. */
type Shared = { waiting: WaitingBytes; pass(bytes: number): void };

/** The part of a request not yet sent. A record, because the frame of an `async` function keeps what it awaited until it returns. */
type Sending = { unsent: Buffer };

/** Sends the request and reads one answer. `release` is called once, with whether the connection can serve another call. */
const exchange = (
  socket: PooledSocket,
  sending: Sending,
  signal: AbortSignal,
  { waiting, pass }: Shared,
  release: (isReusable: boolean) => void,
): Promise<TransportAnswer> => {
  /** Set until the head has arrived, so that it is not kept for as long as the body takes. */
  let head: PromiseWithResolvers<TransportAnswer> | undefined = Promise.withResolvers();
  const { promise } = head;
  const body = createBodyQueue(socket, waiting);
  let isOver = false;
  let hasAnswered = false;
  let mayKeepAlive = false;
  let isComplete = false;

  const leave = (isReusable: boolean): void => {
    isOver = true;
    signal.removeEventListener("abort", abort);
    release(isReusable);
  };
  const fail = (error: unknown): void => {
    if (isOver) return;
    leave(false);
    head?.reject(error);
    failBody(body, error);
  };
  const abort = (): void => fail(signal.reason);
  const parser = createResponseParser({
    onHead(status, headers, keepAlive) {
      mayKeepAlive = keepAlive;
      const close = () => fail(new TransportError("CUT", "closed"));
      head?.resolve({ status, headers, flow: (take) => flowBody(body, take), close });
      head = undefined;
    },
    onBody: (piece) => pushPiece(body, piece),
    onEnd: () => {
      isComplete = true;
    },
  });
  const finish = (isReusable: boolean): void => {
    leave(isReusable && mayKeepAlive && sending.unsent.length === 0);
    endBody(body);
  };
  const write = (): void => {
    const { unsent } = sending;
    if (unsent.length === 0) return;
    const sent = Math.max(0, socket.write(unsent));
    // A large request is released as soon as it has been sent.
    sending.unsent = sent === unsent.length ? NOTHING : unsent.subarray(sent);
  };

  socket.data.occupant = {
    onData(received) {
      if (isOver) return;
      hasAnswered = true;
      pass(received.length);
      let failure: unknown;
      try {
        parseResponse(parser, received);
      } catch (error) {
        failure = error;
      }
      // A complete answer is valid whatever came after it, but its connection is not used again.
      if (isComplete) return finish(failure === undefined);
      flushPieces(body);
      if (failure !== undefined) fail(failure);
    },
    onDrain: write,
    onClose() {
      if (isOver) return;
      finishResponse(parser);
      if (isComplete) finish(false);
      else fail(new TransportError(hasAnswered ? "CUT" : "CLOSED_UNANSWERED"));
    },
  };
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  if (!isOver) write();
  return promise;
};

export const createSocketTransport = (): Transport => {
  const pool = createSocketPool();
  const shared: Shared = { waiting: createWaitingBytes(), pass: createPassingBytes() };
  // Outside `exchange`, where the closure would keep the whole request for as long as the answer takes.
  const releaseOf = (socket: PooledSocket, origin: string, once: boolean) => (isReusable: boolean) => {
    if (isReusable && !once) return pool.keep(origin, socket);
    socket.data.occupant = undefined;
    socket.terminate();
  };
  return async (request) => {
    const { signal, connectMs, once = false } = request;
    const url = new URL(request.url);
    const origin = originOf(url);
    const sending = { unsent: await bytesOf(url, request) };
    if (signal.aborted) throw new TransportError("NOT_CONNECTED", "ABORTED");
    const socket = (once ? undefined : await pool.take(origin)) ?? (await pool.connect(url, connectMs, signal));
    return decompressed(await exchange(socket, sending, signal, shared, releaseOf(socket, origin, once)));
  };
};
