/**
 * Dot products of one query with many vectors, exact in integers: with SIMD sixteen at a time, else one by one with the same result. The
 * module is what `bunx --package wabt wat2wasm dot-products.wat --output=- | base64 -w 0` makes of dot-products.wat.
 */

const MODULE =
  "AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAEQcYAgZtZW1vcnkCAAtkb3RQcm9kdWN0cwAACvIBAe8BBQJ/AXsBfwF7AX8gAkFwcSEFAkADQCABRQ0B/QwAAAAAAAAAAAAAAAAAAAAAIQdBACEGIAMhCgJAA0AgBiAFTw0BIAAgBmr9AAAAIQkgByAJ/YcBIAr9AAEA/boBIAn9iAEgCv0AARD9ugH9rgH9rgEhByAGQRBqIQYgCkEgaiEKDAALCyAH/RsAIAf9GwFqIAf9GwIgB/0bA2pqIQgCQANAIAYgAk8NASAIIAAgBmosAAAgCi4BAGxqIQggBkEBaiEGIApBAmohCgwACwsgBCAINgIAIARBBGohBCAAIAJqIQAgAUEBayEBDAALCws=";

/** Layout of the module's memory of 17 pages of 64 KB. */
const QUERY_AT = 0;
const SUMS_AT = 65_536;
const VECTORS_AT = 131_072;
const VECTOR_BYTES = 262_144;
/** Larger vectors than there is room for are summed one by one; no embedder has them. */
const MOST_DIMENSIONS = 16_384;

type Kernel = {
  memory: WebAssembly.Memory;
  dotProducts(vectors: number, count: number, dimensions: number, query: number, sums: number): void;
};

const load = (): Kernel | undefined => {
  const bytes = Buffer.from(MODULE, "base64");
  if (!WebAssembly.validate(bytes)) return undefined;
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Kernel;
};

/** Shared, since its memory is filled and read within one call. */
const kernel = load();

/** The query with the vector that begins at `from`. */
export const dotProduct = (vectors: Int8Array, from: number, query: Int16Array): number => {
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += vectors[from + at]! * query[at]!;
  return sum;
};

const oneByOne = (vectors: Int8Array, query: Int16Array, sums: Int32Array): void => {
  for (let at = 0; at < sums.length; at++) sums[at] = dotProduct(vectors, at * query.length, query);
};

/** The query with the first `count` vectors, which lie one after the other. */
export const dotProducts = (vectors: Int8Array, count: number, query: Int16Array): Int32Array => {
  const sums = new Int32Array(count);
  const dimensions = query.length;
  if (kernel === undefined || dimensions > MOST_DIMENSIONS) {
    oneByOne(vectors, query, sums);
    return sums;
  }
  const { buffer } = kernel.memory;
  const room = new Int8Array(buffer, VECTORS_AT, VECTOR_BYTES);
  new Int16Array(buffer, QUERY_AT, dimensions).set(query);
  const atOnce = Math.min(Math.floor(VECTOR_BYTES / Math.max(1, dimensions)), (VECTORS_AT - SUMS_AT) / 4);
  for (let done = 0; done < count; done += atOnce) {
    const some = Math.min(atOnce, count - done);
    room.set(vectors.subarray(done * dimensions, (done + some) * dimensions));
    kernel.dotProducts(VECTORS_AT, some, dimensions, QUERY_AT, SUMS_AT);
    sums.set(new Int32Array(buffer, SUMS_AT, some), done);
  }
  return sums;
};
