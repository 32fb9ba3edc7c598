/** The body of an answer, between the connection that brings it and the reader who asks for it. */

import type { WaitingBytes } from "./waiting-bytes.ts";

/** Held for a reader that does not ask; beyond it the connection is not read. */
const MOST_WAITING_BYTES = 64 * 1024;
/** Read at once: where the caller reads slowly, every step on the way to him holds so much. */
const MOST_READ_BYTES = 16 * 1024;
const PACKED_BYTES = 64 * 1024;
const FASTEST = { level: 1 };

type BodyQueue = {
  push(piece: Uint8Array): void;
  /** What was pushed since is handed on together: the pieces of one packet are one piece for the reader. */
  flush(): void;
  /** Nothing follows. */
  end(): void;
  /** Nothing follows, though more should. What waits can still be read. */
  fail(error: unknown): void;
  /** The next bytes; undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
};

type Piece = Uint8Array | { packed: Uint8Array };
const unpacked = (piece: Piece): Uint8Array =>
  "packed" in piece ? Bun.zstdDecompressSync(piece.packed as Uint8Array<ArrayBuffer>) : piece;

export const createBodyQueue = (connection: { pause(): void; resume(): void }, waiting: WaitingBytes): BodyQueue => {
  let pieces: Piece[] = [];
  let waitingBytes = 0;
  let isPaused = false;
  let asked: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  let state: "open" | "ended" | "failed" = "open";
  let failure: unknown;

  /** Small ones together, of a large one a part. */
  const take = (): Uint8Array => {
    const taken: Uint8Array[] = [];
    let room = MOST_READ_BYTES;
    while (room > 0 && pieces.length > 0) {
      const piece = unpacked(pieces[0]!);
      const part = piece.length > room ? piece.subarray(0, room) : piece;
      if (part === piece) pieces.shift();
      else pieces[0] = piece.subarray(room);
      taken.push(part);
      room -= part.length;
    }
    waitingBytes -= MOST_READ_BYTES - room;
    const [only] = taken;
    // Copied: a part of something large would keep all of it in memory, for as long as the reader keeps the part.
    return taken.length > 1 || only!.buffer.byteLength > MOST_READ_BYTES ? Buffer.concat(taken) : only!;
  };
  /** In blocks, so that who reads on slowly unpacks each once. */
  const pack = (): void => {
    const bytes = Buffer.concat(pieces.map(unpacked));
    pieces = [];
    for (let from = 0; from < bytes.length; from += PACKED_BYTES)
      pieces.push({ packed: Bun.zstdCompressSync(bytes.subarray(from, from + PACKED_BYTES), FASTEST) });
  };
  const waitingBody = { pack };
  const goOn = (): void => {
    if (!isPaused) return;
    isPaused = false;
    waiting.release(waitingBody);
    connection.resume();
  };
  const answer = (): PromiseWithResolvers<Uint8Array | undefined> | undefined => {
    const reader = asked;
    asked = undefined;
    return reader;
  };
  return {
    push(piece) {
      pieces.push(piece);
      waitingBytes += piece.length;
    },
    flush() {
      if (asked !== undefined && pieces.length > 0) answer()!.resolve(take());
      if (waitingBytes <= MOST_WAITING_BYTES) return;
      if (!isPaused) connection.pause();
      isPaused = true;
      waiting.hold(waitingBody, waitingBytes);
    },
    end() {
      state = "ended";
      goOn();
      answer()?.resolve(pieces.length > 0 ? take() : undefined);
    },
    fail(error) {
      state = "failed";
      failure = error;
      isPaused = false;
      waiting.release(waitingBody);
      answer()?.reject(error);
    },
    read() {
      if (pieces.length > 0) {
        const taken = take();
        if (pieces.length === 0) goOn();
        return Promise.resolve(taken);
      }
      if (state === "ended") return Promise.resolve(undefined);
      if (state === "failed") return Promise.reject(failure);
      asked = Promise.withResolvers();
      return asked.promise;
    },
  };
};
