import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { createKeptText, KEPT_CHARACTERS, keepPiece, readKept } from "../../../src/chat/output/kept-text.ts";
import { randomFrom } from "../../support/random.ts";

const strings = (): number => {
  Bun.gc(true);
  return heapStats().objectTypeCounts["string"] ?? 0;
};

describe("the kept text of a stream", () => {
  test("reads as its pieces in a row, whatever their sizes, also where a block ends within a character", () => {
    const random = randomFrom(5).next;
    for (const longest of [3, 700, 9_000]) {
      const kept = createKeptText();
      let whole = "";
      while (whole.length < 300_000) {
        const piece = "a😀é汉".repeat(longest).slice(Math.floor(random() * 4), Math.floor(4 + random() * longest));
        whole += piece;
        expect(keepPiece(kept, piece)).toBe(true);
      }
      // Halves of characters that never meet their other half are no text: what becomes of them does not matter.
      expect(readKept(kept).toWellFormed()).toBe(whole.toWellFormed());
      keepPiece(kept, "and on");
      expect(readKept(kept).toWellFormed()).toBe(`${whole}and on`.toWellFormed());
    }
  });

  test("reads where one block was packed, and where none was", () => {
    for (const whole of ["", "short", "汉".repeat(5_000), `${"long ".repeat(1_000)}and on`]) {
      const kept = createKeptText();
      if (whole !== "") keepPiece(kept, whole);
      expect([readKept(kept), readKept(kept)]).toEqual([whole, whole]);
    }
  });

  test("loses no character that comes in two halves", () => {
    const kept = createKeptText();
    let whole = "";
    for (let piece = 0; piece < 40_000; piece++) {
      const text = piece % 2 === 0 ? "ab\ud83d" : "\ude00";
      whole += text;
      keepPiece(kept, text);
    }
    expect(readKept(kept)).toBe(whole);
  });

  test("keeps no more than its bound, and says what it did not keep", () => {
    const kept = createKeptText();
    const half = "5".repeat(KEPT_CHARACTERS / 2);
    expect([half, half, "x"].map((piece) => keepPiece(kept, piece))).toEqual([true, true, false]);
    expect(readKept(kept)).toBe(half + half);
  });

  test("holds a few strings, not one for every piece", () => {
    const before = strings();
    const texts = Array.from({ length: 50 }, () => createKeptText());
    for (let piece = 0; piece < 2_000; piece++) for (const text of texts) keepPiece(text, JSON.parse(`" token${piece}"`));
    expect(strings() - before).toBeLessThan(50 * 100);
    expect(texts.every((text) => readKept(text).endsWith(" token1999"))).toBe(true);
  });
});
