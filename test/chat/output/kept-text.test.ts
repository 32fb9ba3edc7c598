import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { createKeptText } from "../../../src/chat/output/kept-text.ts";
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
        expect(kept.add(piece)).toBe(true);
      }
      // Halves of characters that never meet their other half are no text: what becomes of them does not matter.
      expect(kept.read().toWellFormed()).toBe(whole.toWellFormed());
      kept.add("and on");
      expect(kept.read().toWellFormed()).toBe(`${whole}and on`.toWellFormed());
    }
  });

  test("reads where one block was packed, and where none was", () => {
    for (const whole of ["", "short", "汉".repeat(5_000), `${"long ".repeat(1_000)}and on`]) {
      const kept = createKeptText();
      if (whole !== "") kept.add(whole);
      expect([kept.read(), kept.read()]).toEqual([whole, whole]);
    }
  });

  test("loses no character that comes in two halves", () => {
    const kept = createKeptText();
    let whole = "";
    for (let piece = 0; piece < 40_000; piece++) {
      const text = piece % 2 === 0 ? "ab\ud83d" : "\ude00";
      whole += text;
      kept.add(text);
    }
    expect(kept.read()).toBe(whole);
  });

  test("keeps no more than its bound, and says what it did not keep", () => {
    const kept = createKeptText(10);
    expect(["12345", "67890", "x"].map(kept.add)).toEqual([true, true, false]);
    expect(kept.read()).toBe("1234567890");
  });

  test("holds a few strings, not one for every piece", () => {
    const before = strings();
    const texts = Array.from({ length: 50 }, () => createKeptText());
    for (let piece = 0; piece < 2_000; piece++) for (const text of texts) text.add(JSON.parse(`" token${piece}"`));
    expect(strings() - before).toBeLessThan(50 * 100);
    expect(texts.every((text) => text.read().endsWith(" token1999"))).toBe(true);
  });
});
