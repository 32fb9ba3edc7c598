/**
 * What passes through is garbage as soon as it has left, several times over: bytes, texts, events, frames. By itself the runtime lets the
 * heap double before it looks; of two hundred floods that were half as much memory again as is in use.
 */

import { heapSize } from "bun:jsc";

const LEAST_BYTES = 1_000_000;
/** A collection of what is young goes through more where more is alive: streams by the thousand are asked for one a second. */
const HEAP_SHARE = 1 / 64;

type Heap = { sizeBytes(): number; collect(): void };
/** Beside the work. What is older is collected by it only when the runtime finds that there is much. */
const ofTheRuntime: Heap = { sizeBytes: heapSize, collect: () => void Bun.gc(false) };

/** To be told of the bytes that come. */
export const createPassingBytes = (heap: Heap = ofTheRuntime): ((bytes: number) => void) => {
  let left = LEAST_BYTES;
  return (bytes) => {
    left -= bytes;
    if (left > 0) return;
    heap.collect();
    left = Math.max(LEAST_BYTES, heap.sizeBytes() * HEAP_SHARE);
  };
};
