import { expect, test } from "bun:test";
import { createFolding, foldCase } from "../../src/encoder/fold-text.ts";

const fold = createFolding();
const folded = (text: string, from?: number, to?: number): string => {
  const { codes, length } = fold(text, from, to);
  return String.fromCharCode(...codes.subarray(0, length));
};

test("accents and case are folded", () => {
  expect(foldCase("ÀÉÎ Straße")).toBe("aei straße");
  for (const text of [
    "",
    "Plain ASCII [0-9] @Z{`",
    "ÀÉÎ Straße",
    "İstanbul",
    "한국어",
    "Ω\ud83d\ude42\ud800",
    "mixed É then A",
  ]) {
    expect(folded(text)).toBe(foldCase(text));
  }
});

test("a part of a text folds like the part alone, after any other text", () => {
  const text = "Before THE PART É after";
  expect(folded(text, 7, 15)).toBe("the part");
  expect(folded(text, 7, 17)).toBe("the part e");
  expect(folded(text, 7, 15)).toBe("the part");
});

test("texts of any length are folded whole", () => {
  for (const letter of ["A", "É", "한"]) {
    const text = letter.repeat(40_000);
    const { codes, length } = fold(text);
    expect(new TextDecoder("utf-16le").decode(codes.subarray(0, length))).toBe(foldCase(text));
  }
  expect(folded("Short")).toBe("short");
});
