import { expect, test } from "bun:test";
import { createPassingBytes } from "../../../src/providers/transport/passing-bytes.ts";

const MB = 1_000_000;

/** How often is collected while so many megabytes pass, in pieces of 10 KB. */
const collectionsWhile = (passingMb: number, heapMb: number): number => {
  let collections = 0;
  const pass = createPassingBytes({ sizeBytes: () => heapMb * MB, collect: () => void collections++ });
  for (let piece = 0; piece < passingMb * 100; piece++) pass(10_000);
  return collections;
};

test("what is young is collected for each megabyte that has passed", () => {
  expect(collectionsWhile(0.99, 30)).toBe(0);
  expect(collectionsWhile(1, 30)).toBe(1);
  expect(collectionsWhile(50, 30)).toBe(50);
});

test("where more is alive, it is collected less often", () => {
  expect(collectionsWhile(65, 320)).toBe(13);
});
