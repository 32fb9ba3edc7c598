import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { collectBuffers, createBurstWatch, createCollector } from "../src/collect-garbage.ts";

const MB = 1_000_000;

/** A heap of so many bytes alive, to which garbage is added, and a clock that goes on by a tenth of a second a look. */
const heapOf = (aliveMb: number) => {
  const heap = {
    alive: aliveMb * MB,
    garbage: 0,
    collections: 0,
    open: 0,
    nowMs: 0,
    collectionMs: 10,
    measureMs: 0,
    measured: 0,
  };
  const collect = () => {
    heap.garbage = 0;
    heap.collections++;
    heap.nowMs += heap.collectionMs;
  };
  const onceMore = createCollector(() => heap.open, {
    sizeBytes: () => {
      heap.nowMs += heap.measureMs;
      heap.measured++;
      return heap.alive + heap.garbage;
    },
    collect,
    now: () => heap.nowMs,
  });
  const look = () => {
    heap.nowMs += 100;
    onceMore();
  };
  return { heap, look };
};

describe("the heap", () => {
  test("is collected once it has grown by 64 MB, not before", () => {
    const { heap, look } = heapOf(30);
    for (const [garbageMb, collections] of [
      [0, 0],
      [63, 0],
      [64, 1],
      [60, 1],
      [65, 2],
    ] as const) {
      heap.garbage = garbageMb * MB;
      look();
      expect(heap.collections).toBe(collections);
    }
  });

  test("is measured by what is alive now: after a burst is over, and where the runtime has collected", () => {
    const { heap, look } = heapOf(70);
    heap.garbage = 30 * MB;
    look();
    heap.alive = 30 * MB;
    heap.garbage = 0;
    look();
    heap.garbage = 64 * MB;
    look();
    expect(heap.collections).toBe(1);
  });

  test("is left to the runtime where it is large: to go through all of it would hold up every stream", () => {
    const { heap, look } = heapOf(100);
    heap.open = 1;
    heap.garbage = 400 * MB;
    look();
    expect(heap.collections).toBe(0);
    heap.alive = 30 * MB;
    heap.garbage = 0;
    look();
    heap.garbage = 64 * MB;
    look();
    expect(heap.collections).toBe(1);
  });

  test("is collected when the requests that had made it large are over, once for what stays alive", () => {
    const { heap, look } = heapOf(30);
    heap.open = 100;
    heap.alive = 3_000 * MB;
    look();
    heap.alive = 200 * MB;
    heap.garbage = 2_800 * MB;
    look();
    expect(heap.collections).toBe(1);
    for (let request = 0; request < 10; request++) {
      heap.open = request % 2;
      look();
    }
    expect([heap.collections, heap.garbage]).toEqual([2, 0]);
  });

  test("is measured for at most a two-thousandth of the time", () => {
    const { heap, look } = heapOf(30);
    heap.measureMs = 0.25;
    for (let looks = 0; looks < 100; looks++) look();
    // Ten seconds, once in half of one; and once when the looking began.
    expect(heap.measured).toBeGreaterThanOrEqual(15);
    expect(heap.measured).toBeLessThanOrEqual(21);
  });

  test("is collected each time half of the calls of a burst are over, however little it has grown", () => {
    const { heap, look } = heapOf(30);
    const after: number[] = [];
    for (const open of [1_000, 501, 500, 300, 250, 30, 0, 0]) {
      heap.open = open;
      for (let looks = 0; looks < 11; looks++) look();
      after.push(heap.collections);
    }
    expect(after).toEqual([0, 0, 1, 1, 2, 2, 2, 2]);
  });

  test("is not collected while more are open than a collection may hold up", () => {
    const { heap, look } = heapOf(30);
    heap.open = 9_900;
    look();
    heap.open = 2_501;
    look();
    expect(heap.collections).toBe(0);
    heap.open = 2_500;
    look();
    expect(heap.collections).toBe(1);
  });

  test("is collected for at most a hundredth of the time where bursts come and go", () => {
    const { heap, look } = heapOf(30);
    heap.collectionMs = 20;
    for (let looks = 0; looks < 200; looks++) {
      heap.open = looks % 2 === 0 ? 1_000 : 0;
      look();
    }
    expect(heap.collections).toBeGreaterThan(5);
    expect(heap.collections * heap.collectionMs).toBeLessThanOrEqual(heap.nowMs / 100 + heap.collectionMs);
  });
});

test("freed buffers are collected when they have come to so many bytes, but where the heap beside them and those in use is large", () => {
  const heap = { sizeMb: 400, collections: 0 };
  const tell = collectBuffers(100 * MB, {
    sizeBytes: () => heap.sizeMb * MB,
    collect: () => void heap.collections++,
    now: () => 0,
  });
  for (let told = 0; told < 7; told++) tell(40 * MB, 200 * MB);
  expect(heap.collections).toBe(2);
  heap.sizeMb = 800;
  for (let told = 0; told < 7; told++) tell(40 * MB, 200 * MB);
  expect(heap.collections).toBe(2);
});

test("of a burst of requests, what each two hundred leave that begin is collected; of thousands, what each eighth more leave", () => {
  const collectedAt: number[] = [];
  let open = 0;
  const tell = createBurstWatch(() => void collectedAt.push(open));
  for (open = 1; open <= 3_000; open++) tell(open);
  expect(collectedAt).toEqual([200, 400, 600, 800, 1_000, 1_200, 1_400, 1_600, 1_800, 2_025, 2_279, 2_564, 2_885]);
});

test("requests that end as others come are no burst, however many there are; after they have ended, the next burst is one", () => {
  let collections = 0;
  const tell = createBurstWatch(() => void collections++);
  for (let request = 0; request < 5_000; request++) tell(100 + (request % 90));
  expect(collections).toBe(0);
  for (let open = 1; open <= 300; open++) tell(open);
  expect(collections).toBe(1);
});

/** In a process of its own: what other tests leave alive makes the heap one that is left to the runtime. */
const FILL_AND_LOOK = `
  const { gcAndSweep, heapSize } = require("bun:jsc");
  const { createCollector } = await import(${JSON.stringify(join(import.meta.dir, "../src/collect-garbage.ts"))});
  const before = heapSize();
  const look = createCollector(() => 0);
  // Held until it was measured: what the runtime collects on its way cannot be told from what we do.
  const fill = () => {
    globalThis.held = Array.from({ length: 1_000 }, (_, piece) => new Array(1 << 15).fill(piece + 0.5));
    // In the middle of a collection of its own, the runtime counts only what it has looked at.
    gcAndSweep();
    return heapSize() - before;
  };
  const grown = fill();
  globalThis.held = undefined;
  look();
  console.log(JSON.stringify([grown, heapSize() - before]));
`;

test("the real heap is back at what is alive within a look", () => {
  const { stdout } = Bun.spawnSync([process.execPath, "-e", FILL_AND_LOOK]);
  const [grown, left] = JSON.parse(stdout.toString()) as [number, number];
  expect(grown).toBeGreaterThan(100 * MB);
  expect(left).toBeLessThan(64 * MB);
});
