import { describe, expect, test } from "bun:test";
import {
  type BodyQueue,
  createBodyQueue,
  endBody,
  flowBody,
  flushPieces,
  pushPiece,
} from "../../../src/providers/transport/body-queue.ts";
import { pieceOf, viewOf } from "../../../src/providers/transport/piece.ts";
import { createWaitingBytes } from "../../../src/providers/transport/waiting-bytes.ts";
import { randomFrom } from "../../support/random.ts";

const BURST_BYTES = 512 * 1024;
const MOST_READ_BYTES = 4 * 1024;

const connection = () => {
  const state = { isPaused: false };
  const set = (isPaused: boolean) => () => {
    state.isPaused = isPaused;
  };
  return { state, pause: set(true), resume: set(false) };
};

/** As the connection hands it over: memory of its own, which the queue may give back. */
const fill = (queue: BodyQueue, bytes: Uint8Array): Uint8Array => {
  const own = new Uint8Array(bytes);
  pushPiece(queue, pieceOf(own));
  flushPieces(queue);
  return own;
};

/** Words in the manner of an event stream, so that they can be packed; no two bursts are alike. */
const burst = (seed: number): Uint8Array => {
  const { next } = randomFrom(seed);
  const words = Array.from({ length: 200 }, () => `data: {"delta":"${next().toString(36)}"}\n\n`);
  return Buffer.from(words.join("").repeat(200)).subarray(0, BURST_BYTES);
};

/** A reader that is done with a piece when it asks for the next; undefined at the end. */
const readerOf = (queue: BodyQueue): (() => Promise<Uint8Array | undefined>) => {
  let told = Promise.withResolvers<Uint8Array | undefined>();
  let goOn = (): void =>
    void flowBody(queue, (piece) => {
      told.resolve(viewOf(piece));
      return new Promise((resolve) => {
        goOn = resolve;
      });
    }).then(() => told.resolve(undefined));
  return () => {
    told = Promise.withResolvers();
    goOn();
    return told.promise;
  };
};

const readAll = async (read: ReturnType<typeof readerOf>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for (let piece = await read(); piece !== undefined; piece = await read()) pieces.push(piece);
  return Buffer.concat(pieces);
};

describe("the body of an answer on its way to a slow reader", () => {
  test("is handed on in small pieces, and the connection is read again once all that waits is read", async () => {
    const { state, ...socket } = connection();
    const queue = createBodyQueue(socket, createWaitingBytes());
    const sent = burst(1);
    fill(queue, sent);
    const read = readerOf(queue);
    for (let from = 0; from < BURST_BYTES; from += MOST_READ_BYTES) {
      expect(state.isPaused).toBe(true);
      expect(Buffer.compare((await read())!, sent.subarray(from, from + MOST_READ_BYTES))).toBe(0);
    }
    expect(state.isPaused).toBe(false);
  });

  test("is read in pieces that keep nothing else in memory", async () => {
    const queue = createBodyQueue(connection(), createWaitingBytes());
    fill(queue, burst(2));
    endBody(queue);
    const read = readerOf(queue);
    for (let piece = await read(); piece !== undefined; piece = await read())
      expect(piece.buffer.byteLength).toBeLessThanOrEqual(MOST_READ_BYTES);
  });

  test("leaves no memory to the collector: what is read, or packed, is free at once, unless more waits in the same memory", async () => {
    const queue = createBodyQueue(connection(), createWaitingBytes());
    const shared = new Uint8Array(burst(5));
    for (const [from, to] of [
      [0, 10_000],
      [10_000, 30_000],
      [30_000, BURST_BYTES],
    ])
      pushPiece(queue, pieceOf(shared.subarray(from, to)));
    flushPieces(queue);
    const later = fill(queue, burst(6));
    endBody(queue);
    const read = readerOf(queue);
    for (let at = 0; at < BURST_BYTES; at += (await read())!.length) expect(shared.byteLength).toBe(BURST_BYTES);
    expect(shared.byteLength).toBe(0);
    expect(later.byteLength).toBe(BURST_BYTES);
    await readAll(read);
    expect(later.byteLength).toBe(0);
    const packed = fill(createBodyQueue(connection(), createWaitingBytes(0)), burst(7));
    expect(packed.byteLength).toBe(0);
  });

  test("is the same byte for byte where it was packed, unread or half read, and more came after it", async () => {
    const waiting = createWaitingBytes(0);
    const queue = createBodyQueue(connection(), waiting);
    const bytes = Buffer.concat([burst(3), burst(4), Buffer.from("the end")]);
    fill(queue, bytes.subarray(0, BURST_BYTES));
    const read = readerOf(queue);
    const begin = [await read(), await read()] as Uint8Array[];
    fill(queue, bytes.subarray(BURST_BYTES, 2 * BURST_BYTES));
    pushPiece(queue, pieceOf(new Uint8Array(bytes.subarray(2 * BURST_BYTES))));
    endBody(queue);
    expect(Buffer.compare(Buffer.concat([...begin, await readAll(read)]), bytes)).toBe(0);
  });

  test("takes little of the memory where hundreds stand still", () => {
    const used = (): number => {
      Bun.gc(true);
      return process.memoryUsage().arrayBuffers;
    };
    const waiting = createWaitingBytes();
    const before = used();
    const queues = Array.from({ length: 200 }, (_, number) => {
      const queue = createBodyQueue(connection(), waiting);
      fill(queue, burst(number));
      return queue;
    });
    expect(used() - before).toBeLessThan(0.25 * 200 * BURST_BYTES);
    expect(queues.length).toBe(200);
  });
});

describe("what all connections hold", () => {
  const body = (name: string, packed: string[]) => ({ pack: () => void packed.push(name) });

  test("is bounded together: what has waited longest is packed, and what is read or over no longer counts", () => {
    const packed: string[] = [];
    const waiting = createWaitingBytes(100);
    const [a, b, c, d] = [body("a", packed), body("b", packed), body("c", packed), body("d", packed)];
    waiting.hold(a, 60);
    waiting.hold(b, 40);
    expect(packed).toEqual([]);
    waiting.hold(a, 60);
    waiting.hold(c, 30);
    expect(packed).toEqual(["b"]);
    waiting.release(a);
    waiting.hold(d, 70);
    expect(packed).toEqual(["b"]);
    waiting.hold(b, 200);
    expect(packed).toEqual(["b", "c", "d", "b"]);
  });
});
