import { expect, test } from "bun:test";
import { createRecent } from "../../src/lib/recent.ts";

test("of keys in a row the last are kept, and no more than twice as many", () => {
  const recent = createRecent<number>(100);
  for (let n = 0; n < 1_050; n++) recent.keep(`key ${n}`, n);
  expect(recent.find("key 950")).toBe(950);
  expect(recent.find("key 849")).toBeUndefined();
});

test("what is looked up goes on being kept, with its newest value", () => {
  const recent = createRecent<number>(100);
  recent.keep("kept", 1);
  recent.keep("kept", 2);
  for (let n = 0; n < 1_000; n++) {
    recent.keep(`key ${n}`, n);
    expect(recent.find("kept")).toBe(2);
  }
});

test("where keys have a weight, no more than twice as much is kept", () => {
  const recent = createRecent<number>(100, (weight) => weight);
  for (let n = 0; n < 50; n++) recent.keep(`light ${n}`, 1);
  recent.keep("heavy", 60);
  expect(recent.find("light 0")).toBe(1);
  recent.keep("heaviest", 300);
  expect([recent.find("light 49"), recent.find("heaviest")]).toEqual([undefined, 300]);
});

test("all is forgotten on request", () => {
  const recent = createRecent<number>(2);
  for (const key of ["a", "b", "c"]) recent.keep(key, 1);
  recent.forget();
  expect(["a", "b", "c"].map(recent.find)).toEqual([undefined, undefined, undefined]);
});
