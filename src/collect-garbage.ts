/**
 * Collects garbage earlier than the runtime would. By itself it lets the heap grow to several times what is alive, and collects nothing
 * while nothing is allocated: two hundred stalled readers held half a gigabyte of bytes that had long been sent, ten thousand ended streams
 * as much.
 */

import { gcAndSweep, heapSize } from "bun:jsc";

const LOOK_EVERY_MS = 100;
/** Measuring the heap walks its blocks: a quarter of a millisecond if little is alive, 2 ms if there are many. */
const MOST_SHARE_TO_MEASURE = 1 / 2_000;
/**
 * A collection blocks the thread for 10 to 20 ms. Under usual load the runtime collects concurrently before the heap has grown by this
 * much.
 */
const MOST_GROWTH_BYTES = 64_000_000;
/** A full collection of a larger heap would stall all streams; the runtime's own collections run concurrently. */
const LARGE_HEAP_BYTES = 80_000_000;
/**
 * After a burst of this many calls a collection is worthwhile: much of their garbage is too old for the runtime's quick collections. After
 * fewer it frees little and delays others: two hundred streams were 47 ms late.
 */
const BURST_REQUESTS = 500;
/** With more requests still open, it would delay them by more than a tenth of a second. */
const MOST_OPEN_REQUESTS = 2_500;
/** Limits the share of time spent on collections under intermittent load. */
const MOST_SHARE_OF_TIME = 1 / 100;
/** Garbage of this many beginning requests is collected before more begin: a thousand streams at once took 27 MB less. */
const BEGUN_REQUESTS = 200;
/** With thousands of open requests, collecting young objects takes longer, so it is done less often. */
const BEGUN_SHARE = 1 / 8;

type Heap = { sizeBytes(): number; collect(): void; now(): number };
const ofTheRuntime: Heap = { sizeBytes: heapSize, collect: gcAndSweep, now: () => performance.now() };

/** Returns a function to call every tenth of a second. `openRequests`: the number of requests being answered. */
export const createCollector = (openRequests: () => number, heap: Heap = ofTheRuntime): (() => void) => {
  /** Approximately what is alive: the lowest size since the last collection. */
  let leastBytes = heap.sizeBytes();
  /** What was alive when last collected with no request open. */
  let atRestBytes = leastBytes;
  let measuresAt = 0;
  /** The highest number of open requests since the last collection. */
  let mostOpen = 0;
  let restsUntil = 0;

  const collect = (open: number): void => {
    const startedAt = heap.now();
    heap.collect();
    const endedAt = heap.now();
    restsUntil = endedAt + (endedAt - startedAt) / MOST_SHARE_OF_TIME;
    leastBytes = heap.sizeBytes();
    mostOpen = open;
    if (open === 0) atRestBytes = leastBytes;
  };
  const isBurstOver = (open: number): boolean =>
    mostOpen >= BURST_REQUESTS && open <= Math.min(mostOpen / 2, MOST_OPEN_REQUESTS) && heap.now() >= restsUntil;
  const hasGrown = (open: number): boolean => {
    const startedAt = heap.now();
    if (startedAt < measuresAt) return false;
    const size = heap.sizeBytes();
    const endedAt = heap.now();
    measuresAt = endedAt + (endedAt - startedAt) / MOST_SHARE_TO_MEASURE;
    leastBytes = Math.min(leastBytes, size);
    // After many large requests the heap was large when it was last collected, and nothing else would collect them now.
    if (open === 0 && size >= atRestBytes + MOST_GROWTH_BYTES) return true;
    return leastBytes <= LARGE_HEAP_BYTES && size >= leastBytes + MOST_GROWTH_BYTES;
  };
  return () => {
    const open = openRequests();
    mostOpen = Math.max(mostOpen, open);
    if (isBurstOver(open) || hasGrown(open)) collect(open);
  };
};

/**
 * Returns a function to call with the size of buffers or texts that have become garbage, and of those still in use. The runtime would keep
 * a gigabyte of them.
 */
export const collectBuffers = (
  everyBytes: number,
  heap: Heap = ofTheRuntime,
): ((freedBytes: number, heldBytes: number) => void) => {
  let freed = 0;
  return (freedBytes, heldBytes) => {
    freed += freedBytes;
    if (freed < everyBytes) return;
    // Most are on the heap twice: as they came, and as what was read from them.
    if (heap.sizeBytes() - 2 * (freed + heldBytes) <= LARGE_HEAP_BYTES) heap.collect();
    freed = 0;
  };
};

/**
 * Returns a function to call with the number of open requests whenever one arrives. In a burst each beginning request leaves much garbage
 * and none ends, and left alone the runtime lets all of it grow old. `collectYoung` runs concurrently.
 */
export const createBurstWatch = (collectYoung: () => void = () => Bun.gc(false)): ((openRequests: number) => void) => {
  let fewest = 0;
  return (open) => {
    fewest = Math.min(fewest, open);
    if (open - fewest < Math.max(BEGUN_REQUESTS, fewest * BEGUN_SHARE)) return;
    fewest = open;
    collectYoung();
  };
};

/** Returns the function that ends it. */
export const startCollecting = (openRequests: () => number): (() => void) => {
  const timer = setInterval(createCollector(openRequests), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
};
