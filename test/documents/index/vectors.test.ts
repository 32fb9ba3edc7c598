/** Vectors as they are stored, packed and compared. */

import { describe, expect, test } from "bun:test";
import { dotProduct, dotProducts } from "../../../src/documents/index/dot-products.ts";
import { packVectors, unitVector, unpackVectors } from "../../../src/documents/index/pack-vectors.ts";

import { openIndex } from "./open-index.ts";

describe("vectors", () => {
  test("that are NaN, infinite or zero are near to nothing", () => {
    for (const bad of [
      [Number.NaN, 1, 0, 0],
      [Number.POSITIVE_INFINITY, 0, 0, 0],
      [0, 0, 0, 0],
    ]) {
      expect([...unitVector(bad)]).toEqual([0, 0, 0, 0]);
    }
  });

  test("come back from their packing within a hundredth", () => {
    const vectors = [unitVector([0.2, -0.9, 0.1, 0.4]), new Float32Array(4), unitVector([5, 5, 5, 5])];
    const [values, scales] = [new Int8Array(16), new Float32Array(4)];
    unpackVectors(packVectors(vectors, 4), 4, values, scales, 1);
    const back = [...values].map((value, at) => value * scales[at >> 2]!);
    for (const [at, value] of vectors.flatMap((vector) => [...vector]).entries()) expect(back[4 + at]).toBeCloseTo(value, 2);
  });

  test("find what shares no word with the query", () => {
    const index = openIndex();
    const near = index.add("p", ["automobile"], { vectors: [[1, 0.1, 0, 0]] });
    index.add("p", ["spoon"], { vectors: [[0, 0, 1, 0]] });
    const dense = { kind: "remote", mean: 0.1, spread: 0.1 } as const;
    const hits = index.search("p", "car", { vector: unitVector([1, 0, 0, 0]), dense, threshold: 0.3 });
    expect(hits.map(({ documentNumber }) => documentNumber)).toEqual([near]);
  });

  test("of another embedder are trusted less, too, where more chunks give chance more to find", () => {
    const scoreAmong = (chunks: number): number => {
      const index = openIndex();
      const texts = Array.from({ length: chunks }, (_, at) => (at === 0 ? "automobile" : "spoon"));
      index.add("p", texts, { vectors: texts.map((_, at) => (at === 0 ? [1, 1, 0, 0] : [0, 0, 1, 0])) });
      const dense = { kind: "remote", mean: 0.3, spread: 0.1 } as const;
      return index.search("p", "car", { vector: unitVector([1, 0, 0, 0]), dense })[0]!.score;
    };
    expect(scoreAmong(10)).toBeGreaterThan(0.3);
    expect(scoreAmong(1_000)).toBeLessThan(scoreAmong(10));
  });
});

describe("dot products", () => {
  test("of many vectors at once are those of one after the other, whatever the dimensions", () => {
    for (const [count, dimensions] of [
      [1, 1],
      [3, 15],
      [5_000, 256],
      [700, 1_537],
      [2, 20_000],
    ] as const) {
      const vectors = Int8Array.from({ length: count * dimensions }, (_, at) => ((at * 7_919) % 255) - 127);
      const query = Int16Array.from({ length: dimensions }, (_, at) => ((at * 977) % 401) - 200);
      const sums = dotProducts(vectors, count, query);
      expect(sums).toHaveLength(count);
      for (let at = 0; at < count; at++) expect(sums[at]).toBe(dotProduct(vectors, at * dimensions, query));
    }
  });
});
