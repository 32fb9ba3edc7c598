/** Decompresses bodies that were compressed although we did not ask for it. */

import { compressionFormat } from "../../lib/compression-formats.ts";
import { pieceOf, viewOf } from "./piece.ts";
import { type TakePiece, type TransportAnswer, TransportError } from "./transport.ts";

/** The answer with its body decompressed according to `content-encoding`. Throws TransportError `MALFORMED` for an unknown encoding. */
export const decompressed = (answer: TransportAnswer): TransportAnswer => {
  const encoding = answer.headers.get("content-encoding")?.toLowerCase();
  if (encoding === undefined || encoding === "" || encoding === "identity") return answer;
  const format = compressionFormat(encoding);
  if (format === undefined) {
    answer.close();
    throw new TransportError("MALFORMED", `content-encoding ${encoding}`);
  }
  const { readable, writable } = new DecompressionStream(format);
  const headers = new Headers();
  answer.headers.forEach((value, name) => {
    if (name !== "content-encoding" && name !== "content-length") headers.append(name, value);
  });
  const flow = async (take: TakePiece): Promise<void> => {
    const unpacking = unpack(answer, writable.getWriter());
    // The reader gets the error.
    unpacking.catch(() => undefined);
    for await (const piece of readable) await take(pieceOf(piece));
    await unpacking;
  };
  return { ...answer, headers, flow };
};

const unpack = async (answer: TransportAnswer, packed: WritableStreamDefaultWriter<BufferSource>): Promise<void> => {
  try {
    await answer.flow((piece) => packed.write(viewOf(piece)));
    await packed.close();
  } catch (error) {
    packed.abort(error).catch(() => undefined);
    throw error;
  }
};
