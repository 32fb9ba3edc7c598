/** Bodies that come compressed although nobody asked for it. */

import { type TransportAnswer, TransportError } from "./transport.ts";

const FORMATS: Record<string, string> = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "brotli", zstd: "zstd" };

/** The same answer, its `read` decompressed as `content-encoding` asks. Throws TransportError `MALFORMED` for an encoding that is not known. */
export const decompressed = (answer: TransportAnswer): TransportAnswer => {
  const encoding = answer.headers.get("content-encoding")?.toLowerCase();
  if (encoding === undefined || encoding === "" || encoding === "identity") return answer;
  const format = FORMATS[encoding];
  if (format === undefined) {
    answer.close();
    throw new TransportError("MALFORMED", `content-encoding ${encoding}`);
  }
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const piece = await answer.read();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece as Uint8Array<ArrayBuffer>);
    },
  });
  const reader = compressed.pipeThrough(new DecompressionStream(format as CompressionFormat)).getReader();
  const headers = new Headers(answer.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return { ...answer, headers, read: async () => (await reader.read()).value };
};
