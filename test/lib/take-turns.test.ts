/** One task at a time, and their owners take turns. */

import { expect, test } from "bun:test";
import { createTurns } from "../../src/lib/take-turns.ts";

test("one task runs at a time, and an owner with many waits after each for the others", async () => {
  const inTurn = createTurns();
  const order: string[] = [];
  let atOnce = 0;
  const run = (owner: string, name: string) =>
    inTurn(owner, async () => {
      order.push(name);
      expect(++atOnce).toBe(1);
      await Promise.resolve();
      atOnce--;
      return name;
    });
  const many = ["a1", "a2", "a3", "a4"].map((name) => run("a", name));
  const others = [run("b", "b1"), run("c", "c1"), run("b", "b2")];
  expect(await Promise.all([...many, ...others])).toEqual(["a1", "a2", "a3", "a4", "b1", "c1", "b2"]);
  expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("a task that fails lets the next one run", async () => {
  const inTurn = createTurns();
  const failing = inTurn("a", () => Promise.reject(new Error("broken")));
  const next = inTurn("b", async () => "read");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("read");
  expect(await inTurn("a", async () => "again")).toBe("again");
});
