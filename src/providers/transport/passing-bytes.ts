/**
 * Everything that passes through leaves several generations of garbage: bytes, texts, events, frames. Left alone, the runtime lets the heap
 * double before it collects; with two hundred floods that was half as much memory again as is in use.
 */

import { heapSize } from "bun:jsc";

const LEAST_BYTES = 1_000_000;
/** Collecting young objects takes longer the larger the heap is; with streams by the thousand, one collection a second is enough. */
const HEAP_SHARE = 1 / 64;

type Heap = { sizeBytes(): number; collect(): void };
/** Runs concurrently. Old objects are collected only when the runtime sees a need. */
const ofTheRuntime: Heap = { sizeBytes: heapSize, collect: () => void Bun.gc(false) };

/** Returns a function to call with the number of bytes that arrived. */
export const createPassingBytes = (heap: Heap = ofTheRuntime): ((bytes: number) => void) => {
  let left = LEAST_BYTES;
  return (bytes) => {
    left -= bytes;
    if (left > 0) return;
    heap.collect();
    left = Math.max(LEAST_BYTES, heap.sizeBytes() * HEAP_SHARE);
  };
};
