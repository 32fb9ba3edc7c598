/** A stream of bytes that are made, piece by piece, as they are read. */

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The types of the runtime do not know `from` yet. */
export const streamOf = (pieces: Pieces): ReadableStream<Uint8Array> =>
  (ReadableStream as unknown as { from(pieces: Pieces): ReadableStream<Uint8Array> }).from(pieces);
