/** The body of an answer, between the connection that receives it and the reader that consumes it. */

import { type Piece, pieceOf, sizeOf, viewOf } from "./piece.ts";
import type { TakePiece } from "./transport.ts";
import type { WaitingBody, WaitingBytes } from "./waiting-bytes.ts";

/** Most bytes held for a busy reader; beyond that, the connection is paused. */
const MOST_WAITING_BYTES = 64 * 1024;
/** Most bytes passed on at once: with a slow caller every stage holds that much, and larger blocks would fragment the memory. */
const MOST_TAKEN_BYTES = 4 * 1024;
const PACKED_BYTES = 64 * 1024;
const FASTEST = { level: 1 };

type Connection = { pause(): void; resume(): void };
type Waiting = Piece | { packed: Uint8Array };

export type BodyQueue = {
  connection: Connection;
  waiting: WaitingBytes;
  pieces: Waiting[];
  waitingBytes: number;
  isPaused: boolean;
  /** The reader, if it is ready; undefined before there is one and while it is busy. */
  ready: TakePiece | undefined;
  ending: { error?: unknown } | undefined;
  /** Set once there is a reader. */
  over: Omit<PromiseWithResolvers<void>, "promise"> | undefined;
  /** This queue's entry among the bodies that wait for their readers, once it had one. */
  waitingBody: WaitingBody | undefined;
};

export const createBodyQueue = (connection: Connection, waiting: WaitingBytes): BodyQueue => ({
  connection,
  waiting,
  pieces: [],
  waitingBytes: 0,
  isPaused: false,
  ready: undefined,
  ending: undefined,
  over: undefined,
  waitingBody: undefined,
});

export const pushPiece = (queue: BodyQueue, piece: Piece): void => {
  queue.pieces.push(piece);
  queue.waitingBytes += sizeOf(piece);
};

/** Passes on all that was pushed since the last time as one piece, since it came in one packet. */
export const flushPieces = (queue: BodyQueue): void => {
  const { pieces, ready } = queue;
  if (ready !== undefined && pieces.length === 1 && queue.waitingBytes <= MOST_TAKEN_BYTES) {
    const [only] = pieces;
    pieces.length = 0;
    queue.waitingBytes = 0;
    // Nothing was waiting, so this is its whole packet.
    handOn(queue, ready, only as Piece);
  } else if (ready !== undefined) goOn(queue, ready);
  if (queue.waitingBytes <= MOST_WAITING_BYTES) return;
  if (!queue.isPaused) queue.connection.pause();
  queue.isPaused = true;
  queue.waitingBody ??= { pack: () => pack(queue) };
  queue.waiting.hold(queue.waitingBody, queue.waitingBytes);
};

/** Marks the end of the body. */
export const endBody = (queue: BodyQueue): void => {
  queue.ending ??= {};
  readOn(queue);
  if (queue.ready !== undefined) goOn(queue, queue.ready);
};

/** The body ended too early. What waits is passed on first. */
export const failBody = (queue: BodyQueue, error: unknown): void => {
  queue.ending ??= { error };
  letGo(queue);
  if (queue.ready !== undefined) goOn(queue, queue.ready);
};

/** Call it once; see `TransportAnswer`. */
export const flowBody = (queue: BodyQueue, take: TakePiece): Promise<void> =>
  new Promise((resolve, reject) => {
    queue.over = { resolve, reject };
    goOn(queue, take);
  });

const goOn = (queue: BodyQueue, take: TakePiece): void => {
  queue.ready = take;
  while (queue.ready !== undefined && queue.pieces.length > 0) handOn(queue, take, next(queue));
  if (queue.pieces.length > 0) return;
  readOn(queue);
  const { ready, ending, over } = queue;
  if (ready === undefined || ending === undefined) return;
  if ("error" in ending) over?.reject(ending.error);
  else over?.resolve();
};

const handOn = (queue: BodyQueue, take: TakePiece, piece: Piece): void => {
  try {
    const busy = take(piece);
    if (busy === undefined) return;
    queue.ready = undefined;
    busy.then(
      () => goOn(queue, take),
      (error) => refuse(queue, error),
    );
  } catch (error) {
    refuse(queue, error);
  }
};

const refuse = (queue: BodyQueue, error: unknown): void => {
  queue.ready = undefined;
  queue.over?.reject(error);
};

const readOn = (queue: BodyQueue): void => {
  if (!queue.isPaused) return;
  letGo(queue);
  queue.connection.resume();
};

const letGo = (queue: BodyQueue): void => {
  queue.isPaused = false;
  if (queue.waitingBody !== undefined) queue.waiting.release(queue.waitingBody);
};

const next = (queue: BodyQueue): Piece => {
  const parts = takeParts(queue.pieces, MOST_TAKEN_BYTES);
  const [only] = parts;
  // Copied, because a slice of a large buffer would keep all of it in memory as long as the reader keeps the slice.
  const isCopied = parts.length > 1 || only!.bytes.buffer.byteLength > MOST_TAKEN_BYTES;
  const taken = isCopied ? pieceOf(Buffer.concat(parts.map(viewOf))) : only!;
  if (isCopied) giveBack(parts, queue.pieces[0]);
  queue.waitingBytes -= sizeOf(taken);
  return taken;
};

/** Frees the memory of copied pieces at once; until the next garbage collection, as much again would be allocated. */
const giveBack = (copied: readonly Piece[], next: Waiting | undefined): void => {
  const needed = next !== undefined && "bytes" in next ? next.bytes.buffer : undefined;
  for (const { bytes } of copied) {
    const { buffer } = bytes;
    if (buffer !== needed && buffer.byteLength > MOST_TAKEN_BYTES) (buffer as ArrayBuffer).transfer(0);
  }
};

/** Takes the next pieces up to `most` bytes together, or part of a single larger one. */
const takeParts = (pieces: Waiting[], most: number): Piece[] => {
  const first = unpacked(pieces[0]!);
  if (sizeOf(first) > most) {
    const cut = first.from + most;
    pieces[0] = { ...first, from: cut };
    return [{ ...first, to: cut }];
  }
  const parts = [first];
  let size = sizeOf(first);
  for (let at = 1; at < pieces.length; at++) {
    const piece = pieces[at]!;
    if ("packed" in piece || size + sizeOf(piece) > most) break;
    size += sizeOf(piece);
    parts.push(piece);
  }
  pieces.splice(0, parts.length);
  return parts;
};

const unpacked = (piece: Waiting): Piece =>
  "packed" in piece ? pieceOf(Bun.zstdDecompressSync(piece.packed as Uint8Array<ArrayBuffer>)) : piece;

/** Compresses waiting bytes in blocks, so that a slow reader decompresses each only once. */
const pack = (queue: BodyQueue): void => {
  const packed: Waiting[] = [];
  while (queue.pieces.length > 0) {
    const parts = takeParts(queue.pieces, PACKED_BYTES);
    packed.push({
      packed: Bun.zstdCompressSync(parts.length > 1 ? Buffer.concat(parts.map(viewOf)) : viewOf(parts[0]!), FASTEST),
    });
    giveBack(parts, queue.pieces[0]);
  }
  queue.pieces = packed;
};
