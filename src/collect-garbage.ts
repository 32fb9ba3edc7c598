/**
 * Collects garbage before the runtime would. It lets the heap grow to several times of what is alive, and collects nothing while nothing is
 * allocated: two hundred readers that stand still were half a gigabyte of bytes that had long been sent, ten thousand streams that had
 * ended were as much.
 */

import { gcAndSweep, heapSize } from "bun:jsc";

const LOOK_EVERY_MS = 100;
/** To measure the heap goes through its blocks, a quarter of a millisecond where little is alive, 2 ms where they are many. */
const MOST_SHARE_TO_MEASURE = 1 / 2_000;
/** A collection holds the thread for 10 to 20 ms. Before the heap has grown by so much, under usual load, the runtime collects beside it. */
const MOST_GROWTH_BYTES = 64_000_000;
/** To go through a larger one would hold up all streams at once; the runtime's own collections run beside them. */
const LARGE_HEAP_BYTES = 80_000_000;
/**
 * What so many calls leave is worth a collection once they are over: much of it has grown too old for the runtime's quick ones. With
 * fewer it gives back little, and holds the others up: two hundred streams were late by 47 ms.
 */
const BURST_REQUESTS = 500;
/** With more still open, it would hold them up for longer than a tenth of a second. */
const MOST_OPEN_REQUESTS = 2_500;
/** Load that comes and goes is not collected for all the time. */
const MOST_SHARE_OF_TIME = 1 / 100;
/** What so many requests leave while they begin is collected before more begin: a thousand streams at once took 27 MB less. */
const BEGUN_REQUESTS = 200;
/** Where thousands are open a collection of what is young goes through more, and comes after more. */
const BEGUN_SHARE = 1 / 8;

type Heap = { sizeBytes(): number; collect(): void; now(): number };
const ofTheRuntime: Heap = { sizeBytes: heapSize, collect: gcAndSweep, now: () => performance.now() };

/** Returns one look, to be taken every tenth of a second. `openRequests`: how many are being answered. */
export const createCollector = (openRequests: () => number, heap: Heap = ofTheRuntime): (() => void) => {
  /** About what is alive: the least that was seen since the last collection. */
  let leastBytes = heap.sizeBytes();
  let measuresAt = 0;
  /** The most that were open since the last collection. */
  let mostOpen = 0;
  let restsUntil = 0;

  const collect = (open: number): void => {
    const startedAt = heap.now();
    heap.collect();
    const endedAt = heap.now();
    restsUntil = endedAt + (endedAt - startedAt) / MOST_SHARE_OF_TIME;
    leastBytes = heap.sizeBytes();
    mostOpen = open;
  };
  const isBurstOver = (open: number): boolean =>
    mostOpen >= BURST_REQUESTS && open <= Math.min(mostOpen / 2, MOST_OPEN_REQUESTS) && heap.now() >= restsUntil;
  const hasGrown = (): boolean => {
    const startedAt = heap.now();
    if (startedAt < measuresAt) return false;
    const size = heap.sizeBytes();
    const endedAt = heap.now();
    measuresAt = endedAt + (endedAt - startedAt) / MOST_SHARE_TO_MEASURE;
    leastBytes = Math.min(leastBytes, size);
    return leastBytes <= LARGE_HEAP_BYTES && size >= leastBytes + MOST_GROWTH_BYTES;
  };
  return () => {
    const open = openRequests();
    mostOpen = Math.max(mostOpen, open);
    if (isBurstOver(open) || hasGrown()) collect(open);
  };
};

/** To be told each time that some megabytes have become garbage at once: what would be too late for a look. */
export const collectEvery = (times: number, heap: Heap = ofTheRuntime): (() => void) => {
  let told = 0;
  return () => {
    told += 1;
    if (told % times === 0 && heap.sizeBytes() <= LARGE_HEAP_BYTES + MOST_GROWTH_BYTES) heap.collect();
  };
};

/**
 * To be told how many are open each time that a request comes. Of many that come at once each leaves much while it begins, and nothing
 * ends meanwhile: without looking, the runtime lets all of that grow old. `collectYoung` works beside the requests.
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

/** Returns what ends it. */
export const startCollecting = (openRequests: () => number): (() => void) => {
  const timer = setInterval(createCollector(openRequests), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
};
