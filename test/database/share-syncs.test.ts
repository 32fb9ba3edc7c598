import { expect, test } from "bun:test";
import { shareSyncs } from "../../src/database/share-syncs.ts";

/** Syncs that end when the test says so. */
const manual = () => {
  const running: PromiseWithResolvers<void>[] = [];
  const run = () => {
    const ending = Promise.withResolvers<void>();
    running.push(ending);
    return ending.promise;
  };
  return { running, ...shareSyncs(run) };
};

test("what is written while a sync runs waits for the next one, which all of it shares", async () => {
  const { running, sync, isBusy } = manual();
  const ended: string[] = [];
  const first = sync().then(() => ended.push("first"));
  const second = sync().then(() => ended.push("second"));
  const third = sync().then(() => ended.push("third"));
  expect(running.length).toBe(1);
  running[0]!.resolve();
  await first;
  expect(ended).toEqual(["first"]);
  expect(isBusy()).toBe(true);
  expect(running.length).toBe(2);
  running[1]!.resolve();
  await Promise.all([second, third]);
  expect(ended).toEqual(["first", "second", "third"]);
  expect(isBusy()).toBe(false);
});

test("a sync that fails is told to those who waited for it; the next is tried anew", async () => {
  const { running, sync } = manual();
  const first = sync();
  const second = sync();
  running[0]!.reject(new Error("the disk is gone"));
  await expect(first).rejects.toThrow("the disk is gone");
  running[1]!.resolve();
  await second;
});
