/** The body of an answer, between the connection that brings it and the reader who asks for it. */

/** Held for a reader that does not ask; beyond it the connection is not read. */
const MOST_WAITING_BYTES = 64 * 1024;

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

export const createBodyQueue = (connection: { pause(): void; resume(): void }): BodyQueue => {
  let pieces: Uint8Array[] = [];
  let waitingBytes = 0;
  let isPaused = false;
  let asked: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  let state: "open" | "ended" | "failed" = "open";
  let failure: unknown;

  const take = (): Uint8Array | undefined => {
    const taken = pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
    pieces = [];
    waitingBytes = 0;
    return taken;
  };
  const answer = (): PromiseWithResolvers<Uint8Array | undefined> | undefined => {
    const waiting = asked;
    asked = undefined;
    return waiting;
  };
  return {
    push(piece) {
      pieces.push(piece);
      waitingBytes += piece.length;
    },
    flush() {
      if (asked !== undefined && pieces.length > 0) answer()!.resolve(take());
      if (isPaused || waitingBytes <= MOST_WAITING_BYTES) return;
      isPaused = true;
      connection.pause();
    },
    end() {
      state = "ended";
      if (isPaused) connection.resume();
      isPaused = false;
      answer()?.resolve(take());
    },
    fail(error) {
      state = "failed";
      failure = error;
      answer()?.reject(error);
    },
    read() {
      if (pieces.length > 0) {
        if (isPaused) connection.resume();
        isPaused = false;
        return Promise.resolve(take());
      }
      if (state === "ended") return Promise.resolve(undefined);
      if (state === "failed") return Promise.reject(failure);
      asked = Promise.withResolvers();
      return asked.promise;
    },
  };
};
