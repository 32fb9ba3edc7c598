/** The body of an answer, between the connection that brings it and the reader to whom it is handed on. */

import type { TakePiece } from "./transport.ts";
import type { WaitingBytes } from "./waiting-bytes.ts";

/** Held for a reader that is busy; beyond it the connection is not read. */
const MOST_WAITING_BYTES = 64 * 1024;
/** Handed on at once: where the caller reads slowly, every step on the way to him holds so much. */
const MOST_TAKEN_BYTES = 16 * 1024;
const PACKED_BYTES = 64 * 1024;
const FASTEST = { level: 1 };

type BodyQueue = {
  push(piece: Uint8Array): void;
  /** What was pushed since is handed on together: the pieces of one packet are one piece for the reader. */
  flush(): void;
  /** Nothing follows. */
  end(): void;
  /** Nothing follows, though more should. What waits is handed on first. */
  fail(error: unknown): void;
  /** To be called once; see `TransportAnswer`. */
  flow(take: TakePiece): Promise<void>;
};

type Piece = Uint8Array | { packed: Uint8Array };
const unpacked = (piece: Piece): Uint8Array =>
  "packed" in piece ? Bun.zstdDecompressSync(piece.packed as Uint8Array<ArrayBuffer>) : piece;

export const createBodyQueue = (connection: { pause(): void; resume(): void }, waiting: WaitingBytes): BodyQueue => {
  let pieces: Piece[] = [];
  let waitingBytes = 0;
  let isPaused = false;
  /** Absent until there is a reader, and while it is busy: then nothing waits. */
  let ready: TakePiece | undefined;
  let ending: { error?: unknown } | undefined;
  const over = Promise.withResolvers<void>();

  /** The next pieces that are `most` bytes together, or a part of one that is larger alone. */
  const takeParts = (most: number): Uint8Array[] => {
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
  const next = (): Uint8Array => {
    const parts = takeParts(MOST_TAKEN_BYTES);
    const [only] = parts;
    // Copied: a part of something large would keep all of it in memory, for as long as the reader keeps the part.
    const taken = parts.length > 1 || only!.buffer.byteLength > MOST_TAKEN_BYTES ? Buffer.concat(parts) : only!;
    waitingBytes -= taken.length;
    return taken;
  };
  /** In blocks, so that who reads on slowly unpacks each once. */
  const pack = (): void => {
    const packed: Piece[] = [];
    while (pieces.length > 0) {
      const parts = takeParts(PACKED_BYTES);
      packed.push({ packed: Bun.zstdCompressSync(parts.length > 1 ? Buffer.concat(parts) : parts[0]!, FASTEST) });
    }
    pieces = packed;
  };
  const waitingBody = { pack };
  const letGo = (): void => {
    isPaused = false;
    waiting.release(waitingBody);
  };
  const readOn = (): void => {
    if (!isPaused) return;
    letGo();
    connection.resume();
  };
  const refuse = (error: unknown): void => {
    ready = undefined;
    over.reject(error);
  };
  const handOn = (take: TakePiece, piece: Uint8Array): void => {
    try {
      const busy = take(piece);
      if (busy === undefined) return;
      ready = undefined;
      busy.then(() => goOn(take), refuse);
    } catch (error) {
      refuse(error);
    }
  };
  const goOn = (take: TakePiece): void => {
    ready = take;
    while (ready !== undefined && pieces.length > 0) handOn(take, next());
    if (pieces.length > 0) return;
    readOn();
    if (ready === undefined || ending === undefined) return;
    if ("error" in ending) over.reject(ending.error);
    else over.resolve();
  };
  return {
    push(piece) {
      pieces.push(piece);
      waitingBytes += piece.length;
    },
    flush() {
      const [only] = pieces;
      if (ready !== undefined && pieces.length === 1 && waitingBytes <= MOST_TAKEN_BYTES) {
        pieces.length = 0;
        waitingBytes = 0;
        // Nothing was waiting: it is all of its packet.
        handOn(ready, only as Uint8Array);
      } else if (ready !== undefined) goOn(ready);
      if (waitingBytes <= MOST_WAITING_BYTES) return;
      if (!isPaused) connection.pause();
      isPaused = true;
      waiting.hold(waitingBody, waitingBytes);
    },
    end() {
      ending ??= {};
      readOn();
      if (ready !== undefined) goOn(ready);
    },
    fail(error) {
      ending ??= { error };
      letGo();
      if (ready !== undefined) goOn(ready);
    },
    flow(take) {
      goOn(take);
      return over.promise;
    },
  };
};
