import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createCollector } from "../src/collect-garbage.ts";

const MB = 1_000_000;

/** A heap of so many bytes alive, to which garbage is added. */
const heapOf = (aliveMb: number) => {
  const heap = { alive: aliveMb * MB, garbage: 0, collections: 0 };
  const collect = () => {
    heap.garbage = 0;
    heap.collections++;
  };
  return { heap, look: createCollector({ sizeBytes: () => heap.alive + heap.garbage, collect }) };
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
    heap.garbage = 400 * MB;
    expect(look()).toBeGreaterThanOrEqual(1_000);
    expect(heap.collections).toBe(0);
    heap.alive = 30 * MB;
    heap.garbage = 0;
    expect(look()).toBeLessThan(1_000);
    heap.garbage = 64 * MB;
    look();
    expect(heap.collections).toBe(1);
  });
});

/** In a process of its own: what other tests leave alive makes the heap one that is left to the runtime. */
const FILL_AND_LOOK = `
  const { heapSize } = require("bun:jsc");
  const { createCollector } = await import(${JSON.stringify(join(import.meta.dir, "../src/collect-garbage.ts"))});
  const before = heapSize();
  const look = createCollector();
  // Held until all of it is there: what the runtime collects on its way cannot be told from what we do.
  const fill = () => {
    const held = Array.from({ length: 1_000 }, (_, piece) => new Uint8Array(1 << 18).fill(piece));
    return held.length > 0 ? heapSize() - before : 0;
  };
  const grown = fill();
  look();
  console.log(JSON.stringify([grown, heapSize() - before]));
`;

test("the real heap is back at what is alive within a look", () => {
  const { stdout } = Bun.spawnSync([process.execPath, "-e", FILL_AND_LOOK]);
  const [grown, left] = JSON.parse(stdout.toString()) as [number, number];
  expect(grown).toBeGreaterThan(100 * MB);
  expect(left).toBeLessThan(64 * MB);
});
