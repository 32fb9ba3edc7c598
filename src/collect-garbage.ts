/**
 * Collects garbage before the runtime would. It lets the heap grow to several times of what is alive, and collects nothing while nothing is
 * allocated: two hundred readers that stand still were half a gigabyte of bytes that had long been sent.
 */

import { gcAndSweep, heapSize } from "bun:jsc";

const LOOK_EVERY_MS = 100;
/** A look goes through the heap's blocks: where they are many, 2 ms. */
const LOOK_AT_LARGE_EVERY_MS = 5_000;
/** A collection holds the thread for 10 to 20 ms. Before the heap has grown by so much, under usual load, the runtime collects beside it. */
const MOST_GROWTH_BYTES = 64_000_000;
/** To go through a larger one would hold up all streams at once; the runtime's own collections run beside them. */
const LARGE_HEAP_BYTES = 96_000_000;

type Heap = { sizeBytes(): number; collect(): void };
const ofTheRuntime: Heap = { sizeBytes: heapSize, collect: gcAndSweep };

/** Returns one look at the heap, which returns the milliseconds until the next. */
export const createCollector = (heap: Heap = ofTheRuntime): (() => number) => {
  /** About what is alive: the least that was seen since the last collection. */
  let leastBytes = heap.sizeBytes();
  return () => {
    const size = heap.sizeBytes();
    leastBytes = Math.min(leastBytes, size);
    if (leastBytes > LARGE_HEAP_BYTES) return LOOK_AT_LARGE_EVERY_MS;
    if (size >= leastBytes + MOST_GROWTH_BYTES) {
      heap.collect();
      leastBytes = heap.sizeBytes();
    }
    return LOOK_EVERY_MS;
  };
};

/** Returns what ends it. */
export const startCollecting = (): (() => void) => {
  const look = createCollector();
  let timer: Timer;
  const lookIn = (ms: number): void => {
    timer = setTimeout(() => lookIn(look()), ms);
    timer.unref();
  };
  lookIn(LOOK_EVERY_MS);
  return () => clearTimeout(timer);
};
