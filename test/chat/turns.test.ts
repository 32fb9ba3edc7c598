import { expect, test } from "bun:test";
import { createTurns } from "../../src/chat/turns.ts";

test("no more than so many have a turn at once; the others follow in the order they asked", async () => {
  const turns = createTurns(2);
  const order: number[] = [];
  let atOnce = 0;
  let most = 0;
  const work = async (number: number): Promise<void> => {
    const end = await turns.take();
    order.push(number);
    most = Math.max(most, ++atOnce);
    await Promise.resolve();
    atOnce--;
    end();
  };
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  await Promise.all(numbers.map(work));
  expect(most).toBe(2);
  expect(order).toEqual(numbers);
  (await turns.take())();
});

test("the end of each turn is told", async () => {
  let told = 0;
  const turns = createTurns(2, () => void told++);
  const ends = [await turns.take(), await turns.take()];
  expect(told).toBe(0);
  for (const end of ends) end();
  expect(told).toBe(2);
});
