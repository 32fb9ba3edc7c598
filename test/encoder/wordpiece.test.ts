import { expect, test } from "bun:test";
import { createFolding } from "../../src/encoder/fold-text.ts";
import { buildWordPiece, LONGEST_WORD } from "../../src/encoder/wordpiece.ts";

const vocabulary = ["[UNK]", "un", "##aff", "##able", "aff", "hello", ",", "世", "界", "2024", "##s"].join("\n");
const fold = createFolding();
const tokenize = (text: string, limit = 1024): number[] => {
  const ids = new Int32Array(limit + LONGEST_WORD);
  return [...ids.subarray(0, buildWordPiece(vocabulary).tokenize(fold(text), ids, limit))];
};

test("words are cut into the longest known pieces from the left", () => {
  expect(tokenize("unaffable")).toEqual([1, 2, 3]);
  expect(tokenize("aff affs")).toEqual([4, 4, 10]);
});

test("punctuation and Chinese characters stand alone", () => {
  expect(tokenize("Hello,hello")).toEqual([5, 6, 5]);
  expect(tokenize("世界")).toEqual([7, 8]);
});

test("a word with an unknown piece gives no token at all", () => {
  expect(tokenize("unaffxyz hello")).toEqual([5]);
});

test("the limit holds, and shortens without changing what stands before it", () => {
  expect(tokenize("unaffable hello hello", 4)).toEqual([1, 2, 3, 5]);
  expect(tokenize("hello ".repeat(5000), 7)).toHaveLength(7);
});

test("accents and case are folded", () => {
  expect(tokenize("HÉLLO")).toEqual([5]);
});

test("a very long word costs no more than its length", () => {
  expect(tokenize("x".repeat(1_000_000))).toEqual([]);
});
