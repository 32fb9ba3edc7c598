import { expect, test } from "bun:test";
import { createRanking } from "../../src/logs/segments/ranking.ts";
import { randomFrom } from "../support/random.ts";

const orders = ["asc", "desc"] as const;

test("any places of any calls are those of all of them sorted, however many tie", () => {
  const { integer, chance, pick } = randomFrom(3);
  for (let round = 0; round < 60; round++) {
    const figures = pick([1, 2, 30, 1e9]);
    const calls = Array.from({ length: 1 + integer(9_000) }, (_, n) => ({
      figure: integer(figures),
      seq: n + 1,
      fits: chance(0.8),
    }));
    if (chance(0.5)) calls.reverse();
    for (const order of orders) {
      const sorted = calls
        .filter(({ fits }) => fits)
        .sort((a, b) => (order === "asc" ? 1 : -1) * (a.figure - b.figure || a.seq - b.seq));
      const begin = integer(sorted.length + 10);
      const end = begin + 1 + integer(100);
      const ranking = createRanking(end, order);
      const middle = integer(calls.length);
      for (const some of [calls.slice(0, middle), calls.slice(middle)])
        ranking.offer(
          some.map(({ figure }) => figure),
          some.map(({ seq }) => seq),
          Uint8Array.from(some, ({ fits }) => Number(fits)),
        );
      expect(ranking.places(begin, end)).toEqual(sorted.slice(begin, end).map(({ seq }) => seq));
    }
  }
});

test("what comes after the last that is wanted is excluded, and what ties with it is not", () => {
  for (const order of orders) {
    const ranking = createRanking(2, order);
    ranking.offer([5], [1]);
    expect(ranking.excludes(order === "asc" ? 9 : 1)).toBe(false);
    ranking.offer([5], [2]);
    expect(ranking.excludes(order === "asc" ? 9 : 1)).toBe(true);
    expect(ranking.excludes(5)).toBe(false);
  }
});
