import { expect, test } from "bun:test";
import { loadEncoder } from "../../src/encoder/encoder.ts";

const encoder = await loadEncoder();
const cosine = (a: string, b: string): number => {
  const [x, y] = [encoder.embed(a), encoder.embed(b)];
  return x.reduce((sum, value, i) => sum + value * y[i]!, 0);
};

test("every vector has 256 numbers and unit length, whatever the text", () => {
  for (const text of ["", " \n", "ordinary words", "\u0000\ud800", "日本語の文", "🙂🙂", "x".repeat(5000), "a ".repeat(50_000)]) {
    const vector = encoder.embed(text);
    expect(vector.length).toBe(256);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  }
});

test("texts of like meaning lie nearer than texts of another subject", () => {
  const related = cosine("How do I reset my password?", "I forgot my login credentials and need to change them");
  expect(related).toBeGreaterThan(
    cosine("How do I reset my password?", "The glacier retreated by forty metres last summer") + 0.15,
  );
});

test("the same text gives the same vector, after any other text", () => {
  const before = encoder.embed("The invoice is due on 3 March.");
  encoder.embed("something else entirely");
  expect(encoder.embed("The invoice is due on 3 March.")).toEqual(before);
});

test("case and accents do not change a vector", () => {
  expect(encoder.embed("RÉSUMÉ of the Café")).toEqual(encoder.embed("resume of the cafe"));
});
