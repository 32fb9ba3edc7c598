/** What a `Content-Encoding` is to a DecompressionStream. */

import { ownValue } from "./own-value.ts";

const FORMATS: Record<string, string> = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "brotli", zstd: "zstd" };

/** Undefined for one that is not known. */
export const compressionFormat = (encoding: string): CompressionFormat | undefined =>
  ownValue(FORMATS, encoding.toLowerCase()) as CompressionFormat | undefined;
