/** Keeps connections to upstreams for later calls, by scheme, host and port. */

import type { Socket, SocketHandler } from "bun";
import { createConnectInTurn } from "./connect-in-turn.ts";
import { reasonOf, TransportError } from "./transport.ts";

/** The call that uses a connection. */
type Occupant = {
  onData(bytes: Buffer): void;
  /** The socket accepts more of the request. */
  onDrain(): void;
  onClose(): void;
};
type Opening = {
  /** The host accepted the connection; over TLS its certificate is still to be checked. */
  taken(socket: PooledSocket): void;
  succeed(socket: PooledSocket): void;
  fail(error: unknown): void;
};
type State = {
  /** Set until it is connected. */
  opening: Opening | undefined;
  /** Undefined while the connection is idle. */
  occupant: Occupant | undefined;
  /** When it became idle, on the scale of `performance.now()` and by the wall clock. */
  kept: { since: number; at: number } | undefined;
};
export type PooledSocket = Socket<State>;

type SocketPool = {
  /** An idle connection that is still open as far as we know. */
  take(origin: string): Promise<PooledSocket | undefined>;
  /** Opens a new one. Rejects with TransportError `NOT_CONNECTED`, also where the signal ends it. */
  connect(url: URL, connectMs: number, signal: AbortSignal): Promise<PooledSocket>;
  /** Returns it to the pool after a complete answer. */
  keep(origin: string, socket: PooledSocket): void;
};

/** Shorter than most servers' own limit, so that an idle connection is rarely closed at the moment it is used. */
const KEPT_FOR_S = 30;
/** After this long the other side may have closed it without our knowing yet. */
const SURELY_OPEN_MS = 1_000;
const MOST_KEPT_PER_ORIGIN = 256;
const FIRST_PROBE_MS = 15_000;

/**
 * Resolves once pending socket events have been delivered: sockets are polled between two turns of the event loop, but after due timers.
 */
const newsOfSockets = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
};

/**
 * The pool's timer and `performance.now()` stand still while the machine sleeps, and the timer alone while the process is stopped. By then
 * the way to the upstream may have forgotten the connection, and a request over it would wait for an answer in vain.
 */
const isOutdated = ({ since, at }: { since: number; at: number }): boolean =>
  Math.max(performance.now() - since, Date.now() - at) > KEPT_FOR_S * 1_000;

export const originOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;

type InTurn = ReturnType<typeof createConnectInTurn>;

const openSocket = (
  inTurn: InTurn,
  url: URL,
  connectMs: number,
  signal: AbortSignal,
  handlers: SocketHandler<State>,
): Promise<PooledSocket> =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    let unproven: PooledSocket | undefined;
    let isSettled = false;
    const settle = (): boolean => {
      if (isSettled) return false;
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      return true;
    };
    const giveUp = (reason: unknown): void => {
      if (!settle()) return;
      unproven?.terminate();
      reject(reason);
    };
    const fail = (error: unknown, reason = reasonOf(error)): void => giveUp(new TransportError("NOT_CONNECTED", reason));
    const abort = (): void => fail(undefined, "ABORTED");
    const succeed = (socket: PooledSocket): void => {
      socket.data.opening = undefined;
      settle();
      socket.setNoDelay(true);
      socket.setKeepAlive(true, FIRST_PROBE_MS);
      resolve(socket);
    };
    const taken = (socket: PooledSocket): void => {
      if (isSettled) socket.terminate();
      else if (isSecure) unproven = socket;
      else succeed(socket);
    };
    const timer = setTimeout(fail, connectMs, undefined, "ETIMEDOUT");
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const connect = async (): Promise<void> => {
      if (isSettled) return;
      await Bun.connect<State>({
        hostname,
        port: Number(url.port) || (isSecure ? 443 : 80),
        data: { opening: { taken, succeed, fail }, occupant: undefined, kept: undefined },
        ...(isSecure && { tls: { serverName: hostname, rejectUnauthorized: true } }),
        socket: handlers,
      });
    };
    inTurn(hostname, connect).catch(fail);
  });

export const createSocketPool = (): SocketPool => {
  const kept = new Map<string, PooledSocket[]>();
  const inTurn = createConnectInTurn();

  const drop = (socket: PooledSocket): void => {
    for (const sockets of kept.values()) {
      const index = sockets.indexOf(socket);
      if (index >= 0) sockets.splice(index, 1);
    }
  };
  const handlers: SocketHandler<State> = {
    open: (socket) => socket.data.opening?.taken(socket),
    handshake(socket, isTrusted, error) {
      if (isTrusted) return socket.data.opening?.succeed(socket);
      socket.data.opening?.fail(error);
      socket.terminate();
    },
    connectError: (socket, error) => socket.data.opening?.fail(error),
    data(socket, bytes) {
      // Data on an idle connection is not an answer to anything.
      if (socket.data.occupant === undefined) socket.terminate();
      else socket.data.occupant.onData(bytes);
    },
    drain: (socket) => socket.data.occupant?.onDrain(),
    timeout(socket) {
      if (socket.data.kept !== undefined) socket.terminate();
    },
    close(socket) {
      if (socket.data.kept !== undefined) drop(socket);
      socket.data.opening?.fail(undefined);
      socket.data.occupant?.onClose();
    },
    error: (socket) => socket.data.occupant?.onClose(),
  };

  return {
    async take(origin) {
      for (let socket = kept.get(origin)?.pop(); socket !== undefined; socket = kept.get(origin)?.pop()) {
        const idle = socket.data.kept!;
        socket.data.kept = undefined;
        socket.timeout(0);
        socket.ref();
        if (isOutdated(idle)) socket.terminate();
        else if (performance.now() - idle.since > SURELY_OPEN_MS) await newsOfSockets();
        if (socket.readyState > 0) return socket;
      }
      return undefined;
    },
    connect: (url, connectMs, signal) => openSocket(inTurn, url, connectMs, signal, handlers),
    keep(origin, socket) {
      socket.data.occupant = undefined;
      const sockets = kept.get(origin) ?? [];
      if (sockets.length >= MOST_KEPT_PER_ORIGIN) {
        socket.end();
        return;
      }
      kept.set(origin, sockets);
      sockets.push(socket);
      socket.data.kept = { since: performance.now(), at: Date.now() };
      socket.timeout(KEPT_FOR_S);
      // Idle connections must not keep a finished program alive.
      socket.unref();
    },
  };
};
