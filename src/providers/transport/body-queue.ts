/** The body of an answer, between the connection that brings it and the reader to whom it is handed on. */

import type { TakePiece } from "./transport.ts";
import type { WaitingBody, WaitingBytes } from "./waiting-bytes.ts";

/** Held for a reader that is busy; beyond it the connection is not read. */
const MOST_WAITING_BYTES = 64 * 1024;
/** Handed on at once: where the caller reads slowly, every step on the way to him holds so much. What is larger lies scattered in memory. */
const MOST_TAKEN_BYTES = 4 * 1024;
const PACKED_BYTES = 64 * 1024;
const FASTEST = { level: 1 };

type Connection = { pause(): void; resume(): void };
type Piece = Uint8Array | { packed: Uint8Array };

export type BodyQueue = {
  connection: Connection;
  waiting: WaitingBytes;
  pieces: Piece[];
  waitingBytes: number;
  isPaused: boolean;
  /** Absent until there is a reader, and while it is busy: then nothing waits. */
  ready: TakePiece | undefined;
  ending: { error?: unknown } | undefined;
  /** From the moment in which there is a reader. */
  over: Omit<PromiseWithResolvers<void>, "promise"> | undefined;
  /** How the queue is known among those that wait, once it was. */
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

export const pushPiece = (queue: BodyQueue, piece: Uint8Array): void => {
  queue.pieces.push(piece);
  queue.waitingBytes += piece.length;
};

/** What was pushed since is handed on together: the pieces of one packet are one piece for the reader. */
export const flushPieces = (queue: BodyQueue): void => {
  const { pieces, ready } = queue;
  if (ready !== undefined && pieces.length === 1 && queue.waitingBytes <= MOST_TAKEN_BYTES) {
    const [only] = pieces;
    pieces.length = 0;
    queue.waitingBytes = 0;
    // Nothing was waiting: it is all of its packet.
    handOn(queue, ready, only as Uint8Array);
  } else if (ready !== undefined) goOn(queue, ready);
  if (queue.waitingBytes <= MOST_WAITING_BYTES) return;
  if (!queue.isPaused) queue.connection.pause();
  queue.isPaused = true;
  queue.waitingBody ??= { pack: () => pack(queue) };
  queue.waiting.hold(queue.waitingBody, queue.waitingBytes);
};

/** Nothing follows. */
export const endBody = (queue: BodyQueue): void => {
  queue.ending ??= {};
  readOn(queue);
  if (queue.ready !== undefined) goOn(queue, queue.ready);
};

/** Nothing follows, though more should. What waits is handed on first. */
export const failBody = (queue: BodyQueue, error: unknown): void => {
  queue.ending ??= { error };
  letGo(queue);
  if (queue.ready !== undefined) goOn(queue, queue.ready);
};

/** To be called once; see `TransportAnswer`. */
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

const handOn = (queue: BodyQueue, take: TakePiece, piece: Uint8Array): void => {
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

const next = (queue: BodyQueue): Uint8Array => {
  const parts = takeParts(queue.pieces, MOST_TAKEN_BYTES);
  const [only] = parts;
  // Copied: a part of something large would keep all of it in memory, for as long as the reader keeps the part.
  const isCopied = parts.length > 1 || only!.buffer.byteLength > MOST_TAKEN_BYTES;
  const taken = isCopied ? Buffer.concat(parts) : only!;
  if (isCopied) giveBack(parts, queue.pieces[0]);
  queue.waitingBytes -= taken.length;
  return taken;
};

/** The memory of what was copied is free at once, for the next that comes: until the collector saw to it, as much again would be taken. */
const giveBack = (copied: readonly Uint8Array[], next: Piece | undefined): void => {
  const needed = next !== undefined && "buffer" in next ? next.buffer : undefined;
  for (const { buffer } of copied) {
    if (buffer !== needed && buffer.byteLength > MOST_TAKEN_BYTES) (buffer as ArrayBuffer).transfer(0);
  }
};

/** The next pieces that are `most` bytes together, or a part of one that is larger alone. */
const takeParts = (pieces: Piece[], most: number): Uint8Array[] => {
  const first = unpacked(pieces[0]!);
  if (first.length > most) {
    pieces[0] = first.subarray(most);
    return [first.subarray(0, most)];
  }
  const parts = [first];
  let bytes = first.length;
  for (let at = 1; at < pieces.length; at++) {
    const piece = pieces[at]!;
    if ("packed" in piece || bytes + piece.length > most) break;
    bytes += piece.length;
    parts.push(piece);
  }
  pieces.splice(0, parts.length);
  return parts;
};

const unpacked = (piece: Piece): Uint8Array =>
  "packed" in piece ? Bun.zstdDecompressSync(piece.packed as Uint8Array<ArrayBuffer>) : piece;

/** In blocks, so that who reads on slowly unpacks each once. */
const pack = (queue: BodyQueue): void => {
  const packed: Piece[] = [];
  while (queue.pieces.length > 0) {
    const parts = takeParts(queue.pieces, PACKED_BYTES);
    packed.push({ packed: Bun.zstdCompressSync(parts.length > 1 ? Buffer.concat(parts) : parts[0]!, FASTEST) });
    giveBack(parts, queue.pieces[0]);
  }
  queue.pieces = packed;
};
