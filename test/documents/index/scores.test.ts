/** What a score is made of, and how far it is trusted. */

import { describe, expect, test } from "bun:test";
import { calibrationFor, type Evidence } from "../../../src/documents/index/calibrate-scores.ts";
import { fusionFor, likenessOf } from "../../../src/documents/index/fuse-scores.ts";
import type { ProjectIndex } from "../../../src/documents/index/project-index.ts";
import { spreadOf } from "../../../src/documents/index/spread-of-pairs.ts";

describe("the score", () => {
  test("grows with each part and stays within 0 and 1", () => {
    for (const dense of [
      undefined,
      { kind: "local", mean: 0.9, spread: 0.1 },
      { kind: "remote", mean: 0.3, spread: 0.1 },
    ] as const) {
      const fuse = fusionFor("a plain question", dense);
      for (let lexical = 0; lexical <= 1; lexical += 0.1) {
        for (let cosine = 0; cosine <= 1; cosine += 0.1) {
          const score = fuse(lexical, cosine);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(fuse(lexical + 0.05, cosine)).toBeGreaterThanOrEqual(score);
          expect(fuse(lexical, cosine + 0.05)).toBeGreaterThanOrEqual(score);
        }
      }
    }
  });

  test("of an exact name is not drowned by an embedder that sees no likeness", () => {
    expect(fusionFor("ERR-4711", { kind: "remote", mean: 0.3, spread: 0.1 })(0.9, 0.2)).toBeGreaterThan(0.7);
  });
});

describe("the calibration", () => {
  const evidence: Evidence = {
    best: 0.6,
    sharedIdf: 30,
    nearest: 0.6,
    chunkCount: 1_000,
    averageLength: 150,
    rankedBy: "local",
    telling: 1,
  };

  test("keeps the order of hits and stays within 0 and 1", () => {
    for (const best of [0.01, 0.3, 1]) {
      const calibrate = calibrationFor({ ...evidence, best });
      let last = -1;
      for (let fused = 0; fused <= 1; fused += 0.01) {
        const score = calibrate(fused);
        expect(score).toBeGreaterThan(last);
        expect(score).toBeLessThanOrEqual(1);
        last = score;
      }
    }
  });

  test("trusts a hit less the less the best hits show that the project knows what is asked", () => {
    const trust = (change: Partial<Evidence>) => calibrationFor({ ...evidence, ...change })(0.4);
    expect(trust({})).toBeGreaterThan(0.3);
    expect(trust({ best: 0.4 })).toBeLessThan(trust({}));
    expect(trust({ sharedIdf: 5 })).toBeLessThan(trust({}));
    expect(trust({ nearest: 0.1 })).toBeLessThan(trust({}));
    expect(trust({ best: 0.4, sharedIdf: 5, nearest: 0.2 })).toBeLessThan(0.3);
  });

  test("trusts a best hit that stands out from the others more than one among its like", () => {
    const trust = (last?: number) => calibrationFor({ ...evidence, best: 0.35, ...(last !== undefined && { last }) })(0.35);
    expect(trust(0.1)).toBeGreaterThan(trust(0.3));
    expect(trust(0.34)).toBeLessThan(trust());
    expect(trust(0)).toBe(trust(0.01));
  });

  test("asks for more where more chunks give chance more to find", () => {
    const alone = (chunkCount: number) => calibrationFor({ ...evidence, best: 0.35, chunkCount })(0.35);
    expect(alone(100_000)).toBeLessThan(alone(1_000));
    expect(alone(1_000)).toBeLessThan(alone(10));
  });

  test("asks for less where passages are so short that chance finds little in them, unless an embedder of its own compares them", () => {
    const among = (averageLength: number, rankedBy: Evidence["rankedBy"] = "local") =>
      calibrationFor({ ...evidence, best: 0.3, sharedIdf: 10, averageLength, rankedBy })(0.3);
    for (const rankedBy of ["local", "words", "pairs"] as const) {
      expect(among(40, rankedBy)).toBeGreaterThan(among(120, rankedBy));
      expect(among(400, rankedBy)).toBe(among(120, rankedBy));
      expect(among(5, rankedBy)).toBe(among(20, rankedBy));
    }
    expect(among(40, "remote")).toBe(among(400, "remote"));
  });
});

test("how near unrelated texts lie is taken from few chunks too; around what, only from many", () => {
  const spread = (size: number) =>
    spreadOf({
      size,
      dimensions: 2,
      vectors: Int8Array.from({ length: 2 * size }, () => 100),
      scales: Float32Array.from({ length: size }, () => Math.SQRT1_2 / 100),
      documentOf: Int32Array.from({ length: size }, (_, at) => at),
      documents: Array.from({ length: size }, (_, at) => at),
      spread: undefined,
    } as unknown as ProjectIndex);
  expect(spread(4)).toEqual({ mean: 0.35, spread: 0.1 });
  expect(spread(6).mean).toBeCloseTo(1);
  expect(spread(6).spread).toBe(0.1);
  expect(spread(60).spread).toBeCloseTo(0.01);
});

test("of texts that are all the same, a cosine is no evidence, and a number", () => {
  for (const mean of [1, 1 + Number.EPSILON, 1 - Number.EPSILON])
    expect(likenessOf(1, { kind: "remote", mean, spread: 0.1 })).toBeCloseTo(0);
  expect(likenessOf(0.9, { kind: "remote", mean: 0.8, spread: 0.1 })).toBeCloseTo(0.5);
});
