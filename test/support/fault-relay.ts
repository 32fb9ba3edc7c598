/**
 * A TCP relay that spoils the way between Signalbox and an upstream as told, exchange by exchange: what happens follows from the
 * seed and the order of exchanges, so that a failure can be had again.
 */

import { connect, createServer, type Socket } from "node:net";
import { randomFrom } from "./random.ts";

/** What one exchange (a request and its answer) meets. Bytes count the answer's, its head included. */
export type Fault =
  | { kind: "none" }
  /** Each piece of the answer comes this much later. */
  | { kind: "latency"; ms: number }
  | { kind: "bandwidth"; bytesPerSecond: number }
  /** The answer arrives in pieces of this size: inside characters, line ends and chunk heads. */
  | { kind: "slices"; bytes: number }
  /** The connection is reset (RST). */
  | { kind: "reset"; afterBytes: number }
  /** The upstream's side is closed (FIN) though the answer is not whole. */
  | { kind: "half-close"; afterBytes: number }
  /** Random bytes instead of the rest. */
  | { kind: "garbage"; afterBytes: number }
  /** Nothing more comes, and the connection stays. */
  | { kind: "silence"; afterBytes: number };

export type FaultPlan = (exchange: number, random: () => number) => Fault;

type FaultRelay = {
  url: string;
  /** From the next exchange on. */
  plan(plan: FaultPlan): void;
  /** Requests that were begun, and how many of them were not let through unharmed. */
  exchanges(): number;
  faults(): number;
  connections(): number;
  stop(): void;
};

export const startFaultRelay = async (upstreamUrl: string, seed = 1): Promise<FaultRelay> => {
  const target = new URL(upstreamUrl);
  const random = randomFrom(seed).next;
  const sockets = new Set<Socket>();
  const counted = { exchanges: 0, faults: 0, connections: 0 };
  let plan: FaultPlan = () => ({ kind: "none" });

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    counted.connections++;
    const upstream = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true, noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => socket.destroy());
    }
    let answer: ((bytes: Buffer) => void) | undefined;
    let answered = false;
    client.on("data", (bytes) => {
      // The first bytes after an answer (or at all) begin a new exchange.
      if (answer === undefined || answered) {
        answered = false;
        counted.exchanges++;
        const fault = plan(counted.exchanges, random);
        if (fault.kind !== "none") counted.faults++;
        answer = spoil(fault, client, upstream, random);
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      answered = true;
      answer?.(bytes as Buffer);
    });
    client.on("end", () => upstream.end());
    upstream.on("end", () => client.end());
    client.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    plan: (next) => {
      plan = next;
    },
    exchanges: () => counted.exchanges,
    faults: () => counted.faults,
    connections: () => counted.connections,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

/** Hands the answer's bytes on to the client, as the fault lets them. */
const spoil = (fault: Fault, client: Socket, upstream: Socket, random: () => number): ((bytes: Buffer) => void) => {
  let sent = 0;
  let over = false;
  let queue = Promise.resolve();
  const paced = (pieces: Buffer[], msEach: number) => {
    for (const piece of pieces) {
      queue = queue.then(() => Bun.sleep(msEach)).then(() => void (client.destroyed || client.write(piece)));
    }
  };
  /** Up to the fault's place in the answer; then `end`, once. */
  const until = (afterBytes: number, end: () => void) => (bytes: Buffer) => {
    if (over) return;
    const rest = Math.max(0, afterBytes - sent);
    const piece = bytes.subarray(0, rest);
    sent += piece.length;
    if (sent < afterBytes) return void client.write(piece);
    over = true;
    if (piece.length === 0) return end();
    client.write(piece, () => end());
  };
  switch (fault.kind) {
    case "none":
      return (bytes) => void client.write(bytes);
    case "latency":
      return (bytes) => paced([bytes], fault.ms);
    case "bandwidth":
      return (bytes) => paced([bytes], (bytes.length * 1000) / fault.bytesPerSecond);
    case "slices":
      return (bytes) => paced(slicesOf(bytes, fault.bytes), 0);
    case "reset":
      return until(fault.afterBytes, () => {
        client.resetAndDestroy();
        upstream.destroy();
      });
    case "half-close":
      return until(fault.afterBytes, () => client.end());
    case "garbage":
      return until(fault.afterBytes, () => {
        client.end(Buffer.from(Array.from({ length: 512 }, () => Math.floor(random() * 256))));
      });
    case "silence":
      return until(fault.afterBytes, () => undefined);
  }
};

const slicesOf = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
