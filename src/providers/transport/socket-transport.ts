/**
 * HTTP/1.1 over connections of our own. The runtime's `fetch` runs on a thread of its own, and waking that thread twice a call
 * costs more than the call; it reads on while nobody asks, says nothing between connect and head, and takes 256 calls at once.
 */

import { createBodyQueue, endBody, failBody, flowBody, flushPieces, pushPiece } from "./body-queue.ts";
import { decompressed } from "./decompressed.ts";
import { createPassingBytes } from "./passing-bytes.ts";
import { createResponseParser, finishResponse, parseResponse } from "./response-parser.ts";
import { createSocketPool, originOf, type PooledSocket } from "./socket-pool.ts";
import { type Transport, type TransportAnswer, TransportError, type TransportRequest } from "./transport.ts";
import { createWaitingBytes, type WaitingBytes } from "./waiting-bytes.ts";

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Latin letters, blanks and tabs: no value can end its line. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const DEFAULT_HEADERS = { "user-agent": "Signalbox", accept: "*/*", "accept-encoding": "identity" };
/** What the message itself decides. */
const OURS = new Set(["host", "connection", "content-length", "transfer-encoding"]);
const NOTHING = Buffer.alloc(0);

/** A name and password in the address, as for a server behind a proxy that asks for them; a header of one's own beats them. */
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

/** Where requests go, and their head up to what each has of its own. */
type Address = { url: URL; origin: string; head: string };

const addressOf = ({ url: text, method, headers }: Pick<TransportRequest, "url" | "method" | "headers">): Address => {
  const url = new URL(text);
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n`;
  const all: Record<string, string> = { ...DEFAULT_HEADERS, ...signInOf(url) };
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(all)) {
    if (OURS.has(name)) continue;
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw new TransportError("INVALID_HEADER");
    head += `${name}: ${value}\r\n`;
  }
  return { url, origin: originOf(url), head };
};

const MOST_ADDRESSES = 64;

/** Calls of one key bring the same record of headers, which nobody changes, to a few addresses: those are read once. */
const createAddressBook = (): ((request: TransportRequest) => Address) => {
  const books = new WeakMap<TransportRequest["headers"], Map<string, Address>>();
  return (request) => {
    let book = books.get(request.headers);
    if (book === undefined || book.size >= MOST_ADDRESSES) {
      book = new Map();
      books.set(request.headers, book);
    }
    const name = `${request.method} ${request.url}`;
    const known = book.get(name);
    if (known !== undefined) return known;
    const address = addressOf(request);
    book.set(name, address);
    return address;
  };
};

const fullHead = ({ head }: Address, once: boolean, contentLength: number | undefined): string =>
  `${head}${once ? "Connection: close\r\n" : ""}${contentLength === undefined ? "" : `Content-Length: ${contentLength}\r\n`}\r\n`;

/** The whole request as it is sent. */
const bytesOf = async (address: Address, { body, method, headers, url, once = false }: TransportRequest): Promise<Buffer> => {
  if (typeof body === "string") {
    const length = Buffer.byteLength(body);
    const head = fullHead(address, once, length);
    const bytes = Buffer.allocUnsafe(head.length + length);
    bytes.write(head, "latin1");
    bytes.write(body, head.length);
    return bytes;
  }
  if (body === undefined) return Buffer.from(fullHead(address, once, method === "GET" ? undefined : 0), "latin1");
  if (body instanceof Uint8Array) return Buffer.concat([Buffer.from(fullHead(address, once, body.length), "latin1"), body]);
  const form = new Response(body);
  // Read first: it is gone once the body is taken.
  const type = form.headers.get("content-type")!;
  const content = await form.bytes();
  const typed = addressOf({ url, method, headers: { ...headers, "content-type": type } });
  return Buffer.concat([Buffer.from(fullHead(typed, once, content.length), "latin1"), content]);
};

/** What all connections share. */
type Shared = { waiting: WaitingBytes; pass(bytes: number): void };

/** What of a request has not left. A record: what an `async` function awaited with stays in its frame until it returns. */
type Sending = { unsent: Buffer };

/** Sends all of it and reads one answer. `release` is told, once, whether the connection can serve another call. */
const exchange = (
  socket: PooledSocket,
  sending: Sending,
  signal: AbortSignal,
  { waiting, pass }: Shared,
  release: (isReusable: boolean) => void,
): Promise<TransportAnswer> => {
  /** Until it has come: what was told of it is not held for as long as the body takes. */
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
    // A large request is let go as soon as it has left.
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
      // An answer that is whole stands, whatever came after it; its connection is done with.
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
  const addressFor = createAddressBook();
  // Made out here: within the call it would hold the whole request for as long as the answer takes.
  const releaseOf = (socket: PooledSocket, origin: string, once: boolean) => (isReusable: boolean) => {
    if (isReusable && !once) return pool.keep(origin, socket);
    socket.data.occupant = undefined;
    socket.terminate();
  };
  return async (request) => {
    const { signal, connectMs, once = false } = request;
    const address = addressFor(request);
    const { url, origin } = address;
    const sending = { unsent: await bytesOf(address, request) };
    const socket = (once ? undefined : await pool.take(origin)) ?? (await pool.connect(url, connectMs, signal));
    return decompressed(await exchange(socket, sending, signal, shared, releaseOf(socket, origin, once)));
  };
};
