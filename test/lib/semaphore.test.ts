import { expect, test } from "bun:test";
import { createSemaphore } from "../../src/lib/semaphore.ts";

test("no more than so many work at once; the others follow in the order they asked", async () => {
  const semaphore = createSemaphore(2);
  const order: number[] = [];
  let atOnce = 0;
  let most = 0;
  const work = async (number: number): Promise<void> => {
    const release = await semaphore.acquire();
    order.push(number);
    most = Math.max(most, ++atOnce);
    await Promise.resolve();
    atOnce--;
    release();
  };
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  await Promise.all(numbers.map(work));
  expect(most).toBe(2);
  expect(order).toEqual(numbers);
  (await semaphore.acquire())();
});

test("each place given back is told", async () => {
  let told = 0;
  const semaphore = createSemaphore(2, () => void told++);
  const releases = [await semaphore.acquire(), await semaphore.acquire()];
  expect(told).toBe(0);
  for (const release of releases) release();
  expect(told).toBe(2);
});
