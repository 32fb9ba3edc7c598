import { expect, test } from "bun:test";
import { mapYielding } from "../../src/lib/map-yielding.ts";

/** Longer than a turn lasts, however fast the machine is. */
const workFor = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

test("results come in order, of work that takes its time too", async () => {
  expect(await mapYielding([1, 2, 3], (item) => item * 2)).toEqual([2, 4, 6]);
  expect(await mapYielding(["a", "b"], async (item) => item.toUpperCase())).toEqual(["A", "B"]);
  expect(await mapYielding([], () => 1)).toEqual([]);
});

test("between pieces of long work others have their turn", async () => {
  const seen: string[] = [];
  const others = (): void => {
    seen.push("other");
    if (seen.length < 20) setImmediate(others);
  };
  setImmediate(others);
  await mapYielding([1, 2, 3], (item) => {
    workFor(6);
    seen.push(`piece ${item}`);
  });
  for (const piece of [1, 2])
    expect(seen.slice(seen.indexOf(`piece ${piece}`) + 1, seen.indexOf(`piece ${piece + 1}`))).toContain("other");
});

test("work that nobody waits for any more ends with its turn", async () => {
  const controller = new AbortController();
  const done: number[] = [];
  const work = (item: number): void => {
    workFor(6);
    done.push(item);
    controller.abort(new Error("gone"));
  };
  await expect(mapYielding([1, 2], work, controller.signal)).rejects.toThrow("gone");
  expect(done).toEqual([1]);
});
